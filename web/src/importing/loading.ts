/** Decode a picture, cut its blank margins, and scale it to a square of pixels for each cell (`nonocsp.making.picture`). */

import { colourNames } from "../model/formats/palettes.ts";
import { INKS, MOST_LINES, type Picture, WHITE } from "../model/picture.ts";
import { drawingOf, type Fine, PIXEL_ART } from "./pixels.ts";

export const MOST_PIXELS = 40;
/** Cells on the longer side, unless the picture is small. */
const SIDE = 30;
/** Pixels that are kept of a picture, as the side of a square. */
const FINE = 1024;
/** Pixels along a side of a cell: at most, and at least if those of the picture do not fit into the cells. */
const [MOST_SIDE, ACCURATE] = [8, 4];
/** A pixel from this brightness on looks white. */
const BLANK = 242;

export class Unreadable extends Error {}

let loads = 0;

export interface Loaded {
  /** Another one for each picture. */
  number: number;
  name: string;
  /** The picture, upright and no finer than needed. */
  canvas: HTMLCanvasElement;
  /** The part that is not blank. */
  box: { left: number; top: number; width: number; height: number };
  /** What it is as it is, if it was drawn for a grid. */
  drawing: Picture | undefined;
}

const contextOf = (canvas: HTMLCanvasElement) => canvas.getContext("2d", { willReadFrequently: true }) as CanvasRenderingContext2D;

/** Decodes a file; Unreadable if the browser cannot, RangeError if there are too many pixels. */
export async function load(file: File): Promise<Loaded> {
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (!bitmap) throw new Unreadable();
  const { width, height } = bitmap;
  if (width * height > MOST_PIXELS * 1e6) throw new RangeError();
  const scale = Math.min(1, FINE / Math.sqrt(width * height));
  const canvas = Object.assign(document.createElement("canvas"), { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) });
  const context = contextOf(canvas);
  Object.assign(context, { imageSmoothingEnabled: scale < 1, imageSmoothingQuality: "high" });
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  const isSmall = Math.max(width, height) <= PIXEL_ART;
  return {
    number: ++loads,
    name: file.name,
    canvas,
    box: isSmall ? { left: 0, top: 0, width: canvas.width, height: canvas.height } : contentOf(data, canvas.width, canvas.height),
    drawing: scale === 1 ? drawingOf(height, width, data) : undefined,
  };
}

/** The smallest box around what is not blank; everything if all is. */
function contentOf(rgba: Uint8ClampedArray, width: number, height: number): Loaded["box"] {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let i = 0; i < width * height; i++) {
    const alpha = (rgba[4 * i + 3] as number) / 255;
    const shade = 0.299 * (rgba[4 * i] as number) + 0.587 * (rgba[4 * i + 1] as number) + 0.114 * (rgba[4 * i + 2] as number);
    if (alpha * shade + 255 * (1 - alpha) >= BLANK) continue;
    const [x, y] = [i % width, Math.floor(i / width)];
    [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
  }
  return right < 0 ? { left: 0, top: 0, width, height } : { left, top, width: right - left + 1, height: bottom - top + 1 };
}

export interface Size {
  rows: number;
  columns: number;
}

const bounded = (value: number) => Math.max(1, Math.min(MOST_LINES, Math.round(value)));

/** Rows and columns that suit a picture, or its aspect if one of them is given. */
export function sizeOf({ box, canvas }: Loaded, given: Partial<Size> = {}): Size {
  const aspect = box.width / box.height;
  const isSmall = Math.max(canvas.width, canvas.height) <= PIXEL_ART;
  const { rows, columns } = given;
  if (rows !== undefined) return { rows: bounded(rows), columns: bounded(rows * aspect) };
  if (columns !== undefined) return { rows: bounded(columns / aspect), columns: bounded(columns) };
  if (isSmall) return { rows: canvas.height, columns: canvas.width };
  return aspect < 1 ? { rows: SIDE, columns: bounded(SIDE * aspect) } : { rows: bounded(SIDE / aspect), columns: SIDE };
}

/** The pixels of a picture, as many along the sides of every cell. */
export function fineOf({ canvas, box }: Loaded, rows: number, columns: number): Fine {
  const pixels = Math.max(box.width / columns, box.height / rows);
  const side = Math.min(MOST_SIDE, Math.max(Math.ceil(pixels), pixels === Math.round(pixels) ? 1 : ACCURATE));
  const scaled = Object.assign(document.createElement("canvas"), { width: columns * side, height: rows * side });
  const context = contextOf(scaled);
  // If it has to be smaller, pixels are averaged; enlarged, each keeps its colour.
  Object.assign(context, { imageSmoothingEnabled: side < pixels, imageSmoothingQuality: "high" });
  context.drawImage(canvas, box.left, box.top, box.width, box.height, 0, 0, scaled.width, scaled.height);
  return { rows, columns, side, rgba: context.getImageData(0, 0, scaled.width, scaled.height).data };
}

/** The picture with names for its colours, as people say them. */
export function named(picture: Picture): Picture {
  const rgbs = picture.palette.map(({ rgb }) => rgb);
  const usual = rgbs.map((rgb) => [WHITE, ...INKS].find((ink) => ink.rgb === rgb)?.name ?? "");
  const names = colourNames(rgbs, usual);
  return { ...picture, palette: picture.palette.map((colour, i) => ({ ...colour, name: names[i] as string })) };
}
