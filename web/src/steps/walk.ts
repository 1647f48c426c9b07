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

/**
 * Returns for each block of a clue whether people would strike it out: only one place is left for it, and its cells
 * are decided.
 */
export function foundBlocks(clue: Block[], cells: string[], palette: Colour[]): boolean[] {
  const chars = palette.map(({ char }) => char);
  const room = roomAhead(clue, cells, chars);
  const roomBehind = roomAhead(clue.toReversed(), cells.toReversed(), chars);
  return clue.map(({ length, colour }, j) => {
    const char = chars[colour] ?? "";
    const starts: number[] = [];
    for (let start = 0; start + length <= cells.length; start++) {
      const isFree = room[j]?.[start] && roomBehind[clue.length - 1 - j]?.[cells.length - start - length];
      if (isFree && cells.slice(start, start + length).every((cell) => cell.includes(char))) starts.push(start);
    }
    const [start = 0] = starts;
    return starts.length === 1 && cells.slice(start, start + length).every((cell) => cell === char);
  });
}

/** For each block and position: whether the block can start there, as far as the cells and blocks before it say. */
function roomAhead(clue: Block[], cells: string[], chars: string[]): boolean[][] {
  const isBackground = cells.map((cell) => cell.includes(chars[0] ?? ""));
  const room: boolean[][] = [];
  // fits[i]: the blocks so far fit into the first i cells.
  let fits = [true, ...isBackground.map((_, i) => isBackground.slice(0, i + 1).every(Boolean))];
  clue.forEach(({ length, colour }, j) => {
    const isSame = clue[j - 1]?.colour === colour;
    const own = fits.map((fit, i) => (isSame ? i > 0 && !!isBackground[i - 1] && !!fits[i - 1] : fit));
    room.push(own);
    let run = 0;
    fits = new Array<boolean>(cells.length + 1).fill(false);
    for (let i = 1; i <= cells.length; i++) {
      run = cells[i - 1]?.includes(chars[colour] ?? "") ? run + 1 : 0;
      fits[i] = (!!isBackground[i - 1] && !!fits[i - 1]) || (run >= length && !!own[i - length]);
    }
  });
  return room;
}
