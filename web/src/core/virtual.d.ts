declare module "virtual:core" {
  /** The WebAssembly module, packed by gzip, as base64. */
  const packed: string;
  export default packed;
}

declare module "virtual:player" {
  /** The page of the player, packed by gzip, as base64. */
  const packed: string;
  export default packed;
}
