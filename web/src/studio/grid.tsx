/** The picture with its clues: a grid for pointers, fingers, the keyboard and screen readers. */

import { Component } from "preact";
import { useRef } from "preact/hooks";
import type { Block, Clues } from "../core/module.ts";
import { EFFECTS } from "../core/module.ts";
import type { Cell, Colour, Picture } from "../model/picture.ts";
import type { Texts } from "../texts/en.ts";
import { useTexts } from "../texts/language.ts";

/** Beyond the grades of techniques: a cell that stays open. */
export const OPEN = 6;
/** The least grade that is shown. */
const HARD = 2;

export interface GridProps {
  picture: Picture;
  clues: Clues;
  /** 1 for each ambiguous cell; empty if none is known. */
  ambiguous: Uint8Array;
  /** The best effect of a change of each cell; empty if unknown. */
  effects: Uint8Array;
  /** The grade of the technique that decides each cell, `OPEN` if none does; empty if it is not shown. */
  heat: Uint8Array;
  focus: Cell;
  cellSize: number;
  onFocus(cell: Cell): void;
  /** A stroke of the pointer begins, goes on, and ends. */
  onPress(cell: Cell): void;
  onDrag(cell: Cell): void;
  onRelease(): void;
  /** The stroke is none: the browser took the fingers for a gesture of its own. */
  onCancel(): void;
  onKey(event: KeyboardEvent): void;
}

export function Grid(props: GridProps) {
  const t = useTexts().studio;
  const { picture, clues, focus, cellSize } = props;
  const table = useRef<HTMLTableElement>(null);
  const cellAt = (event: PointerEvent): Cell | undefined => {
    const found = document.elementFromPoint(event.clientX, event.clientY);
    return found instanceof HTMLElement && table.current?.contains(found) ? placeOf(found) : undefined;
  };
  const press = (event: PointerEvent) => {
    const cell = cellAt(event);
    if (!cell || event.button !== 0) return;
    event.preventDefault();
    table.current?.setPointerCapture(event.pointerId);
    props.onPress(cell);
    if (table.current) focusOn(table.current, cell);
  };
  const drag = (event: PointerEvent) => {
    const cell = event.buttons & 1 ? cellAt(event) : undefined;
    if (cell) props.onDrag(cell);
  };
  return (
    <div class="scroll">
      <table
        ref={table}
        class="drawing"
        role="grid"
        aria-label={t.picture(picture.rows, picture.columns)}
        aria-describedby="help"
        aria-rowcount={picture.rows + 1}
        style={{ "--cell": `${cellSize}px`, ...sizes(clues), ...inks(picture.palette) }}
        onPointerDown={press}
        onPointerMove={drag}
        onPointerUp={props.onRelease}
        onPointerCancel={props.onCancel}
        onKeyDown={props.onKey}
        onFocusIn={({ target }) => {
          const cell = placeOf(target as HTMLElement);
          if (cell) props.onFocus(cell);
        }}
      >
        <thead role="rowgroup">
          <tr role="row">
            <td role="gridcell" class="corner" />
            {clues.columns.map((blocks, column) => (
              <Clue key={column} axis="column" blocks={blocks} palette={picture.palette} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {clues.rows.map((blocks, row) => {
            const part = (array: Uint8Array) => array.subarray(row * picture.columns, (row + 1) * picture.columns);
            return (
              <Row
                key={row}
                t={t}
                row={row}
                palette={picture.palette}
                blocks={blocks}
                cells={part(picture.cells)}
                ambiguous={part(props.ambiguous)}
                effects={part(props.effects)}
                heat={part(props.heat)}
                focus={focus.row === row ? focus.column : -1}
              />
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function placeOf(element: HTMLElement): Cell | undefined {
  const { row, column } = element.dataset;
  return row && column ? { row: Number(row), column: Number(column) } : undefined;
}

/** Moves the focus of the browser; `onFocus` tells whom it concerns. */
export function focusOn(table: Element, { row, column }: Cell): void {
  table.querySelector<HTMLElement>(`td[data-row="${row}"][data-column="${column}"]`)?.focus();
}

/**
 * The room of the clues, in characters and lines. Told beforehand, it spares the browser to lay out all cells when
 * one clue changes.
 */
function sizes({ colours, rows, columns }: Clues): Record<string, string> {
  const widths = rows.map((blocks) => blocks.reduce((sum, { length }) => sum + String(length).length + (colours > 2 ? 2 : 0), blocks.length));
  return { "--wide": `${Math.max(2, ...widths)}`, "--deep": `${Math.max(1, ...columns.map((blocks) => blocks.length))}`, "--rule": colours > 2 ? "3px" : "0px" };
}

const inks = (palette: Colour[]) => Object.fromEntries(palette.map(({ rgb }, i) => [`--ink-${i}`, rgb]));

interface RowProps {
  t: Texts["studio"];
  row: number;
  palette: Colour[];
  blocks: Block[];
  cells: Uint8Array;
  ambiguous: Uint8Array;
  effects: Uint8Array;
  heat: Uint8Array;
  focus: number;
}

const isSame = (a: Uint8Array, b: Uint8Array) => a.length === b.length && a.every((value, i) => value === b[i]);

/** A row is drawn again only if something of it has changed. */
class Row extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    const { t, cells, ambiguous, effects, heat, focus, palette } = this.props;
    return !(
      t === next.t &&
      focus === next.focus &&
      palette === next.palette &&
      isSame(cells, next.cells) &&
      isSame(ambiguous, next.ambiguous) &&
      isSame(effects, next.effects) &&
      isSame(heat, next.heat)
    );
  }

  override render() {
    const { t, row, palette, blocks, cells, ambiguous, effects, heat, focus } = this.props;
    return (
      <tr role="row">
        <Clue axis="row" blocks={blocks} palette={palette} />
        {Array.from(cells, (colour, column) => {
          const effect = EFFECTS[effects[column] ?? 0] ?? "none";
          const grade = heat[column] ?? 0;
          const isHard = grade >= HARD;
          const isAmbiguous = ambiguous[column] === 1;
          return (
            <td
              key={column}
              role="gridcell"
              data-row={row}
              data-column={column}
              tabIndex={focus === column ? 0 : -1}
              class={`ink-${colour}${isAmbiguous ? " ambiguous" : ""}${effect === "none" ? "" : ` ${effect}`}${isHard ? " hard" : ""}`}
              data-grade={isHard ? (grade === OPEN ? "!" : grade) : undefined}
              aria-label={`${t.cell(row, column, palette[colour]?.name ?? "", isAmbiguous, effect)}${isHard ? t.heat(grade === OPEN ? undefined : grade) : ""}`}
            />
          );
        })}
      </tr>
    );
  }
}

interface ClueProps {
  axis: "row" | "column";
  blocks: Block[];
  palette: Colour[];
}

/** The numbers of a clue; in several colours with the character of each. */
class Clue extends Component<ClueProps> {
  override shouldComponentUpdate({ blocks, palette }: ClueProps): boolean {
    const now = this.props.blocks;
    const isSameBlock = (block: Block, i: number) => block.length === now[i]?.length && block.colour === now[i]?.colour;
    return palette !== this.props.palette || blocks.length !== now.length || !blocks.every(isSameBlock);
  }

  override render() {
    const { axis, blocks, palette } = this.props;
    const isColoured = palette.length > 2;
    return (
      <th role={`${axis}header`} class={`clue ${axis === "column" ? "down" : ""}`}>
        {blocks.map(({ length, colour }, i) => (
          <span key={i} class={isColoured ? "block" : ""} style={{ "--ink": palette[colour]?.rgb }}>
            {length}
            {isColoured && <small>{palette[colour]?.char}</small>}{" "}
          </span>
        ))}
        {!blocks.length && <span>0</span>}
      </th>
    );
  }
}
