/** A puzzle as files hold it, and the checks that every reader shares (`nonocsp.model.Puzzle`). */

import type { Block } from "../../core/module.ts";
import { type Colour, cluesOf, WHITE } from "../picture.ts";

/** Rows, and columns, that a file may have; what is shown has fewer. */
export const MAX_LINES = 4096;
/** Colours beside the background. */
export const MAX_COLOURS = 63;

export interface Place {
  file?: string;
  line?: number;
  column?: number;
  /** What would have been right, as a phrase. */
  expected?: string;
}

/** A file that is no puzzle; the message names the place and what was expected. */
export class FileError extends Error {
  readonly fault: string;
  readonly place: Place;
  /** The clues that contradict each other, if that is the fault. */
  draft?: Draft;

  constructor(fault: string, place: Place = {}) {
    const { file, line, column, expected } = place;
    const where = [file, line || undefined, line && column ? column : undefined].filter((part) => part !== undefined && part !== "");
    super(`${where.length ? `${typeof where[0] === "number" ? "line " : ""}${where.join(":")}: ` : ""}${fault}${expected ? `; expected ${expected}` : ""}`);
    this.fault = fault;
    this.place = place;
  }

  /** The same error with what is known further out, such as the name of the file. */
  within(place: Place): FileError {
    return Object.assign(new FileError(this.fault, { ...place, ...this.place }), { draft: this.draft });
  }
}

export const TEXTS = ["title", "author", "licence", "source"] as const;
export type Texts = { [key in (typeof TEXTS)[number]]: string };

export interface Puzzle extends Texts {
  /** The background first. */
  palette: Colour[];
  rows: Block[][];
  columns: Block[][];
  /** The solution that came with the puzzle, row by row. */
  goal?: Uint8Array;
}

/** Clues that may describe no puzzle. */
export type Draft = Pick<Puzzle, "palette" | "rows" | "columns">;

export const BLACK: Colour = { name: "black", rgb: "#000000", char: "#" };
export const BLACK_AND_WHITE: Colour[] = [WHITE, BLACK];

export const isOneColour = ({ palette }: Pick<Puzzle, "palette">): boolean => palette.length === 2;

/** The blocks of a clue in one colour. */
export const plain = (lengths: readonly number[]): Block[] => lengths.map((length) => ({ length, colour: 1 }));

export const isPrintable = (char: string): boolean => char === " " || /^[^\p{C}\p{Z}]$/u.test(char);

type Given = Pick<Puzzle, "rows" | "columns"> & Partial<Puzzle>;

/** Returns the puzzle with these clues; a FileError says which line describes none. */
export function puzzleOf({ rows, columns, palette = BLACK_AND_WHITE, goal, ...texts }: Given): Puzzle {
  for (const [what, clues] of [["rows", rows], ["columns", columns]] as const)
    if (clues.length < 1 || clues.length > MAX_LINES) throw new FileError(`a puzzle has 1 to ${MAX_LINES} ${what}, not ${clues.length}`);
  checkPalette(palette);
  try {
    checkClues(rows, "row", columns.length, palette);
    checkClues(columns, "column", rows.length, palette);
    checkSums(rows, columns, palette);
  } catch (error) {
    throw error instanceof FileError ? Object.assign(error, { draft: { rows, columns, palette } }) : error;
  }
  const puzzle: Puzzle = { title: "", author: "", licence: "", source: "", ...texts, palette, rows, columns };
  if (!goal) return puzzle;
  checkGoal(puzzle, goal);
  return { ...puzzle, goal };
}

/** Returns the puzzle that a grid is the solution of. */
export function puzzleOfGrid(grid: number[][], rest: Partial<Puzzle> = {}): Puzzle {
  const [rows, columns] = [grid.length, grid[0]?.length ?? 0];
  if (!rows || !columns || Math.max(rows, columns) > MAX_LINES) throw new FileError(`a picture of ${rows}x${columns} cells`, { expected: `1x1 to ${MAX_LINES}x${MAX_LINES}` });
  const goal = Uint8Array.from(grid.flat());
  const { palette = BLACK_AND_WHITE } = rest;
  const clues = cluesOf({ title: "", palette, rows, columns, cells: goal });
  return puzzleOf({ ...rest, palette, rows: clues.rows, columns: clues.columns, goal });
}

/** A text that is the same for puzzles with the same clues, whatever their colours are called. */
export function clueKey({ rows, columns }: Puzzle): string {
  const numbers = new Map<number, number>();
  const number = (colour: number) => numbers.get(colour) ?? numbers.set(colour, numbers.size).size - 1;
  const side = (clues: Block[][]) => clues.map((clue) => clue.map(({ length, colour }) => `${length}:${number(colour)}`).join(" ")).join("|");
  return `${side(rows)}/${side(columns)}`;
}

/** The clue for people: lengths, with the names of colours if there are several. */
export function clueText(clue: Block[], palette: Colour[]): string {
  return clue.map(({ length, colour }) => (palette.length > 2 ? `${length} ${palette[colour]?.name}` : length)).join(" ") || "0";
}

function checkPalette(palette: Colour[]): void {
  if (palette.length < 2 || palette.length > MAX_COLOURS + 1)
    throw new FileError(`a palette has a background and 1 to ${MAX_COLOURS} colours, not ${palette.length - 1}`);
  for (const [what, key] of [["name", "name"], ["character", "char"]] as const) {
    const values = palette.map((colour) => colour[key]);
    const twice = values.find((value, i) => values.indexOf(value) < i);
    if (twice !== undefined) throw new FileError(`two colours of the palette share the ${what} '${twice}'`);
  }
  for (const { name, rgb, char } of palette) {
    if ([...char].length !== 1 || !isPrintable(char) || char === "?")
      throw new FileError(`colour '${name}': '${char}' is not one printable character other than '?'`);
    if (!/^#[0-9a-f]{6}$/.test(rgb)) throw new FileError(`colour '${name}': '${rgb}' is not of the form #rrggbb`);
  }
}

function checkClues(clues: Block[][], axis: string, cells: number, palette: Colour[]): void {
  for (const [i, clue] of clues.entries()) {
    let needs = 0;
    for (const [k, { length, colour }] of clue.entries()) {
      if (length < 1) throw new FileError(`${axis} ${i + 1}: a block has at least one cell, not ${length}`);
      if (colour < 1 || colour >= palette.length) throw new FileError(`${axis} ${i + 1}: unknown colour ${colour}`);
      needs += length + (k > 0 && clue[k - 1]?.colour === colour ? 1 : 0);
    }
    if (needs > cells) {
      const text = clueText(clue, palette);
      const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
      throw new FileError(`${axis} ${i + 1}: the clue ${shown} needs ${needs} cells, the line has ${cells}`);
    }
  }
}

function checkSums(rows: Block[][], columns: Block[][], palette: Colour[]): void {
  const sums = (clues: Block[][], colour: number) => clues.flat().reduce((sum, block) => sum + (block.colour === colour ? block.length : 0), 0);
  for (const [i, colour] of palette.entries()) {
    const [across, down] = [sums(rows, i), sums(columns, i)];
    if (across !== down) throw new FileError(`the rows have ${across} ${colour.name} cells and the columns ${down}; both must be the same`);
  }
}

function checkGoal({ rows, columns, palette }: Puzzle, goal: Uint8Array): void {
  const shape = [rows.length, columns.length] as const;
  if (goal.length !== shape[0] * shape[1]) throw new FileError(`the solution has ${goal.length} cells, the puzzle ${shape[0]}x${shape[1]}`);
  const own = cluesOf({ title: "", palette, rows: shape[0], columns: shape[1], cells: goal });
  for (const [axis, mine, theirs] of [["row", rows, own.rows], ["column", columns, own.columns]] as const)
    for (const [i, clue] of mine.entries())
      if (clueText(clue, palette) !== clueText(theirs[i] ?? [], palette)) throw new FileError(`${axis} ${i + 1}: the stored solution does not have this clue`);
}
