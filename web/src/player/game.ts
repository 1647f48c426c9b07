/** The rules of play: marks, lines that agree with their clue, lines that no placement fits. */

import { type Axis, type Line, lineCells, OPEN } from "../board/lines.ts";
import type { Block, Clues } from "../core/module.ts";
import type { Cell } from "../model/picture.ts";

export const CROSS = 0;

/** Whether the filled cells are the clue; open cells count as background. */
export function agrees(blocks: Block[], cells: number[]): boolean {
  const filled = runsOf(cells).filter(({ colour }) => colour !== OPEN && colour !== CROSS);
  return filled.length === blocks.length && filled.every((run, i) => isBlock(run, blocks[i]));
}

const isBlock = (run: Block, block: Block | undefined) => run.length === block?.length && run.colour === block.colour;

/** The runs of equal cells. */
function runsOf(cells: number[]): Block[] {
  const runs: Block[] = [];
  for (const colour of cells) {
    const last = runs.at(-1);
    if (last?.colour === colour) last.length++;
    else runs.push({ length: 1, colour });
  }
  return runs;
}

/** How many lines are their clue. */
export function finished({ rows, columns }: Clues, cells: Uint8Array): number {
  const agree = (axis: Axis) => (blocks: Block[], index: number) => agrees(blocks, lineCells(cells, { axis, index }, columns.length));
  return rows.filter(agree("row")).length + columns.filter(agree("column")).length;
}

/** Whether some placement of the blocks fits the marks of a line. */
export function fits(blocks: Block[], cells: number[]): boolean {
  const canBeEmpty = (i: number) => cells[i] === OPEN || cells[i] === CROSS;
  // before[i]: the blocks so far fit into the first i cells.
  let before = new Uint8Array(cells.length + 1);
  before[0] = 1;
  for (let i = 0; i < cells.length; i++) before[i + 1] = before[i] && canBeEmpty(i) ? 1 : 0;
  let last = 0;
  for (const { length, colour } of blocks) {
    const next = new Uint8Array(cells.length + 1);
    let room = 0;
    for (let i = 0; i < cells.length; i++) {
      room = cells[i] === OPEN || cells[i] === colour ? room + 1 : 0;
      const start = i + 1 - length;
      const gap = colour === last ? start > 0 && before[start - 1] && canBeEmpty(start - 1) : before[start];
      next[i + 1] = (next[i] && canBeEmpty(i)) || (room >= length && gap) ? 1 : 0;
    }
    before = next;
    last = colour;
  }
  return before[cells.length] === 1;
}

/** The blocks to strike out: all of a clue that agrees, else those that are complete from an end inwards. */
export function foundBlocks(blocks: Block[], cells: number[]): boolean[] {
  if (agrees(blocks, cells)) return blocks.map(() => true);
  const fromStart = (clue: Block[], line: number[]): number => {
    let found = 0;
    const runs = runsOf(line);
    for (const [i, run] of runs.entries()) {
      if (run.colour === CROSS) continue;
      if (run.colour === OPEN || runs[i + 1]?.colour === OPEN || !isBlock(run, clue[found])) break;
      found++;
    }
    return found;
  };
  const first = fromStart(blocks, cells);
  const last = blocks.length - fromStart(blocks.toReversed(), cells.toReversed());
  return blocks.map((_, i) => i < first || i >= last);
}

/** Crosses out the open cells of the lines that agree with their clue; the same array if there are none. */
export function crossedOut({ rows, columns }: Clues, cells: Uint8Array): Uint8Array {
  const done = (axis: Axis, side: Block[][]) => side.map((blocks, index) => agrees(blocks, lineCells(cells, { axis, index }, columns.length)));
  const [doneRows, doneColumns] = [done("row", rows), done("column", columns)];
  const next = cells.map((cell, i) => (cell === OPEN && (doneRows[Math.floor(i / columns.length)] || doneColumns[i % columns.length]) ? CROSS : cell));
  return next.some((cell, i) => cell !== cells[i]) ? next : cells;
}

/** Lines that contradict their clue, whatever the open cells become. */
export function brokenLines({ rows, columns }: Clues, cells: Uint8Array): Line[] {
  const broken = (axis: Axis, side: Block[][]) =>
    side
      .map((blocks, index) => ({ axis, index, blocks }))
      .filter((line) => !fits(line.blocks, lineCells(cells, line, columns.length)))
      .map(({ index }) => ({ axis, index }));
  return [...broken("row", rows), ...broken("column", columns)];
}

/** The marks of broken lines at least one of which is wrong: for each line those without which it would fit, else all. */
export function doubted({ rows, columns }: Clues, cells: Uint8Array, broken: Line[]): number[] {
  return broken.flatMap((line) => {
    const { axis, index } = line;
    const blocks = (axis === "row" ? rows : columns)[index] ?? [];
    const marks = lineCells(cells, line, columns.length);
    const marked = [...marks.keys()].filter((i) => marks[i] !== OPEN);
    const alone = marked.filter((i) => fits(blocks, marks.with(i, OPEN)));
    return (alone.length ? alone : marked).map((i) => (axis === "row" ? index * columns.length + i : i * columns.length + index));
  });
}

/** The cells of a straight stroke: along the row or the column of its start, whichever is nearer. */
export function straight(start: Cell, end: Cell): Cell[] {
  const [down, right] = [end.row - start.row, end.column - start.column];
  const isAcross = Math.abs(right) >= Math.abs(down);
  const length = isAcross ? right : down;
  return Array.from({ length: Math.abs(length) + 1 }, (_, i) => {
    const step = i * Math.sign(length);
    return isAcross ? { row: start.row, column: start.column + step } : { row: start.row + step, column: start.column };
  });
}

/** Gives a mark to those cells that have the mark `from`; the same array if nothing changes. */
export function marked(cells: Uint8Array, places: number[], from: number, to: number): Uint8Array {
  const changing = places.filter((place) => cells[place] === from);
  if (!changing.length || from === to) return cells;
  const next = cells.slice();
  for (const place of changing) next[place] = to;
  return next;
}
