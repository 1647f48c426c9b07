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
