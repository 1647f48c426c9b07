declare module "virtual:core" {
  /** The WebAssembly module, packed by gzip, as base64. */
  const packed: string;
  export default packed;
}
