/**
 * From pixels to cells, with the meaning of `nonocsp generate` (`making/picture.py`, `fine.py`, `init.py`, `colours.py`).
 * A cell shows what stands out in it: pixels count by their distance from their surroundings (DPID; Weber et al. 2016).
 * Colours are told apart in OKLab, lightness counting less than hue. Everything here runs in a worker.
 */

import { type Lab, oklab } from "../model/oklab.ts";
import { type Colour, INKS, type Picture, WHITE } from "../model/picture.ts";
import { groupsOf, nearest } from "./palette.ts";

export type Threshold = "otsu" | "share" | "adaptive";
export type Edges = "none" | "only" | "both";

export interface Options {
  /** Foreground colours; 0 is black and white. */
  colours: number;
  threshold: Threshold;
  /** The share of black, of the thresholds that have one. */
  share: number;
  /** How much lighter everything is taken, from -1 to 1. */
  brightness: number;
  edges: Edges;
  isInverted: boolean;
}

/** Pixels of a picture, a square of them for each cell: red, green, blue and alpha. */
export interface Fine {
  rows: number;
  columns: number;
  side: number;
  rgba: Uint8ClampedArray;
}

/** A pixel up to this darkness looks white; from 1 minus this on it looks black. */
const BLANK = 0.05;
/** Share of the cells that edges take. */
const LINES = 0.25;
/** Neighbourhoods along the longer side, for the adaptive threshold. */
const NEIGHBOURHOODS = 8;
/** Weight of a pixel that is like its surroundings. */
const EVEN = 0.02;
/** A cell of fewer pixels a side is drawn pixel by pixel, and has no edges of its own. */
const SMOOTH = 4;
export const PIXEL_ART = 64;
const MOST_INKS = INKS.length;

/** A picture of which only the cells are known, for want of shades or colours. */
export class OneShade extends Error {}

/** Returns the cells and the colours of a picture. */
export function cellsOf(fine: Fine, options: Options): Picture {
  const pixels = weighed(fine, options);
  const palette = options.colours ? coloursOf(pixels, options.colours) : [WHITE, INKS[0] as Colour];
  const areas = options.colours ? voted(pixels, palette) : thresholded(pixels, options);
  const cells = options.edges === "none" ? areas : outlined(pixels, areas, options);
  return { title: "", palette, rows: fine.rows, columns: fine.columns, cells };
}

/** Pixels along a side of the largest square blocks of one colour that make up a picture; of fewer than three blocks a side, 1. */
function blockSide(rows: number, columns: number, rgba: Uint8ClampedArray): number {
  const pixels = new Uint32Array(rgba.buffer, rgba.byteOffset, rows * columns);
  const common = (a: number, b: number): number => (b ? common(b, a % b) : a);
  let side = common(rows, columns);
  for (let i = 0; side > 1 && i < pixels.length; i++) {
    if (i % columns && pixels[i] !== pixels[i - 1]) side = common(side, i % columns);
    if (i >= columns && pixels[i] !== pixels[i - columns]) side = common(side, Math.floor(i / columns));
  }
  return Math.min(rows, columns) / side < 3 ? 1 : side;
}

/** Returns a small picture of few colours as it is, every pixel or every block of pixels a cell; undefined if it is no drawing. */
export function drawingOf(rows: number, columns: number, rgba: Uint8ClampedArray): Picture | undefined {
  const side = blockSide(rows, columns, rgba);
  if (side > 1) {
    const [height, width] = [rows / side, columns / side];
    const starts = Array.from({ length: height * width }, (_, i) => 4 * side * (Math.floor(i / width) * columns + (i % width)));
    return drawingOf(height, width, Uint8ClampedArray.from(starts.flatMap((at) => [...rgba.subarray(at, at + 4)])));
  }
  if (Math.max(rows, columns) > PIXEL_ART) return undefined;
  const isClear = Array.from({ length: rows * columns }, (_, i) => rgba[4 * i + 3] === 0);
  const opaque = Array.from(isClear, (clear, i) => (clear ? 0xffffff : packed(rgba, i)));
  // White shapes on a transparent ground lie on black.
  const isWhite = isClear.includes(true) && opaque.every((colour) => colour === 0xffffff);
  const pixels = isWhite ? opaque.map((colour, i) => (isClear[i] ? 0 : colour)) : opaque;
  const counts = new Map<number, number>();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  if (counts.size < 2 || counts.size > MOST_INKS + 1) return undefined;
  const isRim = (i: number) => i < columns || i >= columns * (rows - 1) || i % columns === 0 || i % columns === columns - 1;
  const white = counts.get(0xffffff) ?? 0;
  const isOnWhite = white > 0 && (counts.size === 2 || white === Math.max(...counts.values()));
  const background = isWhite ? 0 : isOnWhite || isClear.includes(true) ? 0xffffff : mostCommon(pixels.filter((_, i) => isRim(i)));
  const inks = [...counts.keys()].filter((colour) => colour !== background).sort((a, b) => sum(a) - sum(b) || a - b);
  const index = new Map([background, ...inks].map((colour, i) => [colour, i]));
  return { title: "", palette: paletteOf([background, ...inks]), rows, columns, cells: Uint8Array.from(pixels, (colour) => index.get(colour) ?? 0) };
}

const packed = (rgba: Uint8ClampedArray, i: number): number => ((rgba[4 * i] as number) << 16) | ((rgba[4 * i + 1] as number) << 8) | (rgba[4 * i + 2] as number);
const sum = (colour: number): number => (colour >> 16) + ((colour >> 8) & 255) + (colour & 255);

function mostCommon(values: number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [0, 0])[0];
}

/** The colours of a puzzle, background first; `named` names them, which takes a table that the worker need not carry. */
function paletteOf(colours: number[]): Colour[] {
  return colours.map((colour, i) => ({ name: "", rgb: `#${colour.toString(16).padStart(6, "0")}`, char: i === 0 ? WHITE.char : (INKS[i - 1]?.char ?? "") }));
}

interface Weighed extends Fine {
  /** The colour of each pixel as a number, in OKLab, how dark it is, and how much it counts. */
  colours: Int32Array;
  lab: Lab[];
  dark: Float64Array;
  weight: Float64Array;
  isClear: Uint8Array;
}

/** The cell of a pixel. */
const cellAt = ({ columns, side }: Fine, i: number): number => Math.floor(Math.floor(i / (columns * side)) / side) * columns + Math.floor((i % (columns * side)) / side);

function weighed(fine: Fine, { isInverted, colours: wanted, brightness }: Options): Weighed {
  const { rows, columns, side, rgba } = fine;
  const count = rows * columns * side * side;
  const colours = new Int32Array(count);
  const isClear = new Uint8Array(count);
  const dark = new Float64Array(count);
  const known = new Map<number, Lab>();
  const lab = Array.from({ length: count }, (_, i) => {
    const alpha = rgba[4 * i + 3] as number;
    isClear[i] = Number(alpha < 128);
    const channels = [0, 1, 2].map((channel) => {
      const value = Math.round((alpha * (rgba[4 * i + channel] as number) + (255 - alpha) * 255) / 255);
      const lit = wanted ? Math.max(0, Math.min(255, Math.round(value + 255 * brightness))) : value;
      return isInverted ? 255 - lit : lit;
    }) as [number, number, number];
    const [r, g, b] = channels;
    const colour = (r << 16) | (g << 8) | b;
    colours[i] = colour;
    dark[i] = 1 - (0.299 * r + 0.587 * g + 0.114 * b) / 255;
    return known.get(colour) ?? (known.set(colour, oklab(r, g, b)).get(colour) as Lab);
  });
  const means = Array.from({ length: rows * columns }, () => [0, 0, 0] as [number, number, number]);
  for (let i = 0; i < count; i++) {
    const mean = means[cellAt(fine, i)] as [number, number, number];
    const own = lab[i] as Lab;
    for (let k = 0; k < 3; k++) (mean[k] as number) += (own[k] as number) / (side * side);
  }
  const around = [0, 1, 2].map((k) => blurred(Float64Array.from(means, (mean) => mean[k] as number), rows, columns, [0.25, 0.5, 0.25]));
  const weight = Float64Array.from({ length: count }, (_, i) => {
    const own = lab[i] as Lab;
    const cell = cellAt(fine, i);
    return EVEN + Math.hypot(...around.map((mean, k) => (own[k] as number) - (mean[cell] as number)));
  });
  return { ...fine, colours, lab, dark, weight, isClear };
}

/** Values convolved with a kernel along rows and columns; those beyond the rim are those of the rim. */
export function blurred(values: Float64Array, rows: number, columns: number, kernel: number[]): Float64Array {
  const half = (kernel.length - 1) / 2;
  const clamp = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));
  const across = values.map((_, i) => {
    const [row, column] = [Math.floor(i / columns), i % columns];
    return kernel.reduce((total, share, k) => total + share * (values[row * columns + clamp(column + k - half, columns)] as number), 0);
  });
  return across.map((_, i) => {
    const [row, column] = [Math.floor(i / columns), i % columns];
    return kernel.reduce((total, share, k) => total + share * (across[clamp(row + k - half, rows) * columns + column] as number), 0);
  });
}

function gaussian(deviation: number): number[] {
  const half = Math.max(1, Math.round(3 * deviation));
  const shares = Array.from({ length: 2 * half + 1 }, (_, i) => Math.exp(-((i - half) ** 2) / (2 * deviation ** 2)));
  const total = shares.reduce((a, b) => a + b, 0);
  return shares.map((share) => share / total);
}

/** How dark the cells are, from 0 (white) to 1 (black): what stands out counts most. */
function darkness(pixels: Weighed): Float64Array {
  const [total, weights] = [new Float64Array(pixels.rows * pixels.columns), new Float64Array(pixels.rows * pixels.columns)];
  for (let i = 0; i < pixels.dark.length; i++) {
    const cell = cellAt(pixels, i);
    (total[cell] as number) += (pixels.dark[i] as number) * (pixels.weight[i] as number);
    (weights[cell] as number) += pixels.weight[i] as number;
  }
  return total.map((value, cell) => Number((value / (weights[cell] as number)).toFixed(3)));
}

function thresholded(pixels: Weighed, { threshold, share, brightness }: Options): Uint8Array {
  const { rows, columns } = pixels;
  const dark = darkness(pixels);
  const extent = (values: Float64Array) => values.reduce((a, b) => Math.max(a, b), 0) - values.reduce((a, b) => Math.min(a, b), 1);
  if (extent(dark) < BLANK) throw new OneShade();
  let black: boolean[];
  if (threshold === "otsu") {
    const least = otsu(dark) + brightness;
    black = Array.from(dark, (value) => value > least);
  } else if (threshold === "share") black = highest(dark, share);
  else {
    const around = blurred(dark, rows, columns, gaussian(Math.max(rows, columns) / NEIGHBOURHOODS));
    black = highest(dark.map((value, i) => value - (around[i] as number)), share);
  }
  return Uint8Array.from(dark, (value, i) => Number((black[i] || value >= 1 - BLANK) && value > BLANK));
}

/** Where the highest values are; their share is as near to the wanted one as ties allow. */
export function highest(values: Float64Array, share: number): boolean[] {
  const sorted = values.toSorted();
  const levels = [...new Set(sorted)];
  let best = levels[0] ?? 0;
  let gap = Infinity;
  let at = 0;
  for (const [k, level] of levels.entries()) {
    while (at < sorted.length && (sorted[at] as number) < level) at++;
    const off = Math.abs((values.length - at) / values.length - share);
    if ((k > 0 || levels.length === 1) && off < gap) [best, gap] = [level, off];
  }
  return Array.from(values, (value) => value >= best);
}

/** The shade that separates the others with the greatest variance between the two groups (Otsu 1979). */
export function otsu(dark: Float64Array): number {
  const counts = new Float64Array(256);
  for (const value of dark) (counts[Math.min(255, Math.floor(value * 256))] as number)++;
  const centre = (i: number) => (i + 0.5) / 256;
  const total = counts.reduce((all, count, i) => all + count * centre(i), 0);
  let [below, summed, best, at] = [0, 0, -1, 0];
  for (let i = 0; i < 255; i++) {
    below += counts[i] as number;
    summed += (counts[i] as number) * centre(i);
    const above = dark.length - below;
    const variance = below && above ? below * above * (summed / below - (total - summed) / above) ** 2 : 0;
    if (variance > best) [best, at] = [variance, i];
  }
  return (at + 1) / 256;
}

/** As many colours as a puzzle is to have: first the background, which most of the rim has, then the darkest. */
function coloursOf(pixels: Weighed, wanted: number): Colour[] {
  const { rows, columns, side, colours, isClear } = pixels;
  const found = groupsOf(colours, wanted + 1);
  if (new Set(found.map(({ colour }) => colour)).size < 2) throw new OneShade();
  const [height, width] = [rows * side, columns * side];
  const isRim = (i: number) => i < width || i >= width * (height - 1) || i % width === 0 || i % width === width - 1;
  const hasClear = isClear.includes(1);
  const labs = found.map(({ lab }) => lab);
  const ground = Array.from(colours.keys()).filter((i) => (hasClear ? isClear[i] : isRim(i)));
  const background = found[mostCommon(ground.map((i) => nearest(pixels.lab[i] as Lab, labs)))]?.colour ?? 0xffffff;
  const inks = [...new Set(found.map(({ colour }) => colour))].filter((colour) => colour !== background).sort((a, b) => sum(a) - sum(b) || a - b);
  return paletteOf([background, ...inks]);
}

/** The colour that most of what stands out in each cell has; transparent pixels are background. */
function voted(pixels: Weighed, palette: Colour[]): Uint8Array {
  const { rows, columns, colours, weight, isClear } = pixels;
  const labs = palette.map(({ rgb }) => {
    const value = Number.parseInt(rgb.slice(1), 16);
    return oklab(value >> 16, (value >> 8) & 255, value & 255);
  });
  const chosen = new Map<number, number>();
  const votes = new Float64Array(rows * columns * palette.length);
  for (let i = 0; i < colours.length; i++) {
    const colour = colours[i] as number;
    const own = chosen.get(colour) ?? (chosen.set(colour, nearest(pixels.lab[i] as Lab, labs)).get(colour) as number);
    (votes[cellAt(pixels, i) * palette.length + (isClear[i] ? 0 : own)] as number) += weight[i] as number;
  }
  return Uint8Array.from({ length: rows * columns }, (_, cell) => {
    const own = votes.subarray(cell * palette.length, (cell + 1) * palette.length);
    return own.indexOf(own.reduce((a, b) => Math.max(a, b)));
  });
}

/** The edges, and the darker half of the areas if both are asked for. */
function outlined(pixels: Weighed, areas: Uint8Array, { edges, colours }: Options): Uint8Array {
  const { rows, columns, side } = pixels;
  const dark = darkness(pixels);
  const isFine = side >= SMOOTH && !colours;
  let kept: boolean[];
  if (isFine) kept = highest(strengths(pixels), LINES);
  else {
    const clamp = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));
    kept = Array.from(areas, (own, i) => {
      const [row, column] = [Math.floor(i / columns), i % columns];
      const beside = [[row - 1, column], [row + 1, column], [row, column - 1], [row, column + 1]] as [number, number][];
      return own > 0 && beside.some(([r, c]) => areas[clamp(r, rows) * columns + clamp(c, columns)] !== own);
    });
  }
  if (edges === "both") {
    const half = areas.filter(Boolean).length / areas.length / 2;
    const darkest = highest(dark.map((value, i) => (areas[i] ? value : -1)), half);
    kept = kept.map((isKept, i) => isKept || (areas[i] !== 0 && darkest[i] === true));
  }
  const found = areas.map((own, i) => (kept[i] ? (isFine ? 1 : own) : 0));
  return found.some(Boolean) ? found : areas;
}

/** How much of an edge each cell is: the mean slope of the smoothed shades (Sobel). */
function strengths(pixels: Weighed): Float64Array {
  const { rows, columns, side, dark } = pixels;
  const [height, width] = [rows * side, columns * side];
  const smooth = blurred(dark, height, width, gaussian(Math.max(0.5, 0.35 * side)));
  const at = (row: number, column: number) => smooth[Math.max(0, Math.min(height - 1, row)) * width + Math.max(0, Math.min(width - 1, column))] as number;
  const total = new Float64Array(rows * columns);
  for (let i = 0; i < dark.length; i++) {
    const [r, c] = [Math.floor(i / width), i % width];
    const down = at(r + 1, c - 1) + 2 * at(r + 1, c) + at(r + 1, c + 1) - at(r - 1, c - 1) - 2 * at(r - 1, c) - at(r - 1, c + 1);
    const right = at(r - 1, c + 1) + 2 * at(r, c + 1) + at(r + 1, c + 1) - at(r - 1, c - 1) - 2 * at(r, c - 1) - at(r + 1, c - 1);
    (total[cellAt(pixels, i)] as number) += Math.hypot(down, right);
  }
  return total.map((value) => Number((value / side ** 2).toFixed(4)));
}
