/**
 * Find a puzzle in a table (`nonocsp.formats.layout`): the clues of the columns above a grid, those of the rows to its left,
 * an empty corner or the title in it. Every line must have its clue: of an empty cell nobody can tell whether it is an empty
 * clue or the edge. Marks in the grid are the goal if they have these clues.
 */

import type { Block } from "../../core/module.ts";
import { FileError, MAX_LINES, plain, type Puzzle, puzzleOf } from "./puzzle.ts";
import type { Source } from "./source.ts";

export const EXPECTED = "column clues above a grid, row clues to its left, an empty corner, 0 for an empty clue";
const LENGTHS = /^[0-9]{1,9}(?:[\s,;]+[0-9]{1,9})*$/;
const DOTS = ".-_·";
/** Marks that people put into empty cells; a cross may also be a filled one. */
const CROSSES = `${DOTS}xX×✗`;

/** Where the grid starts in a table without empty edges. */
export interface Layout {
  top: number;
  left: number;
  lengths: number[][][];
  texts: string[][];
}

const numbers = (text: string): number[] => (LENGTHS.test(text) ? text.split(/[\s,;]+/).map(Number) : []);

/** Every way to see clues around a grid in a table, whatever the clues say. */
export function* layouts(table: string[][]): Generator<Layout> {
  const texts = withoutEdges(table);
  const lengths = texts.map((row) => row.map(numbers));
  const filled = lengths.map((row) => row.flatMap((found, j) => (found.length ? [j] : [])));
  const width = texts[0]?.length ?? 0;
  const below = Array<number>(texts.length + 1).fill(-1);
  for (let i = texts.length - 1; i >= 0; i--) below[i] = Math.max(below[i + 1] as number, filled[i]?.at(-1) ?? -1);
  const firstEmpty = filled.findLastIndex((row) => !row.length);
  let above = width;
  for (let top = 1; top < texts.length; top++) {
    above = Math.min(above, filled[top - 1]?.[0] ?? width);
    const most = above;
    if (!((below[top] as number) < most && most < width) || firstEmpty >= top) continue;
    const isClean = (rows: number[], part: (row: string[]) => [number, string][]) => rows.every((i) => part(texts[i] as string[]).every(([j, text]) => !text || lengths[i]?.[j]?.length));
    const all = texts.map((_, i) => i);
    const cells = (from: number, to: number) => (row: string[]) => row.slice(from, to).map((text, j): [number, string] => [from + j, text]);
    const columns = new Set(filled.slice(0, top).flat());
    if (columns.size === width - most && isClean(all.slice(0, top), cells(most, width)) && isClean(all.slice(top), cells(0, most))) yield { top, left: most, lengths, texts };
  }
}

/** The puzzle of a table; a FileError if there is none, or if there are several ways to see one. */
export function puzzleOfTable(source: Source, table: string[][]): Puzzle {
  const found: Puzzle[] = [];
  let fault: FileError | undefined;
  for (const layout of layouts(table)) {
    try {
      found.push(readLayout(source, layout));
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      fault = error;
    }
  }
  if (found.length > 1) throw source.error("the table can be divided in several ways", { expected: EXPECTED });
  if (!found[0]) throw fault ?? source.error("no clues around a grid", { expected: EXPECTED });
  return found[0];
}

/** The rows of a table with the puzzle: one length a cell, next to the grid; the goal as `#`. */
export function tableOf({ rows, columns, title, goal }: Puzzle): (string | number)[][] {
  const [across, down] = [rows, columns].map((clues) => clues.map((clue) => (clue.length ? clue.map(({ length }) => length) : [0]))) as [number[][], number[][]];
  const [left, top] = [across, down].map((clues) => Math.max(...clues.map(({ length }) => length))) as [number, number];
  const blank = (count: number) => Array<string>(count).fill("");
  const heads = Array.from({ length: top }, (_, i) => [i ? "" : title, ...blank(left - 1), ...down.map((clue) => clue[i - top + clue.length] ?? "")]);
  return [...heads, ...across.map((clue, i) => [...blank(left - clue.length), ...clue, ...columns.map((_, j) => (goal?.[i * columns.length + j] ? "#" : ""))])];
}

/** The texts without empty edges, all rows of one length. */
function withoutEdges(table: string[][]): string[][] {
  const width = table.reduce((most, { length }) => Math.max(most, length), 0);
  const full = table.map((row) => Array.from({ length: width }, (_, j) => row[j]?.trim() ?? ""));
  const isUsed = (row: string[]) => row.some(Boolean);
  const top = full.findIndex(isUsed);
  if (top < 0) return [];
  const inner = full.slice(top, full.findLastIndex(isUsed) + 1);
  const used = Array.from({ length: width }, (_, j) => inner.some((row) => row[j]));
  return inner.map((row) => row.slice(used.indexOf(true), used.lastIndexOf(true) + 1));
}

function readLayout(source: Source, { top, left, lengths, texts }: Layout): Puzzle {
  const [height, width] = [texts.length - top, (texts[0]?.length ?? 0) - left];
  if (Math.max(height, width) > MAX_LINES) throw new FileError(`${height} rows and ${width} columns; at most ${MAX_LINES}`);
  const rows = lengths.slice(top).map((row) => clueOf(row.slice(0, left)));
  const columns = Array.from({ length: width }, (_, j) => clueOf(lengths.slice(0, top).map((row) => row[left + j] ?? [])));
  const title = texts.slice(0, top).flatMap((row) => row.slice(0, left)).filter(Boolean).map((text) => text.replace(/^'/, "")).join(" ");
  const marks = texts.slice(top).flatMap((row) => row.slice(left));
  const puzzle = puzzleOf({ rows, columns, title });
  if (!marks.some(Boolean)) return puzzle;
  for (const ignored of [DOTS, CROSSES]) {
    try {
      return puzzleOf({ ...puzzle, goal: Uint8Array.from(marks, (mark) => Number(Boolean(mark) && !ignored.includes(mark))) });
    } catch {
      // The marks mean something else.
    }
  }
  source.note("the marks in the grid are no solution of the clues and are left out");
  return puzzle;
}

/** The clue of a line; zeros at its ends fill up cells that it does not need. */
function clueOf(cells: number[][]): Block[] {
  const found = cells.flat();
  const first = found.findIndex(Boolean);
  return first < 0 ? [] : plain(found.slice(first, found.findLastIndex(Boolean) + 1));
}
