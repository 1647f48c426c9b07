/** Say what the keys of JSON documents mean, and read their clues, colours and cells (`nonocsp.formats.codecs.data.json_keys` and its neighbours). */

import type { Colour } from "../../picture.ts";
import { complete, hexOf, rgbOf as namedRgb, type Sketch, sketch, WHITE } from "../palettes.ts";
import { puzzleOfRows } from "../pictures/text.ts";
import { BLACK, BLACK_AND_WHITE, FileError, MAX_COLOURS, MAX_LINES, type Puzzle } from "../puzzle.ts";
import { type Fields, isRecord, quoted, unicodeText } from "../source.ts";

export type Token = string | number | undefined;
export type Blocks = [length: number, colour: Token][];
/** The clues of an axis as they stand in the document, each with its place. */
export type Lines = [place: string, clue: unknown][];
/** The rows of a solution: all of them characters, or all of them lists. */
export type Cells = string[] | unknown[][];

const CLUES = "(?:clues?|hints?|defs?|rules?|constraints?|numbers?|descriptions?|specs?|lists?|data|values?)";
const ROW = "(?:rows?|left|horizontals?|horiz|hor|h|across|zeilen?)";
const COLUMN = "(?:columns?|cols?|top|verticals?|vert|ver|v|down|spalten?)";
const COLOUR = "colou?r";
const ROLES = Object.entries({
  row: `${CLUES}?(?:for|of)?${ROW}${CLUES}?`,
  column: `${CLUES}?(?:for|of)?${COLUMN}${CLUES}?`,
  "row colours": `${ROW}${CLUES}?${COLOUR}s?`,
  "column colours": `${COLUMN}${CLUES}?${COLOUR}s?`,
  clues: `${CLUES}|puzzles?|nonograms?|levels?|games?|blocks?|runs|segments?|groups?`,
  goal: "goal|solutions?|answer|grid|image|cells|picture|pixels|bitmap|drawing|board|matrix",
  palette: `palette|${COLOUR}s|${COLOUR}(?:map|table|list)|inks?`,
  colour: `${COLOUR}(?:index|id|name)?|c`,
  length: "lengths?|len|count|n|run",
  height: "height|rowcount|n(?:um)?rows",
  width: "width|col(?:umn)?s?count|n(?:um)?col(?:umn)?s",
  size: "sizes?|dimensions?|shape",
  title: "title|name|titel",
  author: "authors?|by|creator|designer",
  licence: "licen[cs]e|copyright",
  source: "source|url|origin",
}).map(([role, words]) => [role, new RegExp(`^(?:${words})$`)] as const);
const known = new Map<string, string>();
const plainName = (key: string): string => key.replace(/[^\p{L}\p{N}]+/gu, "").toLowerCase();

/** What a key says that its value is; nothing if it is no known word. */
export function role(key: string): string {
  if (key.length > 40) return "";
  const found = known.get(key) ?? ROLES.find(([, words]) => words.test(plainName(key)))?.[0] ?? "";
  if (known.size < 1000) known.set(key, found);
  return found;
}

/** Whether some people use this name of an axis for the other one. */
export const isWeak = (key: string): boolean => /^(?:h|v|hor|ver|horizontals?|verticals?|horiz|vert)$/.test(plainName(key));

/** The keys of a role whose value is good. */
export const keys = (fields: Fields, wanted: string, isGood: (value: unknown) => boolean = () => true): string[] => Object.keys(fields).filter((key) => role(key) === wanted && isGood(fields[key]));

/** The first good value of one of the roles. */
export function first(fields: Fields, wanted: string[], isGood: (value: unknown) => boolean): unknown {
  for (const one of wanted) for (const key of keys(fields, one, isGood)) return fields[key];
  return undefined;
}

/** The place of a value in the list or object at a place. */
export const below = (place: string, key: string | number): string =>
  typeof key === "string" && /^[\w-]{1,40}$/.test(key) ? (place ? `${place}.${key}` : key) : `${place}[${JSON.stringify(key).slice(0, 40)}]`;

/** The start of a value as JSON, for messages. */
export const shown = (value: unknown): string => dump(value).slice(0, 40);

export const dump = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map(dump).join(", ")}]` : isRecord(value) ? `{${Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${dump(item)}`).join(", ")}}` : JSON.stringify(value);

const LENGTHS = /^\s*[[(]?\s*(\d{1,9}(?:(?:[\s,]+|\s*[-.]\s*)\d{1,9})*)?\s*[\])]?\s*$/;

/** Whether a value can be a clue: a list, or a text of numbers. */
export const isClueLike = (value: unknown): boolean => Array.isArray(value) || (typeof value === "string" && LENGTHS.test(value));

/** The clues of an axis: a list, a text with separators or an object; undefined for other values. */
export function linesOf(value: unknown, place: string): Lines | undefined {
  if (typeof value === "string") {
    const separators = new Set(value.match(/[\n;/|]/g));
    return separators.size === 1 ? linesOf(value.replace(/^\n+|\n+$/g, "").split([...separators][0] as string), place) : undefined;
  }
  if (isRecord(value)) {
    const inner = keys(value, "clues", Array.isArray);
    if (inner.length === 1) return linesOf(value[inner[0] as string], below(place, inner[0] as string));
    const numbers = Object.keys(value).map((key) => Number(/^\D{0,10}(\d{1,4})$/.exec(key)?.[1] ?? -1));
    const start = numbers[0] ?? -1;
    return (start === 0 || start === 1) && numbers.every((number, i) => number === start + i) ? Object.entries(value).map(([key, clue]) => [below(place, key), clue]) : undefined;
  }
  if (!Array.isArray(value)) return undefined;
  if (value.length > MAX_LINES) throw new FileError(`${place}: ${value.length} clues`, { expected: `at most ${MAX_LINES}` });
  return value.map((clue, i) => [`${place}[${i}]`, clue]);
}

/** A whole number, which may be a text. */
export const numberOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) ? (value as number) : typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
const isNumber = (value: unknown): boolean => numberOf(value) !== undefined;
const lengthOf = (value: Fields): unknown => first(value, ["length", "clues", "size"], isNumber);

/** The blocks of a list of lengths and a list of their colours. */
export function paired(place: string, lengths: unknown, colours: unknown): Fields[] {
  if (Array.isArray(lengths) && Array.isArray(colours) && lengths.length === colours.length) return lengths.map((length, i) => ({ length, colour: colours[i] }));
  throw new FileError(`${place}: ${shown(colours ?? null)} are the colours`, { expected: "a list with one for each length" });
}

/** The clue in an object, with its colours if they have a list of their own. */
function unwrapped(value: Fields, place: string): unknown {
  const clue = first(value, ["clues", "length"], isClueLike);
  const colours = first(value, ["palette", "colour"], Array.isArray);
  return colours === undefined ? (clue ?? null) : paired(place, clue, colours);
}

/** Reads clues and remembers where colours stand. */
export class ClueReader {
  /** The first pair of numbers, with its place. */
  pair = "";
  readonly places = new Map<Token, string>();
  /** Whether of two numbers the first one is the colour. */
  private readonly colourFirst: boolean;

  constructor(colourFirst: boolean) {
    this.colourFirst = colourFirst;
  }

  /** The blocks of a clue, without the zeros at its ends. */
  clue([place, given]: Lines[number]): Blocks {
    let value = isRecord(given) && lengthOf(given) === undefined ? unwrapped(given, place) : given;
    if (typeof value === "string" && !value.includes("?")) {
      if (!LENGTHS.test(value)) throw new FileError(`${place}: ${shown(value)} is no clue`, { expected: 'lengths, such as "3 1" or [3, 1]' });
      value = (value.match(/\d+/g) ?? []).map(Number);
    }
    const blocks = Array.isArray(value) ? value.map((block, i) => this.block(block, `${place}[${i}]`)) : [this.block(value, place)];
    while (blocks.at(-1)?.[0] === 0) blocks.pop();
    const start = blocks.findIndex(([length]) => length);
    return blocks.slice(Math.max(start, 0));
  }

  private block(value: unknown, place: string): Blocks[number] {
    if (value === null || value === "?") throw new FileError(`${place}: ${shown(value)} is an unknown clue, which is not supported yet`, { expected: "every number of every clue" });
    let [length, colour]: [number | undefined, unknown] = [value === "" ? 0 : numberOf(value), undefined];
    if (Array.isArray(value) && value.length === 2) [length, colour] = this.ofPair(value, place);
    else if (isRecord(value)) [length, colour] = [numberOf(lengthOf(value)), first(value, ["colour"], (one) => one !== null)];
    if (length === undefined || !(colour === undefined || typeof colour === "string" || isNumber(colour)))
      throw new FileError(`${place}: ${shown(value)} is no block`, { expected: 'a length, [length, "colour"] or {"length": 3, "colour": "red"}' });
    if (!this.places.has(colour as Token)) this.places.set(colour as Token, place);
    return [length, colour as Token];
  }

  private ofPair(value: unknown[], place: string): [number | undefined, unknown] {
    const numbers = value.map(numberOf);
    const named = value.findIndex((one, i) => typeof one === "string" && numbers[i] === undefined);
    if (named >= 0) return [numbers[1 - named], value[named]];
    if (numbers[0] !== undefined && typeof value[0] === "number" && typeof value[1] === "string") return [numbers[0], value[1]];
    if (numbers.includes(undefined)) return [undefined, undefined];
    this.pair ||= `${place}: ${shown(value)}`;
    const [colour, length] = this.colourFirst ? value : [...value].reverse();
    return [numberOf(length), colour];
  }
}

const BACKGROUNDS = ["white", "background", "empty", "blank", "none", "transparent", "bg", "paper"];
const EXPECTED = 'a name, "#d7191c" or {"name": "red", "rgb": "#d7191c", "char": "a"} for each colour';

/** The colour that a text names as `#rrggbb`, or nothing. */
function rgbOf(text: string): string {
  const value = text.trim().toLowerCase();
  if (/^(?:[0-9a-f]{3}){1,2}$/.test(value)) return namedRgb(`#${value}`);
  return /^\d+,\d+,\d+$/.test(value) ? hexOf(value.split(",").map(Number)) : namedRgb(value);
}

/** Whether a colour of a cell is the background, in a document without a palette. */
const isBackground = (token: unknown): boolean => typeof token === "string" && (token === "" || BACKGROUNDS.includes(token.toLowerCase()) || rgbOf(token) === WHITE.rgb);

/** The palette of a document, background first, and what its colours are called. */
export class Colours {
  readonly palette: Colour[];
  private readonly known = new Map<Token, number>();
  private readonly isGiven: boolean;

  constructor(given: unknown, used: Iterable<Token>, place: string) {
    this.isGiven = given !== undefined;
    const tokens = [...new Set(used)];
    if (given !== undefined) this.palette = this.ofDocument(given, place, tokens);
    else this.palette = tokens.every((token) => token === undefined) ? BLACK_AND_WHITE : this.ofTokens(tokens);
  }

  /** The number in the palette of the colour that has this number in the cells. */
  number(cell: number): number {
    return this.isGiven ? cell : (this.known.get(cell) ?? cell);
  }

  names(token: string): boolean {
    return this.known.has(token);
  }

  index(token: Token, place: string): number {
    if (token === undefined) return 1;
    const spelling = [token, String(token).toLowerCase(), rgbOf(String(token)), numberOf(token)].find((name) => name !== undefined && this.known.has(name));
    if (spelling !== undefined) return this.known.get(spelling) as number;
    throw new FileError(`${place}: unknown colour ${shown(token)}`, { expected: `one of the palette: ${this.palette.slice(1).map(({ name }) => name).join(", ")}`.slice(0, 200) });
  }

  /** A palette with the colours that are used: numbers first, then names as they come. */
  private ofTokens(tokens: Token[]): Colour[] {
    const numbers = tokens.filter((token) => typeof token === "number").sort((a, b) => a - b);
    const sketches: Sketch[] = [WHITE, ...(tokens.includes(undefined) ? [BLACK] : [])];
    for (const number of numbers) this.known.set(number, sketches.push(sketch({})) - 1);
    for (const name of tokens.filter((token) => typeof token === "string")) {
      const [rgb, isRgb] = [rgbOf(name), name.startsWith("#")];
      if (this.known.has(name.toLowerCase()) || this.known.has(isRgb ? rgb : name)) continue;
      this.call(sketches.length, [name]);
      this.call(sketches.length, [rgb]);
      sketches.push(sketch({ name: isRgb ? "" : unicodeText(name), rgb }));
    }
    return complete(sketches);
  }

  private ofDocument(given: unknown, place: string, tokens: Token[]): Colour[] {
    const pairs: [string, unknown][] = Array.isArray(given) ? given.map((entry) => ["", entry]) : Object.entries(given as Fields);
    const sketches = pairs.map(([key, entry], i) => sketchOf(key, entry, `${place}[${i}]`));
    const [start] = sketches;
    if (!start) throw new FileError(`${place} has no colours`, { expected: EXPECTED });
    const isWhole = Array.isArray(given) && sketches.every(({ name, rgb, char }) => name && rgb && char);
    const isPaper = isWhole || start.rgb === WHITE.rgb || BACKGROUNDS.includes(start.name.toLowerCase());
    const [shift, countsFrom1] = [Number(!isPaper), Number(!isPaper && !tokens.includes(0) && tokens.includes(sketches.length))];
    for (const [i, [key]] of pairs.entries()) {
      const number = /^\d{1,9}$/.test(key) ? Number(key) : i + countsFrom1;
      if (!this.known.has(number)) this.known.set(number, i + shift);
    }
    for (const what of ["name", "rgb", "char"] as const) this.call(shift, sketches.map((one) => one[what])); // a name counts before what else a text may be
    this.call(shift, pairs.map(([key]) => key));
    return isWhole ? sketches : complete([...(isPaper ? [] : [WHITE]), ...sketches]);
  }

  /** Remembers what colours from `start` on are called; what an earlier one is called stays its own. */
  private call(start: number, names: string[]): void {
    for (const spell of [(name: string) => name, (name: string) => name.toLowerCase()])
      for (const [i, name] of names.entries()) if (name && !this.known.has(spell(name))) this.known.set(spell(name), start + i);
  }
}

/** What an entry of a palette says. */
function sketchOf(key: string, entry: unknown, place: string): Sketch {
  const texts = new Map(Object.entries(isRecord(entry) ? entry : {}).map(([name, value]) => [name.toLowerCase(), unicodeText(value)]));
  const said = (...names: string[]) => names.map((name) => texts.get(name)).find(Boolean) ?? "";
  let [name, rgb, char] = [said("name"), said("rgb", "hex", "color", "colour", "value", "code"), said("char", "symbol", "key")];
  if (typeof entry === "string") [rgb, name] = [entry, entry.startsWith("#") ? "" : unicodeText(entry)];
  if (Array.isArray(entry) && entry.length >= 3 && entry.every(Number.isInteger)) rgb = entry.slice(0, 3).join();
  if (key && !/^\d+$/.test(key)) [name, char] = [...key].length > 1 ? [name || key, char] : [name, char || key];
  if (said("name") && said("rgb") && said("char")) return { name, rgb: rgbOf(rgb) || rgb, char };
  const found = { name, rgb: rgbOf(rgb) || rgbOf(name), char };
  if (!(found.name || found.rgb || found.char) || !(typeof entry === "string" || isMany(entry))) throw new FileError(`${place}: ${shown(entry)} is no colour`, { expected: EXPECTED });
  return found;
}

export const isMany = (value: unknown): boolean => typeof value === "object" && value !== null;

/** Whether a value can be a solution. */
export const isDrawing = (value: unknown): boolean => (Array.isArray(value) && value.length > 0) || (typeof value === "string" && value.includes("\n"));

/** The rows of a solution; a plain list of cells has rows of `width` cells. */
export function cellsOf(value: unknown, place: string, width: number | undefined): Cells {
  let rows = typeof value === "string" ? value.replace(/^[\r\n]+|[\r\n]+$/g, "").split(/\r?\n/) : (value as unknown[]);
  if (!rows.some((row) => typeof row === "string" || Array.isArray(row))) {
    if (!width || rows.length % width) throw new FileError(`${place}: ${rows.length} cells`, { expected: "rows, each a list or a text" });
    const all = rows;
    rows = Array.from({ length: all.length / width }, (_, i) => all.slice(i * width, (i + 1) * width));
  }
  const odd = rows.findIndex((row) => typeof row !== "string" && !Array.isArray(row));
  if (odd >= 0) throw new FileError(`${place}[${odd}]: ${shown(rows[odd])} is no row of cells`, { expected: "a list or a text" });
  const lists = rows.map((row) => [...(row as unknown[] | string)]);
  if (lists.length > MAX_LINES || lists.some(({ length }) => length > MAX_LINES)) throw new FileError(`${place}: too many cells`, { expected: `at most ${MAX_LINES}x${MAX_LINES}` });
  if (rows.every((row) => typeof row === "string")) return rows as string[];
  if (lists.every((row) => row.every((cell) => typeof cell === "string" && [...cell].length < 2))) return lists.map((row) => row.map((cell) => cell || " ").join(""));
  const uneven = lists.findIndex((row) => row.length !== lists[0]?.length);
  if (uneven >= 0) throw new FileError(`${place}[${uneven}]: ${lists[uneven]?.length} cells`, { expected: `${lists[0]?.length}, as in the first row` });
  return lists;
}

/** Whether there are cells that are not known. */
export const isPartial = (cells: Cells): boolean => cells.some((row) => (typeof row === "string" ? row.includes("?") : row.some((cell) => cell === null || cell === "?" || (cell as number) < 0)));

/** The colours that lists of cells have beside the background. */
export const tokensOf = (cells: Cells): Token[] =>
  (cells.filter(Array.isArray) as unknown[][])
    .flat()
    .map((cell) => (typeof cell === "boolean" ? Number(cell) : (numberOf(cell) ?? cell)))
    .filter((cell) => (typeof cell === "number" || typeof cell === "string") && cell !== 0 && !isBackground(cell)) as Token[];

/** The grid that cells are in the colours of a puzzle. */
export function gridOf(cells: Cells, place: string, colours: Colours): number[][] {
  if (typeof cells[0] !== "string") return (cells as unknown[][]).map((row, i) => row.map((cell) => cellNumber(cell, `${place}[${i}]`, colours)));
  const chars = new Map(colours.palette.map(({ char }, i) => [char, i]));
  const rows = (cells as string[]).map((row) => [...row]);
  const [odd] = rows.flatMap((row, i) => row.filter((char) => !chars.has(char)).map((char) => [i, char] as const));
  if (!odd) {
    if (rows.some(({ length }) => length !== rows[0]?.length)) throw new FileError(`${place}: the lines of a grid have different lengths`);
    return rows.map((row) => row.map((char) => chars.get(char) as number));
  }
  const drawn: Puzzle | undefined = colours.palette.length === 2 ? puzzleOfRows(cells as string[], place) : undefined;
  if (drawn?.goal && drawn.palette.length === 2) return drawn.rows.map((_, i) => [...(drawn.goal as Uint8Array).subarray(i * drawn.columns.length, (i + 1) * drawn.columns.length)]);
  throw new FileError(`${place}[${odd[0]}]: ${quoted(odd[1])} is no cell`, { expected: `characters of ${[...chars.keys()].join("")}` });
}

function cellNumber(cell: unknown, place: string, colours: Colours): number {
  if (typeof cell === "string" && numberOf(cell) === undefined) return isBackground(cell) && !colours.names(cell) ? 0 : colours.index(cell, place);
  const number = typeof cell === "boolean" ? Number(cell) : numberOf(cell);
  if (number === undefined || number < 0 || number > MAX_COLOURS) throw new FileError(`${place}: ${shown(cell)} is no cell`, { expected: "true or false, the number of a colour or its name" });
  return colours.number(number);
}
