/** The picture that an author draws. Every change returns a new picture; cells are colours row by row. */

import type { Block, Clues, Drawing } from "../core/module.ts";

export interface Colour {
  name: string;
  /** As in CSS: `#rrggbb`. */
  rgb: string;
  /** The character in text files. */
  char: string;
}

export interface Picture {
  title: string;
  /** What the file said beside the title; it goes into the files that are saved. */
  author?: string;
  licence?: string;
  source?: string;
  /** The background first. */
  palette: Colour[];
  rows: number;
  columns: number;
  cells: Uint8Array;
}

export interface Cell {
  row: number;
  column: number;
}

export type Mirror = "none" | "left-right" | "top-bottom" | "both";
export type Direction = "up" | "down" | "left" | "right";
/** Left becomes right, top becomes bottom, or a quarter turn. */
export type Turn = "across" | "over" | "left" | "right";

export const MOST_LINES = 100;
export const MOST_COLOURS = 10;

export const WHITE: Colour = { name: "white", rgb: "#ffffff", char: "." };
/** The colours that an author can add, in this order; those of nonocsp's own palettes. */
export const INKS: Colour[] = [
  { name: "black", rgb: "#000000", char: "#" },
  { name: "red", rgb: "#d7191c", char: "a" },
  { name: "blue", rgb: "#2c7bb6", char: "b" },
  { name: "green", rgb: "#1a9641", char: "c" },
  { name: "yellow", rgb: "#fee08b", char: "d" },
  { name: "purple", rgb: "#7b3294", char: "e" },
  { name: "brown", rgb: "#8c510a", char: "f" },
  { name: "orange", rgb: "#f46d43", char: "g" },
  { name: "pink", rgb: "#f1a7c5", char: "h" },
];

/** Black on white, which turns around in the dark. */
export const isPlain = (palette: Colour[]): boolean => palette.length === 2 && palette[0]?.rgb === "#ffffff" && palette[1]?.rgb === "#000000";

export function blank(rows: number, columns: number): Picture {
  return { title: "", palette: [WHITE, INKS[0] as Colour], rows, columns, cells: new Uint8Array(rows * columns) };
}

export function at({ columns, cells }: Picture, { row, column }: Cell): number {
  return cells[row * columns + column] ?? 0;
}

export function isInside({ rows, columns }: Picture, { row, column }: Cell): boolean {
  return row >= 0 && column >= 0 && row < rows && column < columns;
}

/** Gives cells a colour, and those opposite to them if a mirror is on; the same picture if nothing changes. */
export function paint(picture: Picture, places: Cell[], colour: number, mirror: Mirror = "none"): Picture {
  const cells = picture.cells.slice();
  for (const place of places)
    for (const cell of mirrored(picture, place, mirror))
      if (isInside(picture, cell)) cells[cell.row * picture.columns + cell.column] = colour;
  return cells.every((value, i) => value === picture.cells[i]) ? picture : { ...picture, cells };
}

function mirrored({ rows, columns }: Picture, { row, column }: Cell, mirror: Mirror): Cell[] {
  const [across, down] = [columns - 1 - column, rows - 1 - row];
  if (mirror === "left-right") return [{ row, column }, { row, column: across }];
  if (mirror === "top-bottom") return [{ row, column }, { row: down, column }];
  if (mirror === "none") return [{ row, column }];
  return [row, down].flatMap((r) => [column, across].map((c) => ({ row: r, column: c })));
}

/** The cells of one colour that hang together with a cell by their sides. */
export function patch(picture: Picture, start: Cell): Cell[] {
  const colour = at(picture, start);
  const seen = new Set([start.row * picture.columns + start.column]);
  const found = [start];
  for (const { row, column } of found)
    for (const [down, right] of [[-1, 0], [1, 0], [0, -1], [0, 1]] as const) {
      const next = { row: row + down, column: column + right };
      const key = next.row * picture.columns + next.column;
      if (!isInside(picture, next) || seen.has(key) || at(picture, next) !== colour) continue;
      seen.add(key);
      found.push(next);
    }
  return found;
}

/** The cells between two cells, both included (Bresenham 1965). */
export function line(from: Cell, to: Cell): Cell[] {
  const steps = Math.max(Math.abs(to.row - from.row), Math.abs(to.column - from.column));
  return Array.from({ length: steps + 1 }, (_, i) => ({
    row: Math.round(from.row + ((to.row - from.row) * i) / (steps || 1)),
    column: Math.round(from.column + ((to.column - from.column) * i) / (steps || 1)),
  }));
}

/** A picture of a size whose cells come from another one; background where that has none. */
function arranged(picture: Picture, rows: number, columns: number, from: (row: number, column: number) => [row: number, column: number]): Picture {
  const cells = Uint8Array.from({ length: rows * columns }, (_, i) => {
    const [row, column] = from(Math.floor(i / columns), i % columns);
    return isInside(picture, { row, column }) ? at(picture, { row, column }) : 0;
  });
  return { ...picture, rows, columns, cells };
}

/** Moves everything by a cell; what leaves the picture comes in at the other side. */
export function shift(picture: Picture, direction: Direction): Picture {
  const [down, right] = { up: [-1, 0], down: [1, 0], left: [0, -1], right: [0, 1] }[direction] as [number, number];
  const { rows, columns } = picture;
  return arranged(picture, rows, columns, (row, column) => [(row - down + rows) % rows, (column - right + columns) % columns]);
}

/** Adds or cuts rows at the bottom and columns at the right. */
export const resize = (picture: Picture, rows: number, columns: number): Picture => arranged(picture, rows, columns, (row, column) => [row, column]);

/** Flips a picture, or turns it by a quarter. */
export function turn(picture: Picture, how: Turn): Picture {
  const { rows, columns } = picture;
  if (how === "across") return arranged(picture, rows, columns, (row, column) => [row, columns - 1 - column]);
  if (how === "over") return arranged(picture, rows, columns, (row, column) => [rows - 1 - row, column]);
  return arranged(picture, columns, rows, how === "right" ? (row, column) => [rows - 1 - column, row] : (row, column) => [column, columns - 1 - row]);
}

export function addColour(picture: Picture): Picture {
  const next = INKS.find((ink) => !picture.palette.some(({ name, char }) => name === ink.name || char === ink.char));
  return next && picture.palette.length < MOST_COLOURS ? { ...picture, palette: [...picture.palette, next] } : picture;
}

/** Gives the cells of a colour another one, the background to remove them, and takes it out of the palette. */
export function mergeColour(picture: Picture, from: number, into: number): Picture {
  const moved = (colour: number) => (colour > from ? colour - 1 : colour);
  return { ...picture, palette: picture.palette.toSpliced(from, 1), cells: picture.cells.map((cell) => moved(cell === from ? into : cell)) };
}

export function renameColour(picture: Picture, index: number, change: Partial<Colour>): Picture {
  return { ...picture, palette: picture.palette.map((colour, i) => (i === index ? { ...colour, ...change } : colour)) };
}

/** What the core judges of a picture. */
export const drawingOf = ({ rows, columns, palette, cells }: Picture): Drawing => ({ rows, columns, colours: palette.length, cells });

/** The clues of all lines. */
export function cluesOf({ rows, columns, palette, cells }: Picture): Clues {
  const blocks = (start: number, step: number, end: number): Block[] => {
    const found: Block[] = [];
    let before = 0;
    for (let place = start; place < end; place += step) {
      const colour = cells[place] as number;
      const last = found[found.length - 1];
      if (colour && colour === before && last) last.length++;
      else if (colour) found.push({ length: 1, colour });
      before = colour;
    }
    return found;
  };
  return {
    colours: palette.length,
    rows: Array.from({ length: rows }, (_, row) => blocks(row * columns, 1, (row + 1) * columns)),
    columns: Array.from({ length: columns }, (_, column) => blocks(column, columns, cells.length)),
  };
}
