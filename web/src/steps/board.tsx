/** The grid of a walk with its clues: what is known, what the present step looks at, and what it finds. */

import { Component } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Block } from "../core/module.ts";
import type { Colour } from "../model/picture.ts";
import type { StepsTexts } from "./texts.ts";
import { cellsOf, foundBlocks, type Line, type Puzzle } from "./walk.ts";

/** The side of a cell by the number of lines; beyond, the last. */
const SIDES = [[20, 26], [35, 20], [60, 15], [Infinity, 11]] as const;

export interface BoardProps {
  puzzle: Puzzle;
  /** The candidates of each cell. */
  grid: string[];
  /** The line that the step looks at, and the blocks of its clue that the reason names, counted from 1. */
  line: Line | undefined;
  blocks: number[];
  /** Places of the cells that the step finds. */
  now: Set<number>;
  t: StepsTexts;
}

export function Board({ puzzle, grid, line, blocks, now, t }: BoardProps) {
  const { palette, clues } = puzzle;
  const columns = clues.columns.length;
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => bringIntoView(frame.current), [now]);
  const found = useMemo(
    () => ({
      row: clues.rows.map((clue, position) => foundBlocks(clue, cellsOf(grid, { axis: "row", position }, columns), palette)),
      column: clues.columns.map((clue, position) => foundBlocks(clue, cellsOf(grid, { axis: "column", position }, columns), palette)),
    }),
    [grid],
  );
  const isSeen = (at: Line) => at.axis === line?.axis && at.position === line.position;
  const clue = (at: Line, its: Block[]) => (
    <th key={at.position} scope={at.axis === "row" ? "row" : "col"} class={`clue${at.axis === "row" ? "" : " down"}${isSeen(at) ? " seen" : ""}`}>
      <Clue blocks={its} palette={palette} found={found[at.axis][at.position] ?? []} about={isSeen(at) ? blocks : []} />
    </th>
  );
  const side = SIDES.find(([most]) => Math.max(columns, clues.rows.length) <= most)?.[1];
  return (
    <section class="board-frame" ref={frame} tabIndex={0} aria-label={t.board} style={{ "--cell": `${side}px` }}>
      <table id="board" aria-label={t.board}>
        <thead>
          <tr>
            <td class="corner" />
            {clues.columns.map((its, position) => clue({ axis: "column", position }, its))}
          </tr>
        </thead>
        <tbody>
          {clues.rows.map((its, row) => {
            const from = row * columns;
            return (
              <tr key={row}>
                {clue({ axis: "row", position: row }, its)}
                <Cells
                  cells={grid.slice(from, from + columns)}
                  palette={palette}
                  seen={line?.axis === "column" ? line.position : line?.position === row ? "all" : "none"}
                  now={clues.columns.map((_, column) => (now.has(from + column) ? "1" : "0")).join("")}
                  t={t}
                />
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

interface CellsProps {
  cells: string[];
  palette: Colour[];
  /** The column that is looked at, or all of the row. */
  seen: number | "all" | "none";
  /** 1 for each cell that the step finds. */
  now: string;
  t: StepsTexts;
}

/** The cells of a row, drawn again only if something of them has changed. */
class Cells extends Component<CellsProps> {
  override shouldComponentUpdate(next: CellsProps): boolean {
    const { cells, seen, now, t, palette } = this.props;
    const isSame = seen === next.seen && now === next.now && t === next.t && palette === next.palette;
    return !isSame || cells.some((cell, i) => cell !== next.cells[i]);
  }

  override render() {
    const { cells, palette, seen, now, t } = this.props;
    return (
      <>
        {cells.map((candidates, column) => {
          const colour = palette.findIndex(({ char }) => char === candidates);
          const marks = `${seen === "all" || seen === column ? " seen" : ""}${now[column] === "1" ? " now" : ""}`;
          return (
            <td
              key={column}
              class={`${colour < 0 ? "open" : colour === 0 ? "background" : `ink-${((colour - 1) % 9) + 1}`}${marks}`}
              style={{ "--ink": palette[colour]?.rgb }}
              data-colour={colour}
              aria-label={palette[colour]?.name ?? t.open}
            />
          );
        })}
      </>
    );
  }
}

interface ClueProps {
  blocks: Block[];
  palette: Colour[];
  found: boolean[];
  about: number[];
}

/** The numbers of a clue, in several colours with the character of each; what is found is struck out. */
function Clue({ blocks, palette, found, about }: ClueProps) {
  if (!blocks.length) return <span>0</span>;
  return (
    <>
      {blocks.map(({ length, colour }, i) => (
        <span
          key={i}
          class={[palette.length > 2 && "block", found[i] && "struck", about.includes(i + 1) && "about"].filter(Boolean).join(" ")}
          style={{ "--ink": palette[colour]?.rgb }}
        >
          {length}
          {palette.length > 2 && <small>{palette[colour]?.char}</small>}{" "}
        </span>
      ))}
    </>
  );
}

/** Scrolls the board, and nothing else, to the first cell that the step finds; the clues cover its first cells. */
function bringIntoView(frame: HTMLElement | null): void {
  const cell = frame?.querySelector("td.now");
  const clue = frame?.querySelector<HTMLElement>("tbody th");
  const head = frame?.querySelector("thead");
  if (!frame || !cell || !clue || !head) return;
  const [inner, outer] = [cell.getBoundingClientRect(), frame.getBoundingClientRect()];
  const [left, top] = [outer.left + clue.offsetWidth, outer.top + head.offsetHeight];
  if (inner.left < left || inner.right > outer.right) frame.scrollLeft += inner.left - outer.left - outer.width / 2;
  if (inner.top < top || inner.bottom > outer.bottom) frame.scrollTop += inner.top - outer.top - outer.height / 2;
}
