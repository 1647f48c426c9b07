/** Colours as people see them: OKLab, in which equal distances look equally different (Ottosson 2020). */

export type Lab = readonly [lightness: number, red: number, yellow: number];

const LINEAR = Float64Array.from({ length: 256 }, (_, i) => (i / 255 <= 0.04045 ? i / 255 / 12.92 : ((i / 255 + 0.055) / 1.055) ** 2.4));

export function oklab(red: number, green: number, blue: number): Lab {
  const [r, g, b] = [LINEAR[red] as number, LINEAR[green] as number, LINEAR[blue] as number];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
  ];
}

/** The colour `#rrggbb`. */
export function oklabOf(rgb: string): Lab {
  const value = Number.parseInt(rgb.slice(1), 16);
  return oklab((value >> 16) & 255, (value >> 8) & 255, value & 255);
}
