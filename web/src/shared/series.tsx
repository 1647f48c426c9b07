/** How the series of plots, tables and legends are told apart: by colours, and for those who see few by marks. */

import { render } from "preact";
import palette from "../../../nonocsp/render/series.json" with { type: "json" };

/** Outlines of about the same size, from their middle; as many as share no factor with the colours. */
const MARKS = ["m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z", "m-3.2-3.2h6.4v6.4h-6.4z", "m0-4.2l4.2 7.4h-8.4z", "m0-4.7l4.7 4.7l-4.7 4.7l-4.7-4.7z", "m0 4.2l4.2-7.4h-8.4z"];
const DASHES = [undefined, "8 4", "2 3", "10 3 2 3"];

/** How a line and its marks are drawn. */
export interface Style {
  stroke: string;
  strokeDasharray?: string | undefined;
  /** A path from where the mark stands. */
  mark: string;
}

export const styleOf = (series: number, dashes = 0): Style => ({
  stroke: `var(--series-${series % palette.light.length})`,
  strokeDasharray: DASHES[(dashes + Math.floor(series / palette.light.length)) % DASHES.length],
  mark: MARKS[series % MARKS.length] as string,
});

/** The mark of a series, with a line through it unless it stands beside a word. */
export function Swatch({ stroke, strokeDasharray, mark, isSingle }: Style & { isSingle?: boolean }) {
  const width = isSingle ? 10 : 34;
  return (
    <svg viewBox={`0 0 ${width} 10`} width={1.2 * width} height="12" class="series" aria-hidden="true">
      {!isSingle && <path d="M0 5h34" fill="none" stroke-width="2" stroke={stroke} stroke-dasharray={strokeDasharray} />}
      <path d={`M${width / 2} 5${mark}`} fill={stroke} />
    </svg>
  );
}

/** Give the page the colours, and their marks to the fields of its tables that name a series. */
export function markSeries(): void {
  palette.light.forEach((light, i) => document.documentElement.style.setProperty(`--series-${i}`, `light-dark(${light}, ${palette.dark[i]})`));
  for (const field of document.querySelectorAll<HTMLElement>("[data-series]")) {
    const place = document.createElement("span");
    field.prepend(place);
    render(<Swatch {...styleOf(Number(field.dataset.series))} isSingle />, place);
  }
}
