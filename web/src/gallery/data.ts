/** What Python writes into the page: one of three kinds. Cells are packed as `unpacked` reads them, the picture is an address with its content, `data:`. */

import { cluesOf, type Colour } from "../model/picture.ts";
import type { Puzzle } from "../player/puzzle.ts";
import { unpacked } from "../shared/data.ts";

/** What cells are of. */
export interface Grid {
  rows: number;
  columns: number;
  /** The background first. */
  palette: Colour[];
}

export const cellsOf = ({ rows, columns, palette }: Grid, cells: string): Uint8Array => unpacked(cells, 32 - Math.clz32(palette.length - 1), rows * columns);

/** What a player gets. */
export function puzzleOf(grid: Grid, cells: string, title: string): Puzzle {
  const { rows, columns, palette } = grid;
  return { title, author: "", licence: "", palette, clues: cluesOf({ title, rows, columns, palette, cells: cellsOf(grid, cells) }) };
}

/** A cell, its row and column counted from 0. */
export type Place = [row: number, column: number];

/** `nonocsp generate` without a look: renderings of a picture to choose from. */
export interface Sheet {
  kind: "sheet";
  name: string;
  picture: string;
  entries: Entry[];
}

export interface Entry extends Grid {
  look: string;
  /** Before any change, and the puzzle's solution. */
  prepared: string;
  puzzle: string;
  changes: Place[];
  likeness: number;
  level: string | null;
  class: string;
  /** What makes the puzzle again. */
  command: string;
}

/** `nonocsp generate --output gallery.html`: how puzzles came out of a picture. */
export interface Made extends Grid {
  kind: "made";
  name: string;
  /** From the picture to the grid: what each image is, and its cells; of the picture its address. */
  stages: [Stage, string][];
  puzzles: MadePuzzle[];
}

export type Stage = "picture" | "thresholded" | "colours" | "edges" | "filled";

export interface MadePuzzle {
  title: string;
  cells: string;
  /** Its sweeps; for a puzzle that is not simple, its class. */
  grade: number | string;
  isWanted: boolean;
  changes: Place[];
  /** The simple puzzles of its variations, from itself on: changed cells, sweeps, cells. */
  curve: [depth: number, sweeps: number, cells: string][];
  isVaried: boolean;
}

/** `nonocsp generate --pack`: the contents of a folder. */
export interface Pack {
  kind: "pack";
  /** The backends that found each puzzle to be unique. */
  certifiers: string[];
  puzzles: Packed[];
}

export interface Packed extends Grid {
  title: string;
  /** Paths from the page to the file of the puzzle and to its page to print. */
  file: string;
  page: string;
  level: string;
  sweeps: number;
  cells: string;
}

export type Data = Sheet | Made | Pack;
