/** What several galleries show: small boards with framed cells, links to play, and the choice of order and level. */

import { useMemo, useState } from "preact/hooks";
import { SmallBoard } from "../board/small.tsx";
import { isPlain } from "../model/picture.ts";
import { isPlayable } from "../player/puzzle.ts";
import { LEVELS } from "../shared/language.ts";
import { Choice } from "../shared/controls.tsx";
import { cellsOf, type Grid, type Place } from "./data.ts";
import type { GalleryTexts } from "./texts.ts";

export function Cells({ grid, cells, label, framed }: { grid: Grid; cells: string; label: string; framed?: Place[] }) {
  const unpacked = useMemo(() => cellsOf(grid, cells), [grid, cells]);
  const inks = isPlain(grid.palette) ? ["var(--paper)", "var(--ink)"] : grid.palette.map(({ rgb }) => rgb);
  return <SmallBoard rows={grid.rows} columns={grid.columns} cells={unpacked} inks={inks} label={label} framed={framed ?? []} />;
}

/** Leads to a puzzle of the page, counted from 1, which is played on the page itself unless it is too large. */
export function PlayLink({ grid, number, t }: { grid: Grid; number: number; t: GalleryTexts }) {
  return isPlayable(grid.rows, grid.columns) ? (
    <a class="button" href={`#${number}`} aria-label={t.playNumber(number)}>{t.play}</a>
  ) : null;
}

/** Items of a level, in an order; items that are equal in it stay as they were given. */
export function useSelection<T extends { level: string | null }, Key extends string>(items: T[], first: Key, values: Record<Key, (item: T) => number>) {
  const [order, orderBy] = useState(first);
  const [level, setLevel] = useState("");
  const chosen = items.filter((item) => !level || item.level === level);
  chosen.sort((a, b) => values[order](a) - values[order](b));
  return { chosen, order, orderBy, level, setLevel };
}

const LADDER = Object.keys(LEVELS.en);

export const levelValue = ({ level }: { level: string | null }) => (level ? LADDER.indexOf(level) : LADDER.length);

/** The choice of a level, if the items have several. */
export function LevelChoice({ items, level, shown, onChoose, t }: { items: { level: string | null }[]; level: string; shown: number; onChoose(level: string): void; t: GalleryTexts }) {
  const levels = LADDER.filter((name) => items.some((item) => item.level === name));
  if (levels.length < 2) return null;
  return (
    <>
      <Choice id="level" label={t.filter} options={[["", t.anyLevel], ...levels.map((name) => [name, t.levels[name] ?? name] as const)]} value={level} onChange={onChoose} />
      <span class="note" role="status">{level && t.shown(shown, items.length)}</span>
    </>
  );
}
