/**
 * The steps of an explanation, much as `nonocsp explain --json` prints them, and what the grid is after each. The
 * candidates of a cell are a string of the characters of its possible colours.
 */

import type { Clues } from "../core/module.ts";
import type { Step as Told } from "../core/words.ts";
import type { Colour } from "../model/picture.ts";

/** A puzzle to be explained: its clues alone. */
export interface Puzzle {
  palette: Colour[];
  clues: Clues;
}

/** A step in words, with a title of its technique and line; methods of machines have no grade. */
export type Step = Omit<Told, "step" | "technique" | "grade"> & Partial<Pick<Told, "technique" | "grade">> & { title: string };

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

/** Places of the steps of the highest grade; none if all have the same. */
export function hardest(steps: Step[]): number[] {
  const grade = Math.max(0, ...steps.map((step) => step.grade ?? 0));
  return steps.every((step) => step.grade === grade) ? [] : steps.flatMap((step, place) => (step.grade === grade ? [place] : []));
}
