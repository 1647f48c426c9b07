/**
 * Find a puzzle in a table (`nonocsp.formats.layout`): the clues of the columns above a grid, those of the rows to its left,
 * an empty corner or the title in it. Every line must have its clue: of an empty cell nobody can tell whether it is an empty
 * clue or the edge. Marks in the grid are the goal if they have these clues.
 */

import type { Block } from "../../core/module.ts";
import { FileError, MAX_LINES, plain, type Puzzle, puzzleOf } from "./puzzle.ts";
import type { Source } from "./source.ts";

export const EXPECTED = "column clues above a grid, row clues to its left, an empty corner, 0 for an empty clue";
const LENGTHS = /^(?:[0-9]{1,9}(?:[\s,;]+[0-9]{1,9})*|[0-9]{1,9}([-–./|+])[0-9]{1,9}(?:\1[0-9]{1,9})*)$/;
const DOTS = ".-_·";
/** Marks that people put into empty cells; a cross may also be a filled one. */
const CROSSES = `${DOTS}xX×✗`;
/** Ways to see clues around a grid whose puzzle is looked at; people's tables have one or two. */
const MOST_LAYOUTS = 8;
export const MOST_CELLS = 1 << 20;

/** Where the grid starts in a table without empty edges. */
export interface Layout {
  top: number;
  left: number;
  lengths: number[][][];
  texts: string[][];
}

const numbers = (text: string): number[] => (LENGTHS.test(text) ? text.split(/[\s,;–./|+-]+/).map(Number) : []);

/**
 * Every way to see clues around a grid in a table, whatever the clues say; a FileError if the table is too large. Takes time
 * in proportion to the cells. Rows from `top` on have all their numbers left of column `left`, and the rows before have all
 * theirs from there on, one at least in each column.
 */
export function* layouts(table: string[][]): Generator<Layout> {
  const texts = withoutEdges(table);
  const lengths = texts.map((row) => row.map(numbers));
  const width = texts[0]?.length ?? 0;
  const filled = lengths.map((row) => row.flatMap((found, j) => (found.length ? [j] : [])));
  const notes = texts.map((row, i) => row.flatMap((text, j) => (text && !lengths[i]?.[j]?.length ? [j] : [])));
  const lastNumber = fromTheEnd(filled.map((own) => own.at(-1) ?? -1), Math.max);
  const firstNote = fromTheEnd(notes.map((own) => own[0] ?? width), Math.min);
  const firstTop = filled.findLastIndex((own) => !own.length) + 1;
  const columns = new Set<number>();
  let [left, lastNote] = [width, -1];
  for (let top = 1; top < texts.length; top++) {
    left = Math.min(left, filled[top - 1]?.[0] ?? width);
    lastNote = Math.max(lastNote, notes[top - 1]?.at(-1) ?? -1);
    for (const j of filled[top - 1] ?? []) columns.add(j);
    const isClean = lastNote < left && left <= (firstNote[top] as number);
    if (top >= firstTop && (lastNumber[top] as number) < left && isClean && columns.size && columns.size === width - left) yield { top, left, lengths, texts };
  }
}

/** Whether there are clues around a grid, in a table that is not too large. */
export function hasLayout(table: string[][]): boolean {
  try {
    return !layouts(table).next().done;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return false;
  }
}

/** The puzzle of a table; a FileError if there is none, or if there are several ways to see one. */
export function puzzleOfTable(source: Source, table: string[][]): Puzzle {
  const found: Puzzle[] = [];
  let fault: FileError | undefined;
  let tried = 0;
  for (const layout of layouts(table)) {
    try {
      found.push(readLayout(source, layout));
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      fault = error;
    }
    if (found.length > 1) throw source.error("the table can be divided in several ways", { expected: EXPECTED });
    if (++tried === MOST_LAYOUTS) break;
  }
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

/** The texts without empty edges, all rows of one length; a FileError if they are too many. */
function withoutEdges(table: string[][]): string[][] {
  const texts = table.map((row) => row.map((cell) => cell.trim()));
  const isUsed = (row: string[]) => row.some(Boolean);
  const top = texts.findIndex(isUsed);
  if (top < 0) return [];
  const inner = texts.slice(top, texts.findLastIndex(isUsed) + 1);
  let [first, end] = [Number.POSITIVE_INFINITY, 0];
  for (const row of inner.filter(isUsed)) {
    first = Math.min(first, row.findIndex(Boolean));
    end = Math.max(end, row.findLastIndex(Boolean) + 1);
  }
  if (inner.length * (end - first) > MOST_CELLS) throw new FileError(`a table of ${inner.length} rows and ${end - first} columns; at most ${MOST_CELLS} cells`);
  return inner.map((row) => Array.from({ length: end - first }, (_, j) => row[first + j] ?? ""));
}

/** The best of each value and those behind it. */
function fromTheEnd(values: number[], best: (one: number, other: number) => number): number[] {
  const found = [...values];
  for (let i = found.length - 2; i >= 0; i--) found[i] = best(found[i] as number, found[i + 1] as number);
  return found;
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
