/** What the board says. */

import type { Clues } from "../core/module.ts";
import type { Colour } from "../model/picture.ts";
import { colourName } from "../shared/colours.ts";
import { type Language, language, useLanguage } from "../shared/language.ts";
import type { Line } from "./lines.ts";

const en = {
  row: (n: number) => `Row ${n}`,
  column: (n: number) => `Column ${n}`,
  empty: "no block",
  larger: "Larger cells",
  smaller: "Smaller cells",
  fit: "Fit",
};

const de: typeof en = {
  row: (n) => `Zeile ${n}`,
  column: (n) => `Spalte ${n}`,
  empty: "kein Block",
  larger: "Größere Felder",
  smaller: "Kleinere Felder",
  fit: "Einpassen",
};

const TABLES: Record<Language, typeof en> = { en, de };

export const useBoardTexts = () => TABLES[useLanguage()];

/** The clue of a line in words. */
export function clueText(t: typeof en, { axis, index }: Line, { rows, columns, colours }: Clues, palette: Colour[]): string {
  const blocks = (axis === "row" ? rows : columns)[index] ?? [];
  const said = blocks.map(({ length, colour }) => (colours > 2 ? `${length} ${colourName(palette[colour]?.name, language())}` : length));
  return `${t[axis](index + 1)}: ${said.join(colours > 2 ? ", " : " ") || t.empty}`;
}
