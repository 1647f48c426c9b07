/** Complete palettes for files that say too little about colours, or say what a palette cannot hold. */

import type { Colour } from "../picture.ts";
import { WHITE as PAPER } from "../picture.ts";
import { colourNames } from "./colour_names.ts";
import { BLACK, FileError, isPrintable, MAX_COLOURS } from "./puzzle.ts";

const CHARS = "#abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const NAMED = {
  black: "#000000",
  red: "#d7191c",
  blue: "#2c7bb6",
  green: "#1a9641",
  orange: "#fdae61",
  purple: "#7b3294",
  brown: "#8c510a",
  pink: "#f781bf",
  grey: "#888888",
  teal: "#018571",
};
const hex = (value: number, digits = 6) => `#${value.toString(16).padStart(digits, "0")}`;
/** The colours of puzzles that name none, those of `nonocsp.model.palette`. */
export const STOCK: Colour[] = Array.from({ length: MAX_COLOURS }, (_, i) => {
  const [name, rgb] = Object.entries(NAMED)[i] ?? [`colour${i + 1}`, hex(Math.imul(i, 0x9e3779) & 0xffffff)];
  return { name, rgb, char: CHARS[i] as string };
});
const ALL = [PAPER, ...STOCK];
export const STOCK_CHARS = ALL.map(({ char }) => char).join("");
const SPARE_CHARS = `${CHARS}@%&+=*/:;<>!$~^`;

/** What a file says about a colour; empty where it says nothing. */
export interface Sketch {
  name: string;
  rgb: string;
  char: string;
}

export const sketch = (given: Partial<Sketch>): Sketch => ({ name: "", rgb: "", char: "", ...given });
export const WHITE: Sketch = PAPER;

/** Returns the palette that the sketches stand for, background first; what is missing comes from the stock. */
export function complete(sketches: Sketch[]): Colour[] {
  const known = [...sketches];
  if (known.length === 1) known.push(known[0]?.rgb === BLACK.rgb ? WHITE : BLACK);
  checkColourCount(known.length - 1);
  const usual = known.map(({ name, char }) => (name && ALL.find((colour) => colour.name === name)) || (char && ALL.find((colour) => colour.char === char)) || undefined);
  const taken = new Set([...known.map(({ rgb }) => rgb), ...usual.map((colour) => colour?.rgb)]);
  const spare = ALL.filter(({ rgb }) => !taken.has(rgb));
  const rgbs = known.map(({ rgb }, i) => rgb || (usual[i] ?? spare.shift() ?? PAPER).rgb);
  const stocks = rgbs.map((rgb) => ALL.find((colour) => colour.rgb === rgb));
  const chars = uniqueChars(known.map(({ char }, i) => char || (stocks[i]?.char ?? "")));
  const said = new Set(known.map(({ name }) => name));
  const given = known.map(({ name }, i) => {
    const stock = stocks[i]?.name ?? "";
    return name || (said.has(stock) ? "" : stock);
  });
  return colourNames(rgbs, given).map((name, i) => ({ name, rgb: rgbs[i] as string, char: chars[i] as string }));
}

function checkColourCount(count: number): void {
  if (count > MAX_COLOURS) throw new FileError(`${count} colours beside the background, and a puzzle has at most ${MAX_COLOURS}; reduce the colours first`);
}

/** A different character for every colour: the wanted one where a palette can have it, else a spare one. */
export function uniqueChars(wanted: string[], forbidden = ""): string[] {
  const taken = new Set(`${forbidden}?`);
  const given = wanted.map((char) => {
    const isGood = [...char].length === 1 && isPrintable(char) && !taken.has(char);
    if (isGood) taken.add(char);
    return isGood ? char : undefined;
  });
  const spare = [...new Set(SPARE_CHARS)].filter((char) => !taken.has(char));
  return given.map((char) => char ?? (spare.shift() as string));
}
