/**
 * The board that all views share: a grid with its clues for pointers, fingers, the keyboard and screen readers. The
 * style sheet gives its size; a view says what stands in the cells and what to mark.
 */

import { Component, type ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Block, Clues } from "../core/module.ts";
import { type Cell, type Colour, isPlain } from "../model/picture.ts";
import { colourName } from "../shared/colours.ts";
import { useLanguage } from "../shared/language.ts";
import { Cells as Thumbnail } from "../shared/parts.tsx";
import { extent, type Line, OPEN, type Room } from "./lines.ts";
import { cellOf, focusOn, type Strokes, useStrokes, useZoom } from "./pointer.ts";
import { clueText, useBoardTexts } from "./texts.ts";
import "./board.css";

/** How a clue is shown. */
export interface ClueLook {
  /** The blocks to strike out. */
  found?: boolean[];
  isWrong?: boolean;
  isTold?: boolean;
  /** The blocks that a reason names, counted from 1. */
  about?: number[];
}

export interface BoardProps {
  label: string;
  describedBy?: string;
  clues: Clues;
  palette: Colour[];
  /** The colour of each cell, or OPEN. */
  cells: Uint8Array;
  room: Room;
  /** Where background is a mark of its own: a cross. */
  hasCrosses?: boolean;
  /** More classes. */
  class?: string;
  /** For a place classes and, after a bar, the sign to show: `ambiguous|?`. */
  marks: Map<number, string>;
  lookOf(line: Line): ClueLook;
  /** The name of a cell. */
  say(row: number, column: number, colour: number, mark: string): string;
  /** The line that is told. */
  band?: Line | undefined;
  focus: Cell;
  onFocus(cell: Cell): void;
  /** Another key than those that move, which tell where from and where to. */
  onKey?(event: KeyboardEvent): void;
  onMove?(to: Cell, from: Cell, isShift: boolean): void;
  strokes?: Strokes | undefined;
  /** The run that is being drawn: where it ends, and its length. */
  run?: { cell: Cell; length: number } | undefined;
}

const MOVES: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, -Infinity],
  End: [0, Infinity],
  PageUp: [-Infinity, 0],
  PageDown: [Infinity, 0],
};

export function Board(props: BoardProps) {
  const t = useBoardTexts();
  const { clues, palette, cells, room, focus, marks } = props;
  const [rows, columns] = [clues.rows.length, clues.columns.length];
  const frame = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLTableElement>(null);
  const pointers = useStrokes(table, { rows, columns }, props.strokes);
  const zoom = useZoom(frame, rows, columns);
  // Long clues begin out of view.
  useLayoutEffect(() => frame.current?.scrollTo(1e6, 1e6), [rows, columns, room.width, room.depth]);
  useEffect(() => frame.current?.scrollTo(0, 0), []);
  const marksOf = useMemo(() => {
    const found = Array.from({ length: rows }, () => [] as string[]);
    for (const [place, mark] of marks) (found[Math.floor(place / columns)] as string[])[place % columns] = mark;
    return found;
  }, [marks, rows, columns]);
  const keyed = (event: KeyboardEvent) => {
    const move = MOVES[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return props.onKey?.(event);
    const here = cellOf(event.target as Element) ?? focus;
    const clamp = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));
    const next = { row: clamp(here.row + move[0], rows), column: clamp(here.column + move[1], columns) };
    event.preventDefault();
    props.onMove?.(next, here, event.shiftKey);
    if (table.current) focusOn(table.current, next);
  };
  const side = (axis: Line["axis"], blocks: Block[], index: number) => (
    <Clue key={index} axis={axis} blocks={blocks} palette={palette} room={axis === "row" ? room.width : room.depth} isHere={focus[axis] === index} {...props.lookOf({ axis, index })} />
  );
  return (
    <div class="boarded">
      <div class="room" ref={frame}>
        <div class={`board${isPlain(palette) ? " plain" : " colour"}${props.hasCrosses ? " crossed" : ""} ${props.class ?? ""}`} style={styleOf(rows, columns, room, palette)}>
          <table
            ref={table}
            id="board"
            role="grid"
            aria-label={props.label}
            aria-describedby={props.describedBy}
            onKeyDown={keyed}
            onFocusIn={({ target }) => {
              const cell = cellOf(target as Element);
              if (cell) props.onFocus(cell);
            }}
            {...pointers}
          >
            <thead role="rowgroup">
              <tr role="row">
                <td role="gridcell" class="corner">
                  <Thumbnail picture={useMemo(() => ({ title: "", rows, columns, palette, cells: cells.map((colour) => colour || OPEN) }), [cells, palette])} />
                </td>
                {clues.columns.map((blocks, index) => side("column", blocks, index))}
              </tr>
            </thead>
            <tbody role="rowgroup">
              {clues.rows.map((blocks, row) => (
                <tr key={row} role="row">
                  {side("row", blocks, row)}
                  <Row
                    row={row}
                    cells={cells.subarray(row * columns, (row + 1) * columns)}
                    palette={palette}
                    marks={marksOf[row] ?? []}
                    say={props.say}
                    hasCrosses={props.hasCrosses ?? false}
                    focus={focus.row === row ? focus.column : -1}
                  />
                </tr>
              ))}
            </tbody>
          </table>
          {props.band && <div class={`band told ${props.band.axis}`} style={{ "--at": props.band.index }} aria-hidden="true" />}
          <Crosshair table={table} />
          {props.run && props.run.length > 1 && (
            <div class="count" style={{ "--row": props.run.cell.row, "--column": props.run.cell.column }} aria-hidden="true">{props.run.length}</div>
          )}
        </div>
      </div>
      <div class="readout">
        <p id="here">{clueText(t, { axis: "row", index: focus.row }, clues, palette)} · {clueText(t, { axis: "column", index: focus.column }, clues, palette)}</p>
        <span class="zoom">
          <button type="button" aria-label={t.smaller} title={t.smaller} onClick={() => zoom(1 / 1.25)}>−</button>
          <button type="button" aria-label={t.larger} title={t.larger} onClick={() => zoom(1.25)}>+</button>
          <button type="button" onClick={() => zoom("fit")}>{t.fit}</button>
        </span>
      </div>
    </div>
  );
}

const channels = (rgb: string) => [1, 3, 5].map((at) => Number.parseInt(rgb.slice(at, at + 2), 16));

/** Black or white, whichever is easier to read on a colour (WCAG's relative luminance). */
export function readableOn(rgb: string): string {
  const linear = channels(rgb).map((value) => (value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
  const [r = 0, g = 0, b = 0] = linear;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? "#000000" : "#ffffff";
}

/** How much black the paper of a player takes in the dark, unless a colour came near it. Inks stay what they are. */
const NIGHT = 0.16;
const NEAR = 40;

function nightOf([paper, ...inks]: Colour[]): string {
  const dimmed = channels(paper?.rgb ?? "").map((value) => (1 - NIGHT) * value);
  const isClear = inks.every(({ rgb }) => channels(rgb).some((value, i) => Math.abs(value - (dimmed[i] ?? 0)) > NEAR));
  return `${isClear ? 100 * NIGHT : 0}%`;
}

/** Sizes and colours for the style sheet. */
function styleOf(rows: number, columns: number, room: Room, palette: Colour[]): Record<string, string | number> {
  const inks = isPlain(palette) ? [] : palette.flatMap(({ rgb }, i) => [[`--c${i}`, rgb], [`--on${i}`, readableOn(rgb)]]);
  return { "--rows": rows, "--cols": columns, "--gw": room.width.toFixed(2), "--gh": room.depth.toFixed(2), "--night": nightOf(palette), ...Object.fromEntries(inks) };
}

/** The class of a colour, and its values where the style sheet has none. */
export const inkClass = (colour: number) => (colour ? `ink-${((colour - 1) % 9) + 1}` : "");
const inkStyle = (colour: number) => (colour > 9 ? { "--c": `var(--c${colour})`, "--on-c": `var(--on${colour})` } : undefined);

interface SwatchesProps {
  label: string;
  palette: Colour[];
  chosen: number;
  onChoose(colour: number): void;
  hasBackground?: boolean;
  children?: ComponentChildren;
}

/** The colours to choose from, each with its mark. */
export function Swatches({ label, palette, chosen, onChoose, hasBackground = false, children }: SwatchesProps) {
  const language = useLanguage();
  const swatch = ({ name, rgb }: Colour, i: number) => (
    <button
      key={i}
      type="button"
      class={`swatch ${inkClass(i)}`}
      style={isPlain(palette) ? { "--c": `var(--${i ? "ink" : "paper"})` } : { "--c": rgb, "--on-c": readableOn(rgb) }}
      title={`${i}: ${colourName(name, language)}`}
      aria-label={colourName(name, language)}
      aria-pressed={chosen === i}
      onClick={() => onChoose(i)}
    />
  );
  return (
    <div role="group" aria-label={label} class="inks">
      {palette.map((colour, i) => (i || hasBackground) && swatch(colour, i))}
      {children}
    </div>
  );
}

/** Tints the row and the column under the mouse, without drawing anything else again. */
function Crosshair({ table }: { table: { current: HTMLElement | null } }) {
  const [at, setAt] = useState<Cell>();
  useEffect(() => {
    const move = (event: PointerEvent) => {
      const cell = event.pointerType === "mouse" && !event.buttons ? cellOf(event.target as Element) : undefined;
      setAt((old) => (old?.row === cell?.row && old?.column === cell?.column ? old : cell));
    };
    const board = table.current;
    board?.addEventListener("pointermove", move);
    board?.addEventListener("pointerleave", move);
    return () => {
      board?.removeEventListener("pointermove", move);
      board?.removeEventListener("pointerleave", move);
    };
  }, []);
  if (!at) return null;
  return (
    <>
      <div class="band row" style={{ "--at": at.row }} aria-hidden="true" />
      <div class="band column" style={{ "--at": at.column }} aria-hidden="true" />
    </>
  );
}

interface RowProps {
  row: number;
  cells: Uint8Array;
  palette: Colour[];
  marks: string[];
  say: BoardProps["say"];
  hasCrosses: boolean;
  focus: number;
}

/** The cells of a row, drawn again only if something of them has changed. */
class Row extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    const { cells, palette, marks, say, focus } = this.props;
    if (focus !== next.focus || say !== next.say || palette !== next.palette || cells.length !== next.cells.length) return true;
    for (let i = 0; i < cells.length; i++) if (cells[i] !== next.cells[i] || marks[i] !== next.marks[i]) return true;
    return false;
  }

  override render() {
    const { row, cells, marks, say, hasCrosses, focus } = this.props;
    return (
      <>
        {Array.from(cells, (colour, column) => {
          const mark = marks[column] ?? "";
          const [look, sign] = mark.split("|");
          return (
            <td
              key={column}
              role="gridcell"
              data-row={row}
              data-column={column}
              data-colour={colour === OPEN ? -1 : colour}
              data-sign={sign}
              tabIndex={focus === column ? 0 : -1}
              class={`${colour === OPEN ? "open" : colour ? inkClass(colour) : hasCrosses ? "cross" : ""} ${look}`}
              style={inkStyle(colour === OPEN ? 0 : colour)}
              aria-label={say(row, column, colour, mark)}
              aria-describedby={focus === column ? "here" : undefined}
            />
          );
        })}
      </>
    );
  }
}

interface ClueProps extends ClueLook {
  axis: Line["axis"];
  blocks: Block[];
  palette: Colour[];
  room: number;
  isHere: boolean;
}

const isSameList = (a: unknown[] = [], b: unknown[] = []) => a.length === b.length && a.every((value, i) => value === b[i]);

/** The numbers of a line; in several colours each on its colour. A clue that is too long has smaller figures. */
class Clue extends Component<ClueProps> {
  override shouldComponentUpdate(next: ClueProps): boolean {
    const { blocks, palette, room, isHere, isWrong, isTold, found, about } = this.props;
    const isSameBlock = (block: Block, i: number) => block.length === next.blocks[i]?.length && block.colour === next.blocks[i]?.colour;
    const isSame = isHere === next.isHere && isWrong === next.isWrong && isTold === next.isTold && room === next.room && palette === next.palette;
    return !(isSame && isSameList(found, next.found) && isSameList(about, next.about) && blocks.length === next.blocks.length && blocks.every(isSameBlock));
  }

  override render() {
    const { axis, blocks, palette, room, isHere, isWrong, isTold, found = [], about = [] } = this.props;
    const isColoured = palette.length > 2;
    const share = room / extent(axis, blocks, isColoured);
    const classes = ["clue", axis, isWrong && "wrong", isTold && "told", isHere && "current", blocks.length && blocks.every((_, i) => found[i]) && "all"];
    return (
      <th role={`${axis}header`} scope={axis === "row" ? "row" : "col"} class={classes.filter(Boolean).join(" ")} style={share < 1 ? { fontSize: `${share.toFixed(2)}em` } : undefined}>
        {blocks.length ? (
          blocks.map(({ length, colour }, i) => (
            <span key={i} class={[isColoured && `chip ${inkClass(colour)}`, length > 9 && "long", found[i] && "found", about.includes(i + 1) && "about"].filter(Boolean).join(" ")} style={isColoured ? inkStyle(colour) : undefined}>
              {length}{" "}
            </span>
          ))
        ) : (
          <span class="found">0</span>
        )}
      </th>
    );
  }
}
