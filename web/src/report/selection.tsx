/** Which entrants the plots show: one choice for all of them, made in their legends. */

import { useEffect, useReducer } from "preact/hooks";
import { type Style, styleOf, Swatch } from "../shared/series.tsx";
import type { Data } from "./data.ts";

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

/** One backend has one colour and mark, in whichever campaign; dashes tell campaigns apart. */
export function entrantStyle({ entrants }: Data, entrant: number): Style {
  const { backend, campaign } = entrants[entrant]!;
  return styleOf([...new Set(entrants.map((other) => other.backend))].indexOf(backend), campaign);
}

/** A button for each entrant that shows and hides it. */
export function Legend({ data, selection, note }: { data: Data; selection: Selection; note?(entrant: number): string }) {
  return (
    <div class="legend" role="group" aria-label="Backends shown">
      {data.entrants.map(({ label }, entrant) => (
        <button key={entrant} type="button" aria-pressed={!selection.hidden.has(entrant)} onClick={() => selection.toggle(entrant)}>
          <Swatch {...entrantStyle(data, entrant)} />
          {label} <span class="note">{note?.(entrant)}</span>
        </button>
      ))}
    </div>
  );
}
