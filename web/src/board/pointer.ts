/** What pointers do on a board: strokes that go through every cell, and gestures that zoom and pan. */

import { PinchGesture } from "@use-gesture/vanilla";
import { useEffect, useRef } from "preact/hooks";
import type { Cell } from "../model/picture.ts";

/** How long a finger rests on a cell to mean the other button, in ms. */
const HOLD = 400;
const [LEAST_ZOOM, MOST_ZOOM] = [0.25, 6];

export interface Strokes {
  /** A stroke begins, goes on through each cell, and ends. `isOther` tells the right button. */
  onPress(cell: Cell, isOther: boolean): void;
  onDrag(cell: Cell): void;
  onRelease(): void;
  /** The stroke is none: a second finger came. */
  onCancel(): void;
  /** Whether a finger that rests means the other button. */
  hasHold?: boolean;
}

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The cell that an element is, or is in. */
export function cellOf(element: Element): Cell | undefined {
  const { row, column } = element.closest<HTMLElement>("td[data-row]")?.dataset ?? {};
  return row && column ? { row: Number(row), column: Number(column) } : undefined;
}

export function elementAt(board: Element, { row, column }: Cell): HTMLElement | null {
  return board.querySelector(`td[data-row="${row}"][data-column="${column}"]`);
}

/** Moves the focus of the browser; `onFocus` tells whom it concerns. */
export function focusOn(board: Element, cell: Cell, options?: FocusOptions): void {
  elementAt(board, cell)?.focus(options);
}

/** Where the cells of a board are in the window. */
function boxOf(board: Element, rows: number, columns: number): Box {
  const [first, last] = [{ row: 0, column: 0 }, { row: rows - 1, column: columns - 1 }].map((cell) => elementAt(board, cell)?.getBoundingClientRect());
  const [left = 0, top = 0] = [first?.left, first?.top];
  return { left, top, width: (last?.right ?? 0) - left, height: (last?.bottom ?? 0) - top };
}

/**
 * Tells strokes by where the pointer is, not by what is under it: a fast stroke skips no cell, and one that leaves the
 * board goes on along its edge.
 */
export function useStrokes(board: { current: HTMLElement | null }, { rows, columns }: { rows: number; columns: number }, strokes: Strokes | undefined) {
  const now = useRef(strokes);
  now.current = strokes;
  const state = useRef({ fingers: new Set<number>(), drawing: -1, hold: 0, box: { left: 0, top: 0, width: 1, height: 1 } as Box, last: { row: 0, column: 0 } as Cell });
  const cellAt = ({ clientX, clientY }: PointerEvent): Cell => {
    const { left, top, width, height } = state.current.box;
    const within = (place: number, count: number) => Math.max(0, Math.min(count - 1, Math.floor(place * count)));
    return { row: within((clientY - top) / height, rows), column: within((clientX - left) / width, columns) };
  };
  const measure = () => {
    if (board.current && state.current.drawing >= 0) state.current.box = boxOf(board.current, rows, columns);
  };
  const stop = (finish: "onRelease" | "onCancel") => {
    clearTimeout(state.current.hold);
    if (state.current.drawing < 0) return;
    state.current.drawing = -1;
    now.current?.[finish]();
  };
  useEffect(() => {
    const lift = ({ pointerId, type }: PointerEvent) => {
      state.current.fingers.delete(pointerId);
      if (pointerId === state.current.drawing) stop(type === "pointerup" ? "onRelease" : "onCancel");
    };
    addEventListener("pointerup", lift);
    addEventListener("pointercancel", lift);
    addEventListener("scroll", measure, true);
    return () => {
      removeEventListener("pointerup", lift);
      removeEventListener("pointercancel", lift);
      removeEventListener("scroll", measure, true);
    };
  });
  if (!strokes) return {};
  return {
    onPointerDown(event: PointerEvent) {
      const { fingers } = state.current;
      fingers.add(event.pointerId);
      if (fingers.size > 1) return stop("onCancel");
      if (!board.current || !cellOf(event.target as Element) || ![0, 2].includes(event.button)) return;
      event.preventDefault();
      board.current.setPointerCapture(event.pointerId);
      state.current.drawing = event.pointerId;
      measure();
      const cell = cellAt(event);
      state.current.last = cell;
      strokes.onPress(cell, event.button === 2);
      focusOn(board.current, cell, { preventScroll: true });
      if (event.pointerType !== "touch" || !strokes.hasHold) return;
      state.current.hold = window.setTimeout(() => {
        now.current?.onCancel();
        now.current?.onPress(cell, true);
      }, HOLD);
    },
    onPointerMove(event: PointerEvent) {
      if (event.pointerId !== state.current.drawing) return;
      const passed = event.getCoalescedEvents?.() ?? [];
      for (const one of passed.length ? passed : [event]) {
        const [cell, { last }] = [cellAt(one), state.current];
        if (cell.row === last.row && cell.column === last.column) continue;
        clearTimeout(state.current.hold);
        state.current.last = cell;
        now.current?.onDrag(cell);
      }
    },
    onContextMenu: (event: Event) => cellOf(event.target as Element) && event.preventDefault(),
  };
}

/** Zooms a board: by fingers and by the wheel with Ctrl, both around where they are, and by a factor. */
export function useZoom(room: { current: HTMLElement | null }, rows: number, columns: number): (factor: number | "fit") => void {
  const zoom = useRef(1);
  const set = (wanted: number, [x, y]: [number, number], anchor?: [number, number]): [number, number] => {
    const [frame, board] = [room.current, room.current?.querySelector<HTMLElement>(".board")];
    if (!frame || !board) return [0, 0];
    const before = boxOf(board, rows, columns);
    // What is below the board stays, however large it becomes.
    if (!frame.style.height) frame.style.height = `${frame.offsetHeight}px`;
    const [across, down] = anchor ?? [(x - before.left) / before.width, (y - before.top) / before.height];
    zoom.current = Math.max(LEAST_ZOOM, Math.min(MOST_ZOOM, wanted));
    board.style.setProperty("--zoom", String(zoom.current));
    const after = boxOf(board, rows, columns);
    frame.scrollBy(after.left + across * after.width - x, after.top + down * after.height - y);
    return [across, down];
  };
  useEffect(() => {
    if (!room.current) return;
    const gesture = new PinchGesture(
      room.current,
      ({ first, event, origin, offset: [scale], memo }) => {
        event.preventDefault();
        return set(scale, origin, first ? undefined : memo);
      },
      { from: () => [zoom.current, 0], scaleBounds: { min: LEAST_ZOOM, max: MOST_ZOOM }, eventOptions: { passive: false } },
    );
    return () => gesture.destroy();
  }, [rows, columns]);
  return (factor) => {
    const frame = room.current;
    if (!frame) return;
    const { left, top, width, height } = frame.getBoundingClientRect();
    const middle: [number, number] = [left + width / 2, top + height / 2];
    if (factor !== "fit") return void set(zoom.current * factor, middle);
    frame.style.height = "";
    zoom.current = 1;
    frame.querySelector<HTMLElement>(".board")?.style.setProperty("--zoom", "1");
    const most = Math.min(frame.clientWidth / frame.scrollWidth, frame.clientHeight / frame.scrollHeight);
    if (most < 1) set(most, middle);
  };
}
