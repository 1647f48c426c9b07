/** The puzzle: a grid with its clues for pointers, fingers, the keyboard and screen readers. */

import { Component } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Block } from "../core/module.ts";
import type { Cell, Colour } from "../model/picture.ts";
import { CROSS, foundBlocks, type Line, lineCells, OPEN } from "./game.ts";
import { clueRoom, isPlain, type Puzzle, readableOn } from "./puzzle.ts";
import type { PlayerTexts } from "./texts.ts";

/** How long a finger rests on a cell to mean a cross, in ms. */
const HOLD = 400;

export type Tool = "fill" | "cross" | "move";

export interface BoardProps {
  puzzle: Puzzle;
  cells: Uint8Array;
  t: PlayerTexts;
  focus: Cell;
  cellSize: number;
  tool: Tool;
  isSolved: boolean;
  /** Cells and lines to mark: as wrong, and as told by a hint. */
  wrong: Set<number>;
  hinted: Set<number>;
  wrongLines: Line[];
  hintedLine?: Line;
  onFocus(cell: Cell): void;
  /** A stroke begins, goes on, ends, or is taken back. */
  onPress(cell: Cell, isCross: boolean): void;
  onDrag(cell: Cell): void;
  onRelease(): void;
  onCancel(): void;
  onZoom(factor: number): void;
  onKey(event: KeyboardEvent): void;
}

export function Board(props: BoardProps) {
  const { puzzle, cells, t, focus, cellSize, tool } = props;
  const { rows, columns } = puzzle.clues;
  const table = useRef<HTMLTableElement>(null);
  const pointers = usePointers(table, props);
  const room = clueRoom(puzzle);
  const paper = puzzle.palette[0]?.rgb ?? "#ffffff";
  // Long clues begin out of view.
  useEffect(() => {
    const scroll = table.current?.parentElement;
    const corner = table.current?.querySelector<HTMLElement>(".corner");
    if (scroll && corner) scroll.scrollTo(-Number.parseFloat(getComputedStyle(corner).left), -Number.parseFloat(getComputedStyle(corner).top));
  }, [puzzle]);
  const isMarked = (lines: Line[], line: Line) => lines.some(({ axis, index }) => axis === line.axis && index === line.index);
  const clue = (line: Line, blocks: Block[]) => (
    <Clue
      key={line.index}
      line={line}
      blocks={blocks}
      palette={puzzle.palette}
      found={foundBlocks(blocks, lineCells(cells, line, columns.length))}
      isWrong={isMarked(props.wrongLines, line)}
      isHinted={isMarked(props.hintedLine ? [props.hintedLine] : [], line)}
      isCurrent={focus[line.axis] === line.index}
    />
  );
  return (
    <div class="scroll" style={{ "--cell": `${cellSize}px`, "--clue-width": room.width, "--clue-depth": room.depth }}>
      <table
        ref={table}
        role="grid"
        class={`board${isPlain(puzzle) ? " plain" : ""}${tool === "move" ? " moving" : ""}${props.isSolved ? " solved" : ""}`}
        aria-label={t.grid(rows.length, columns.length)}
        aria-describedby="player-help"
        style={{ "--paper-rgb": paper, "--on-paper": readableOn(paper) }}
        onContextMenu={(event) => event.preventDefault()}
        onKeyDown={props.onKey}
        {...pointers}
      >
        <thead>
          <tr>
            <td class="corner" />
            {columns.map((blocks, index) => clue({ axis: "column", index }, blocks))}
          </tr>
        </thead>
        <tbody>
          {rows.map((blocks, row) => {
            const from = row * columns.length;
            const part = (set: Set<number>) => columns.map((_, i) => (set.has(from + i) ? 1 : 0)).join("");
            return (
              <tr key={row}>
                {clue({ axis: "row", index: row }, blocks)}
                <Cells
                  row={row}
                  cells={cells.subarray(from, from + columns.length)}
                  palette={puzzle.palette}
                  t={t}
                  wrong={props.wrong.size ? part(props.wrong) : ""}
                  hinted={props.hinted.size ? part(props.hinted) : ""}
                  focus={focus.row === row ? focus.column : -1}
                  onFocus={props.onFocus}
                />
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The cell that an element is, or is in. */
export function cellOf(element: Element): Cell | undefined {
  const { row, column } = element.closest<HTMLElement>("td[data-column]")?.dataset ?? {};
  return row && column ? { row: Number(row), column: Number(column) } : undefined;
}

/** Moves the focus of the browser; `onFocus` tells whom it concerns. */
export function focusOn(table: Element, { row, column }: Cell, options?: FocusOptions): void {
  table.querySelector<HTMLElement>(`td[data-row="${row}"][data-column="${column}"]`)?.focus(options);
}

/** Strokes of one pointer; two fingers move the board and zoom it. */
function usePointers(table: { current: HTMLTableElement | null }, props: BoardProps) {
  const state = useRef({ fingers: new Map<number, PointerEvent>(), hold: 0, distance: 0, start: "" });
  const now = useRef(props);
  now.current = props;
  const cellAt = ({ clientX, clientY }: PointerEvent): Cell | undefined => {
    const found = document.elementFromPoint(clientX, clientY);
    return found && table.current?.contains(found) ? cellOf(found) : undefined;
  };
  const apart = () => {
    const [a, b] = [...state.current.fingers.values()];
    return a && b ? { x: (a.clientX + b.clientX) / 2, y: (a.clientY + b.clientY) / 2, distance: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) } : undefined;
  };
  const onPointerDown = (event: PointerEvent) => {
    const { fingers } = state.current;
    const cell = cellAt(event);
    if (!cell || props.tool === "move" || ![0, 2].includes(event.button)) return;
    event.preventDefault();
    fingers.set(event.pointerId, event);
    table.current?.setPointerCapture(event.pointerId);
    clearTimeout(state.current.hold);
    if (fingers.size > 1) {
      state.current.distance = apart()?.distance ?? 0;
      return props.onCancel();
    }
    props.onPress(cell, event.button === 2);
    if (table.current) focusOn(table.current, cell, { preventScroll: true });
    state.current.start = `${cell.row},${cell.column}`;
    if (event.pointerType === "mouse") return;
    state.current.hold = window.setTimeout(() => {
      now.current.onCancel();
      now.current.onPress(cell, true);
    }, HOLD);
  };
  const onPointerMove = (event: PointerEvent) => {
    const { fingers, distance } = state.current;
    if (!fingers.has(event.pointerId)) return;
    const before = apart();
    fingers.set(event.pointerId, event);
    const after = apart();
    if (before && after) {
      table.current?.parentElement?.scrollBy(before.x - after.x, before.y - after.y);
      if (Math.abs(after.distance - distance) < 0.1 * distance) return;
      state.current.distance = after.distance;
      return props.onZoom(after.distance / distance);
    }
    const cell = cellAt(event);
    if (!cell) return;
    if (`${cell.row},${cell.column}` !== state.current.start) clearTimeout(state.current.hold);
    props.onDrag(cell);
  };
  const end = (finish: () => void) => (event: PointerEvent) => {
    const { fingers } = state.current;
    if (!fingers.delete(event.pointerId)) return;
    clearTimeout(state.current.hold);
    if (!fingers.size) finish();
  };
  return { onPointerDown, onPointerMove, onPointerUp: end(props.onRelease), onPointerCancel: end(props.onCancel) };
}

interface CellsProps {
  row: number;
  cells: Uint8Array;
  palette: Colour[];
  t: PlayerTexts;
  wrong: string;
  hinted: string;
  focus: number;
  onFocus(cell: Cell): void;
}

/** The cells of a row, drawn again only if something of them has changed. */
class Cells extends Component<CellsProps> {
  override shouldComponentUpdate(next: CellsProps): boolean {
    const { cells, wrong, hinted, focus, t, palette } = this.props;
    const isSame = wrong === next.wrong && hinted === next.hinted && focus === next.focus && t === next.t && palette === next.palette;
    return !isSame || cells.length !== next.cells.length || cells.some((cell, i) => cell !== next.cells[i]);
  }

  override render() {
    const { row, cells, palette, t, wrong, hinted, focus, onFocus } = this.props;
    return (
      <>
        {Array.from(cells, (mark, column) => (
          <td
            key={column}
            role="gridcell"
            data-row={row}
            data-column={column}
            tabIndex={focus === column ? 0 : -1}
            class={`${markClass(mark)}${wrong[column] === "1" ? " wrong" : ""}${hinted[column] === "1" ? " hinted" : ""}`}
            style={mark !== OPEN && mark !== CROSS ? { "--ink": palette[mark]?.rgb } : undefined}
            aria-label={t.cell(row, column, markName(mark, palette, t))}
            aria-describedby={focus === column ? "player-clues" : undefined}
            onFocus={() => onFocus({ row, column })}
          />
        ))}
      </>
    );
  }
}

export const inkClass = (colour: number) => `ink-${((colour - 1) % 9) + 1}`;

function markClass(mark: number): string {
  if (mark === OPEN) return "open";
  return mark === CROSS ? "cross" : `filled ${inkClass(mark)}`;
}

function markName(mark: number, palette: Colour[], t: PlayerTexts): string {
  if (mark === OPEN) return t.open;
  if (mark === CROSS) return t.crossed;
  return palette.length > 2 ? (palette[mark]?.name ?? "") : t.filled;
}

interface ClueProps {
  line: Line;
  blocks: Block[];
  palette: Colour[];
  found: boolean[];
  isWrong: boolean;
  isHinted: boolean;
  isCurrent: boolean;
}

/** The numbers of a line; in several colours each on its colour, with the character of it. */
class Clue extends Component<ClueProps> {
  override shouldComponentUpdate(next: ClueProps): boolean {
    const { found, isWrong, isHinted, isCurrent, blocks } = this.props;
    const isSame = isWrong === next.isWrong && isHinted === next.isHinted && isCurrent === next.isCurrent && blocks === next.blocks;
    return !isSame || found.some((value, i) => value !== next.found[i]);
  }

  override render() {
    const { line, blocks, palette, found, isWrong, isHinted, isCurrent } = this.props;
    const classes = `numbers ${line.axis}${isWrong ? " wrong" : ""}${isHinted ? " hinted" : ""}${isCurrent ? " current" : ""}`;
    return (
      <th scope={line.axis === "row" ? "row" : "col"} class={classes}>
        {blocks.length ? (
          blocks.map(({ length, colour }, i) => {
            const ink = palette[colour]?.rgb ?? "#000000";
            const isPlainBlock = palette.length === 2;
            return (
              <span
                key={i}
                class={`${isPlainBlock ? "" : "chip"}${found[i] ? " found" : ""}`}
                style={isPlainBlock ? undefined : { "--ink": ink, "--on-ink": readableOn(ink) }}
              >
                {length}
                {!isPlainBlock && <small>{palette[colour]?.char}</small>}{" "}
              </span>
            );
          })
        ) : (
          <span class="found">0</span>
        )}
      </th>
    );
  }
}
