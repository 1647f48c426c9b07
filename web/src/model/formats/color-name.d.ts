declare module "color-name" {
  const names: Record<string, [red: number, green: number, blue: number]>;
  export default names;
}
