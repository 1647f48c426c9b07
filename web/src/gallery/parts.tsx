/** What several galleries show: pictures with framed cells, and the choice of order and level. */

import { useState } from "preact/hooks";
import { LEVELS } from "../shared/language.ts";
import { Choice } from "../shared/controls.tsx";
import type { Place } from "./data.ts";
import type { GalleryTexts } from "./texts.ts";

export interface PictureProps {
  image: string;
  alt: string;
  rows?: number;
  columns?: number;
  framed?: Place[];
}

/** A picture of cells, with frames around some. */
export function Picture({ image, alt, rows = 1, columns = 1, framed = [] }: PictureProps) {
  return (
    <span class="framed">
      <img class="cells" src={image} alt={alt} />
      {framed.length > 0 && (
        <svg viewBox={`0 0 ${columns} ${rows}`} aria-hidden="true">
          {framed.map(([row, column]) => (
            <rect key={`${row},${column}`} x={column + 0.12} y={row + 0.12} width=".76" height=".76" />
          ))}
        </svg>
      )}
    </span>
  );
}

/** Items of a level, in an order, which `orderBy` chooses, a second time the other way round; items that are equal in it stay as they were given. */
export function useSelection<T extends { level: string | null }, Key extends string>(items: T[], first: Key, values: Record<Key, (item: T) => number | string>) {
  const [order, setOrder] = useState(first);
  const [isDescending, setDescending] = useState(false);
  const [level, setLevel] = useState("");
  const chosen = items.filter((item) => !level || item.level === level);
  const value = values[order];
  const compared = (a: T, b: T) => {
    const [x, y] = [value(a), value(b)];
    return typeof x === "string" ? x.localeCompare(String(y)) : x - Number(y);
  };
  chosen.sort((a, b) => (isDescending ? -1 : 1) * compared(a, b));
  const orderBy = (key: Key) => {
    setDescending(key === order && !isDescending);
    setOrder(key);
  };
  return { chosen, order, isDescending, orderBy, level, setLevel };
}

const LADDER = Object.keys(LEVELS.en);

export const levelValue = ({ level }: { level: string | null }) => (level ? LADDER.indexOf(level) : LADDER.length);

interface LevelChoiceProps {
  items: { level: string | null }[];
  level: string;
  shown: number;
  onChoose(level: string): void;
  t: GalleryTexts;
}

/** The choice of a level, if the items have several. */
export function LevelChoice({ items, level, shown, onChoose, t }: LevelChoiceProps) {
  const levels = LADDER.filter((name) => items.some((item) => item.level === name));
  if (levels.length < 2) return null;
  return (
    <>
      <Choice id="level" label={t.filter} options={[["", t.anyLevel], ...levels.map((name) => [name, t.levels[name] ?? name] as const)]} value={level} onChange={onChoose} />
      <span class="note" role="status">
        {level && t.shown(shown, items.length)}
      </span>
    </>
  );
}
