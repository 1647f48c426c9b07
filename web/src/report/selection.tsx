/** Which entrants the plots show: one choice for all of them, made in their legends. */

import { useEffect, useReducer } from "preact/hooks";
import type { Data } from "./data.ts";

const COLOURS = 8;
const DASHES = [undefined, "8 4", "2 3", "10 3 2 3"];

/** The entrants that are hidden; tells those who listen when that changes. */
export class Selection {
  readonly hidden = new Set<number>();
  private readonly listeners = new Set<() => void>();

  toggle(entrant: number) {
    if (!this.hidden.delete(entrant)) this.hidden.add(entrant);
    for (const listener of this.listeners) listener();
  }

  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

/** The entrants that are shown; the component is drawn again when that changes. */
export function useShown(data: Data, selection: Selection): number[] {
  const [, redraw] = useReducer((version: number) => version + 1, 0);
  useEffect(() => selection.listen(() => redraw(undefined)), [selection]);
  return data.entrants.map((_, entrant) => entrant).filter((entrant) => !selection.hidden.has(entrant));
}

/** How a line is drawn. */
export interface Style {
  stroke: string;
  strokeDasharray?: string | undefined;
}

export function styleOf(colour: number, dashes: number): Style {
  return { stroke: `var(--c${colour % COLOURS})`, strokeDasharray: DASHES[dashes % DASHES.length] };
}

/** One backend has one colour, in whichever campaign; dashes tell campaigns apart, and colours that come again. */
export function entrantStyle({ entrants }: Data, entrant: number): Style {
  const { backend, campaign } = entrants[entrant]!;
  const number = [...new Set(entrants.map((other) => other.backend))].indexOf(backend);
  return styleOf(number, Math.floor(number / COLOURS) + campaign);
}

export function Swatch({ stroke, strokeDasharray }: Style) {
  return (
    <svg viewBox="0 0 34 10" class="swatch" aria-hidden="true">
      <path d="M0 5h34" fill="none" stroke-width="2" stroke={stroke} stroke-dasharray={strokeDasharray} />
    </svg>
  );
}

/** A button for each entrant that shows and hides it. */
export function Legend({ data, selection, note }: { data: Data; selection: Selection; note?(entrant: number): string }) {
  return (
    <div class="legend" role="group" aria-label="Backends shown">
      {data.entrants.map(({ label }, entrant) => (
        <button
          key={entrant}
          type="button"
          aria-pressed={!selection.hidden.has(entrant)}
          onClick={() => selection.toggle(entrant)}
        >
          <Swatch {...entrantStyle(data, entrant)} />
          {label} <span class="soft">{note?.(entrant)}</span>
        </button>
      ))}
    </div>
  );
}
