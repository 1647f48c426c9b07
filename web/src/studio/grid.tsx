/** The picture with its clues: a grid for pointers, fingers, the keyboard and screen readers. */

import { Component } from "preact";
import { useRef } from "preact/hooks";
import type { Block, Clues } from "../core/module.ts";
import { EFFECTS } from "../core/module.ts";
import type { Cell, Colour, Picture } from "../model/picture.ts";
import { type Texts, useTexts } from "../texts/language.ts";

export interface GridProps {
  picture: Picture;
  clues: Clues;
  /** 1 for each ambiguous cell; empty if none is known. */
  ambiguous: Uint8Array;
  /** The best effect of a change of each cell; empty if unknown. */
  effects: Uint8Array;
  focus: Cell;
  cellSize: number;
  onFocus(cell: Cell): void;
  /** A stroke of the pointer begins, goes on, and ends. */
  onPress(cell: Cell): void;
  onDrag(cell: Cell): void;
  onRelease(): void;
  onKey(event: KeyboardEvent): void;
}

export function Grid(props: GridProps) {
  const t = useTexts().studio;
  const { picture, clues, focus, cellSize } = props;
  const table = useRef<HTMLTableElement>(null);
  const cellAt = (event: PointerEvent): Cell | undefined => {
    const found = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>("td[data-column]");
    if (!found || !table.current?.contains(found)) return undefined;
    return { row: Number(found.dataset.row), column: Number(found.dataset.column) };
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
        role="grid"
        aria-label={t.picture(picture.rows, picture.columns)}
        aria-describedby="help"
        aria-rowcount={picture.rows + 1}
        style={{ "--cell": `${cellSize}px` }}
        onPointerDown={press}
        onPointerMove={drag}
        onPointerUp={props.onRelease}
        onPointerCancel={props.onRelease}
        onKeyDown={props.onKey}
      >
        <thead>
          <tr>
            <td class="corner" />
            {clues.columns.map((blocks, column) => (
              <th key={column} scope="col" class="clue down">
                <ClueText blocks={blocks} palette={picture.palette} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {clues.rows.map((blocks, row) => {
            const part = (array: Uint8Array) => array.subarray(row * picture.columns, (row + 1) * picture.columns);
            return (
              <Row
                key={row}
                t={t}
                row={row}
                rows={picture.rows}
                palette={picture.palette}
                blocks={blocks}
                cells={part(picture.cells)}
                ambiguous={part(props.ambiguous)}
                effects={part(props.effects)}
                focus={focus.row === row ? focus.column : -1}
                onFocus={props.onFocus}
              />
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** Moves the focus of the browser; `onFocus` tells whom it concerns. */
export function focusOn(table: Element, { row, column }: Cell): void {
  table.querySelector<HTMLElement>(`td[data-row="${row}"][data-column="${column}"]`)?.focus();
}

interface RowProps {
  t: Texts["studio"];
  row: number;
  rows: number;
  palette: Colour[];
  blocks: Block[];
  cells: Uint8Array;
  ambiguous: Uint8Array;
  effects: Uint8Array;
  focus: number;
  onFocus(cell: Cell): void;
}

const isSame = (a: Uint8Array, b: Uint8Array) => a.length === b.length && a.every((value, i) => value === b[i]);

/** A row is drawn again only if something of it has changed. */
class Row extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    const { cells, ambiguous, effects, focus, palette, rows } = this.props;
    return !(
      this.props.t === next.t &&
      focus === next.focus &&
      palette === next.palette &&
      rows === next.rows &&
      isSame(cells, next.cells) &&
      isSame(ambiguous, next.ambiguous) &&
      isSame(effects, next.effects)
    );
  }

  override render() {
    const { t, row, palette, blocks, cells, ambiguous, effects, focus, onFocus } = this.props;
    return (
      <tr>
        <th scope="row" class="clue">
          <ClueText blocks={blocks} palette={palette} />
        </th>
        {Array.from(cells, (colour, column) => {
          const effect = EFFECTS[effects[column] ?? 0] ?? "none";
          const isAmbiguous = ambiguous[column] === 1;
          return (
            <td
              key={column}
              role="gridcell"
              data-row={row}
              data-column={column}
              tabIndex={focus === column ? 0 : -1}
              class={`ink-${colour}${isAmbiguous ? " ambiguous" : ""}${effect === "none" ? "" : ` ${effect}`}`}
              style={{ "--ink": palette[colour]?.rgb }}
              aria-label={t.cell(row, column, palette[colour]?.name ?? "", isAmbiguous, effect)}
              onFocus={() => onFocus({ row, column })}
            />
          );
        })}
      </tr>
    );
  }
}

/** The numbers of a clue; in several colours with the character of each. */
function ClueText({ blocks, palette }: { blocks: Block[]; palette: Colour[] }) {
  if (!blocks.length) return <span>0</span>;
  return (
    <>
      {blocks.map(({ length, colour }, i) => (
        <span key={i} class={palette.length > 2 ? "block" : ""} style={{ "--ink": palette[colour]?.rgb }}>
          {length}
          {palette.length > 2 && <small>{palette[colour]?.char}</small>}{" "}
        </span>
      ))}
    </>
  );
}
