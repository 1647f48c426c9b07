/** Lines of a grid, their clues, and the room that clues need beside it. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { Block, Clues } from "../core/module.ts";

/** How much longer than its room a clue may be, with smaller figures. */
const LEAST_FIGURES = 1.35;

/** A cell that nothing is known of. Other cells have a colour; 0 is the background. */
export const OPEN = 255;

export type Axis = "row" | "column";

/** A line, counted from 0. */
export interface Line {
  axis: Axis;
  index: number;
}

/** Reads `row 3` and `column 12`. */
export function readLine(text: string | undefined): Line | undefined {
  const [, axis, number] = /^(row|column) ([0-9]+)$/.exec(text ?? "") ?? [];
  return axis ? { axis: axis as Axis, index: Number(number) - 1 } : undefined;
}

export const isSame = (a: Line, b: Line | undefined): boolean => a.axis === b?.axis && a.index === b.index;

/** The cells of a line of a grid in row order. */
export function lineCells<T>(cells: ArrayLike<T>, { axis, index }: Line, columns: number): T[] {
  const count = axis === "row" ? columns : cells.length / columns;
  return Array.from({ length: count }, (_, i) => cells[axis === "row" ? index * columns + i : i * columns + index] as T);
}

/** Room beside the cells, in the size of the clues' figures. */
export interface Room {
  width: number;
  depth: number;
}

/** The width of a row's clue, the depth of a column's with the tick of a finished one. */
export function extent(axis: Axis, blocks: Block[], isColoured: boolean): number {
  if (axis === "column") return Math.max(1, blocks.length) * (isColoured ? 1.44 : 1.12) + 1;
  const figures = blocks.map(({ length }) => String(length).length * 0.58);
  return isColoured
    ? figures.reduce((sum, width) => sum + Math.max(1.4, width + 0.4) + 0.2, 0.7)
    : figures.reduce((sum, width) => sum + width + 0.42, 0.73);
}

/** The room that the longest clues need. */
export function roomOf({ rows, columns, colours }: Clues): Room {
  const most = (axis: Axis, side: Block[][]) => Math.max(1.5, ...side.map((blocks) => extent(axis, blocks, colours > 2)));
  return { width: most("row", rows), depth: most("column", columns) };
}

/** Room for a picture that is drawn: a quarter as many numbers as a line has cells, at least four. */
export function reservedRoom({ rows, columns, colours }: Clues): Room {
  const clue = (cells: number): Block[] => new Array(Math.max(4, Math.ceil(cells / 4))).fill({ length: 1, colour: 1 });
  return { width: extent("row", clue(columns.length), colours > 2), depth: extent("column", clue(rows.length), colours > 2) };
}

/** The room that a picture has while it is drawn: it only grows, neither in a stroke nor under a mouse, whose cell would move away. */
export function useDrawnRoom(clues: Clues, isDrawing: boolean): Room {
  const [isUnder, setUnder] = useState(false);
  useEffect(() => {
    const follow = ({ pointerType, target }: PointerEvent) => setUnder(pointerType === "mouse" && (target as Element).closest(".board") !== null);
    addEventListener("pointerover", follow);
    return () => removeEventListener("pointerover", follow);
  }, []);
  const key = `${clues.rows.length}x${clues.columns.length}x${clues.colours > 2}`;
  const kept = useRef<{ key: string; room: Room }>({ key: "", room: { width: 0, depth: 0 } });
  const isOther = kept.current.key !== key;
  if (isOther || !(isDrawing || isUnder)) {
    const { width, depth } = isOther ? reservedRoom(clues) : kept.current.room;
    const need = roomOf(clues);
    // A clue that is a little longer has smaller figures instead.
    const grown = (room: number, needed: number) => (isOther || needed > LEAST_FIGURES * room ? Math.max(room, needed) : room);
    const room = { width: grown(width, need.width), depth: grown(depth, need.depth) };
    if (isOther || room.width !== width || room.depth !== depth) kept.current = { key, room };
  }
  return kept.current.room;
}
