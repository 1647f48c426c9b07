/** Complete palettes for files that say too little about colours, or say what a palette cannot hold; and names for colours as people say them. */

import { type Colour, INKS, type Picture, WHITE as PAPER } from "../picture.ts";
import { BLACK, FileError, isPrintable, MAX_COLOURS } from "./puzzle.ts";
import names from "color-name";
import words from "../../../../nonocsp/formats/colour_words.json" with { type: "json" };
import { type Lab, oklab, oklabOf } from "../oklab.ts";

/** The colour that a name of CSS or #rgb stands for, as #rrggbb; nothing for other words. */
export function rgbOf(word: string): string {
  const value = word.toLowerCase();
  if (/^#[0-9a-f]{6}$/.test(value)) return value;
  if (/^#[0-9a-f]{3}$/.test(value)) return value.replace(/[0-9a-f]/g, "$&$&");
  return hexOf(Object.hasOwn(names, value) ? names[value] : undefined);
}

/** The colour of three parts as #rrggbb; nothing if they are none. */
export const hexOf = (parts: readonly number[] | undefined): string => (parts?.every((part) => part < 256) ? `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}` : "");

let samples: [word: string, lab: Lab][] | undefined;

function described(rgb: string): { lightness: number; word: string } {
  samples ??= Object.entries(words).flatMap(([word, all]) => all.split(" ").map((name): [string, Lab] => [word, oklab(...names[name]!)]));
  const lab = oklabOf(rgb);
  let [best, word] = [Infinity, ""];
  for (const [name, sample] of samples) {
    // Lightness counts half as much as hue: a dark brown is a brown before it is a dark grey.
    const far = 0.25 * (sample[0] - lab[0]) ** 2 + (sample[1] - lab[1]) ** 2 + (sample[2] - lab[2]) ** 2;
    if (far < best) [best, word] = [far, name];
  }
  return { lightness: lab[0], word };
}

/** A different name for each colour `#rrggbb`; a name that is given stays. Colours with one word are told apart by lightness. */
export function colourNames(rgbs: string[], given: string[] = rgbs.map(() => "")): string[] {
  const found = [...given];
  if (found.every(Boolean)) return found;
  const hues = rgbs.map((rgb, place) => ({ place, rgb, ...described(rgb) }));
  const groups = new Map<string, typeof hues>();
  for (const hue of [...hues].sort((a, b) => Math.min(a.lightness, 1 - a.lightness) - Math.min(b.lightness, 1 - b.lightness))) {
    // There is one black and one white; a second colour that is nearly so is a grey.
    const word = ["black", "white"].includes(hue.word) && groups.has(hue.word) ? "grey" : hue.word;
    groups.set(word, [...(groups.get(word) ?? []), hue]);
  }
  const taken = new Set(found.filter(Boolean));
  for (const [word, group] of groups) {
    group.sort((a, b) => b.lightness - a.lightness || (a.rgb < b.rgb ? -1 : a.rgb > b.rgb ? 1 : a.place - b.place));
    let plain = group.findIndex(({ place }) => found[place] === word);
    if (plain < 0 && !taken.has(word) && group.length !== 2) plain = Math.floor(group.length / 2);
    const middle = plain < 0 ? (group.length - 1) / 2 : plain;
    for (const [i, { place }] of group.entries()) {
      if (found[place]) continue;
      const wanted = i === middle ? word : `${i < middle ? "light" : "dark"} ${word}`;
      let name = wanted;
      for (let number = 2; taken.has(name); number++) name = `${wanted} ${number}`;
      found[place] = name;
      taken.add(name);
    }
  }
  return found;
}

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

/** The picture with names for its colours, as people say them. */
export function named(picture: Picture): Picture {
  const rgbs = picture.palette.map(({ rgb }) => rgb);
  const usual = rgbs.map((rgb) => [PAPER, ...INKS].find((ink) => ink.rgb === rgb)?.name ?? "");
  const names = colourNames(rgbs, usual);
  return { ...picture, palette: picture.palette.map((colour, i) => ({ ...colour, name: names[i] as string })) };
}
