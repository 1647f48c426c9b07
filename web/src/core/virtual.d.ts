declare module "virtual:core" {
  /** The WebAssembly module, packed as LZMA, in base64. */
  const packed: string;
  export default packed;
}

declare module "virtual:player" {
  /** The page of the player without its style and script, which stand in the page of the studio. */
  const page: string;
  export default page;
}

// The package exports encoder and decoder together, and its types are sources that are not as strict as ours.
declare module "lzma1/lib/streams.js" {
  export class InputBuffer {
    constructor(data: Uint8Array);
  }
  export class OutputBuffer {
    constructor(size: number);
    toArray(): Uint8Array<ArrayBuffer>;
  }
}

declare module "lzma1/lib/decoder.js" {
  import type { InputBuffer, OutputBuffer } from "lzma1/lib/streams.js";
  export class Decoder {
    decompress(packed: InputBuffer, unpacked: OutputBuffer): void;
  }
}
