/**
 * Open what people choose, drop or paste: unpack and read files of puzzles; decode pictures, cut their blank margins, and
 * scale them to a square of pixels for each cell (`nonocsp.making.picture`).
 */

import type { CoreClient } from "../core/client.ts";
import { listsOf } from "../model/formats/clue_lists/lists.ts";
import { decode as puzzleOfDocument } from "../model/formats/data/json.ts";
import { FileError, type Puzzle } from "../model/formats/puzzle.ts";
import { readPuzzles } from "../model/formats/registry.ts";
import { decode, FILE_BYTES, tooLarge } from "../model/formats/source.ts";
import { server } from "../studio/server.ts";
import { MOST_LINES, type Picture } from "../model/picture.ts";
import { drawingOf, type Fine, PIXEL_ART } from "./pixels.ts";

export const isPicture = (file: File): boolean => file.type.startsWith("image/") && !/\.(grid|xml)$/i.test(file.name);

export interface Reading {
  /** At least one. */
  puzzles: Puzzle[];
  /** What the reader took or left out on its own, and the fault behind the last puzzle. */
  notes: string[];
}

/** Returns the puzzles of a file; an Error says why there are none. `nonocsp studio` reads what the page cannot. */
export async function readFile(file: File, core: CoreClient, format = ""): Promise<Reading> {
  try {
    return await readHere(file, core, format);
  } catch (error) {
    const host = server();
    if (!host || format || !(error instanceof FileError) || error.draft) throw error;
    const { puzzles, notes } = await host.read(file.name, file);
    return { puzzles: puzzles.map(({ puzzle }) => puzzleOfDocument(puzzle)), notes };
  }
}

/** The puzzles of a file that is compressed by gzip or not. */
async function readHere(file: File, core: CoreClient, format: string): Promise<Reading> {
  const name = file.name.replace(/\.gz$/i, "");
  if (file.size > FILE_BYTES) throw tooLarge(file.name);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const source = decode(name, isPacked ? await unpacked(file) : bytes);
  source.lists = await listsOf(source, core);
  return readPuzzles(source, format);
}

/** What gzip unpacks, as far as a file may be large. */
async function unpacked(file: File): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = file.stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parts.push(part.value);
      size += part.value.length;
      if (size > FILE_BYTES) throw tooLarge(file.name);
    }
  } catch (error) {
    throw error instanceof FileError ? error : new FileError("the compression is damaged", { file: file.name, expected: "a whole file, compressed or not" });
  } finally {
    reader.cancel().catch(() => {});
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** How a puzzle of a set is listed. */
export const nameOf = ({ title, rows, columns }: Puzzle, number: number): string => `${number}${title ? ` ${title.slice(0, 60)}` : ""}, ${rows.length}x${columns.length}`;

/** The files of a drop or of the clipboard; a text of the clipboard is one, too. */
export function filesOf(data: DataTransfer | null): File[] {
  if (data?.files.length) return [...data.files];
  const text = data?.getData("text/plain") ?? "";
  return text.trim() ? [new File([text], "text")] : [];
}

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
