/**
 * The steps of an explanation, much as `nonocsp explain --json` prints them, and what the grid is after each. The
 * candidates of a cell are a string of the characters of its possible colours.
 */

import type { Block, Clues } from "../core/module.ts";
import type { Colour } from "../model/picture.ts";

/** A puzzle to be explained: its clues alone. */
export interface Puzzle {
  palette: Colour[];
  clues: Clues;
}

export interface Step {
  technique?: string;
  /** How hard the technique is for people, 1 to 5; missing for methods of machines. */
  grade?: number;
  /** Such as `row 3`, counted from 1; none for a step that looks at the whole grid. */
  line?: string;
  /** The blocks of the line's clue that the reason names, counted from 1. */
  blocks?: number[];
  /** The cells that it decides or narrows, rows and columns counted from 1. */
  cells: { row: number; column: number; candidates: string }[];
  /** The technique and its line, and why with what follows, in words. */
  title: string;
  text: string;
}

/** The candidates of each cell, row by row, before the first step. */
export function emptyGrid({ palette, clues }: Puzzle): string[] {
  const all = palette.map(({ char }) => char).join("");
  return new Array<string>(clues.rows.length * clues.columns.length).fill(all);
}

/** Returns the grid after the first `count` steps. */
export function gridAfter(start: string[], steps: Step[], count: number, columns: number): string[] {
  const grid = start.slice();
  for (const { cells } of steps.slice(0, count))
    for (const { row, column, candidates } of cells) grid[(row - 1) * columns + column - 1] = candidates;
  return grid;
}

/** Places of the steps of the highest grade. */
export function hardest(steps: Step[]): number[] {
  const grade = Math.max(0, ...steps.map((step) => step.grade ?? 0));
  return steps.flatMap((step, place) => (step.grade === grade ? [place] : []));
}
