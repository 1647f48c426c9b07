/** What Python writes into the page: one of four kinds. Pictures are addresses with their content, `data:`. */

/** A cell, its row and column counted from 0. */
export type Place = [row: number, column: number];

/** `nonocsp generate` without a look: renderings of a picture to choose from. */
export interface Sheet {
  kind: "sheet";
  name: string;
  picture: string;
  entries: Entry[];
}

export interface Entry {
  look: string;
  /** Before any change, and the puzzle's solution. */
  prepared: string;
  puzzle: string;
  changes: Place[];
  rows: number;
  columns: number;
  colours: number;
  likeness: number;
  level: string | null;
  class: string;
  /** What makes the puzzle again. */
  command: string;
}

/** `nonocsp generate --output gallery.html`: how puzzles came out of a picture. */
export interface Made {
  kind: "made";
  name: string;
  rows: number;
  columns: number;
  /** Names of the colours, the background first. */
  colours: string[];
  /** From the picture to the grid: what each image is, and the image. */
  stages: [Stage, string][];
  puzzles: MadePuzzle[];
}

export type Stage = "picture" | "thresholded" | "colours" | "edges" | "filled";

export interface MadePuzzle {
  title: string;
  image: string;
  /** Its sweeps; for a puzzle that is not simple, its class. */
  grade: number | string;
  isWanted: boolean;
  changes: Place[];
  /** The simple puzzles of its variations, from itself on: changed cells, sweeps, image. */
  curve: [depth: number, sweeps: number, image: string][];
  isVaried: boolean;
}

/** `nonocsp generate --pack`: the contents of a folder. */
export interface Pack {
  kind: "pack";
  /** The backends that found each puzzle to be unique. */
  certifiers: string[];
  /** The page to play them; missing if one is too large for it. */
  play?: string;
  puzzles: Packed[];
}

export interface Packed {
  title: string;
  /** Paths from the page to the file of the puzzle and to its page to print. */
  file: string;
  page: string;
  level: string;
  rows: number;
  columns: number;
  colours: number;
  sweeps: number;
  image: string;
}

/** `python -m tools.benchmarks pictures --page`: pictures beside their puzzles, with figures. */
export interface Compared {
  kind: "compared";
  title: string;
  summary: string[];
  groups: { heading: string; entries: ComparedEntry[] }[];
}

export interface ComparedEntry {
  name: string;
  about: string;
  isSmooth: boolean;
  rows: number;
  columns: number;
  picture: string;
  prepared: string;
  puzzle: string;
  changes: Place[];
  facts: [what: string, value: string][];
  /** What an author would object to; empty if nothing. */
  remark: string;
}

export type Data = Sheet | Made | Pack | Compared;
