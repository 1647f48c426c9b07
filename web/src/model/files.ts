/**
 * The project's JSON and `.non` files, read and written in the browser, and puzzles in links. What is read may
 * come from anywhere: every value is checked, and a refusal says what was expected.
 */

import type { Block, Clues } from "../core/module.ts";
import { type Colour, cluesOf, INKS, MOST_COLOURS, MOST_LINES, type Picture, WHITE } from "./picture.ts";

/** A file that is no puzzle; the message says why. */
export class FileError extends Error {}

/** A puzzle without its picture: the clues have to be solved first. */
export interface Unsolved {
  title: string;
  palette: Colour[];
  clues: Clues;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function readFile(text: string): Picture | Unsolved {
  return text.trimStart().startsWith("{") ? readJson(text) : readNon(text);
}

export function writeJson(picture: Picture): string {
  const { title, palette } = picture;
  const clues = cluesOf(picture);
  const isPlain = palette.length === 2 && palette[1]?.rgb === "#000000" && palette[0]?.rgb === "#ffffff";
  const lines = (side: Block[][]) =>
    side.map((blocks) => blocks.map(({ length, colour }) => (isPlain ? length : [length, palette[colour]?.name])));
  const list = (items: unknown[]) => `[\n    ${items.map((item) => JSON.stringify(item)).join(",\n    ")}\n  ]`;
  const parts = [
    title && `"title": ${JSON.stringify(title)}`,
    !isPlain && `"palette": ${list(palette)}`,
    `"rows": ${list(lines(clues.rows))}`,
    `"columns": ${list(lines(clues.columns))}`,
    `"goal": ${list(goalOf(picture, isPlain ? [".", "#"] : palette.map(({ char }) => char)))}`,
  ];
  return `{\n  ${parts.filter(Boolean).join(",\n  ")}\n}\n`;
}

export function writeNon(picture: Picture): string {
  const { title, palette, rows, columns } = picture;
  const clues = cluesOf(picture);
  const keys = palette.map(({ char }, i) => (i < 2 ? String(i) : char));
  const clue = (blocks: Block[]) =>
    blocks.map(({ length, colour }) => `${length}${colour > 1 ? keys[colour] : ""}`).join(",") || "0";
  const escaped = title.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const text = [
    ...(title ? [`title "${escaped}"`] : []),
    ...(palette.length > 2 ? palette.slice(1).map(({ rgb }, i) => `color ${keys[i + 1]} ${rgb}`) : []),
    `width ${columns}`,
    `height ${rows}`,
    "",
    "rows",
    ...clues.rows.map(clue),
    "",
    "columns",
    ...clues.columns.map(clue),
    "",
    `goal "${goalOf(picture, keys).join("")}"`,
  ];
  return `${text.join("\n")}\n`;
}

function goalOf({ rows, columns, cells }: Picture, chars: string[]): string[] {
  return Array.from({ length: rows }, (_, row) =>
    Array.from(cells.subarray(row * columns, (row + 1) * columns), (colour) => chars[colour]).join(""),
  );
}

function readJson(text: string): Picture | Unsolved {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new FileError("this is no valid JSON");
  }
  if (!isRecord(value)) throw new FileError("a puzzle is an object with rows and columns");
  const title = typeof value.title === "string" ? value.title : "";
  const palette = value.palette === undefined ? [WHITE, INKS[0] as Colour] : readPalette(value.palette);
  if (value.goal !== undefined) return pictureOf(title, palette, value.goal);
  const lines = (side: unknown, name: string): Block[][] => {
    if (!Array.isArray(side)) throw new FileError(`${name} is missing: expected a list of clues`);
    return side.map((clue: unknown) => {
      if (!Array.isArray(clue)) throw new FileError(`a clue of ${name} is not a list`);
      return clue.map((block: unknown) => {
        const [length, name] = Array.isArray(block) ? (block as unknown[]) : [block, palette[1]?.name];
        return checkedBlock(length, palette.findIndex((colour) => colour.name === name));
      });
    });
  };
  const clues = { colours: palette.length, rows: lines(value.rows, "rows"), columns: lines(value.columns, "columns") };
  return unsolved(title, palette, clues);
}

function readPalette(value: unknown): Colour[] {
  const isColour = (colour: unknown): colour is Colour =>
    isRecord(colour) &&
    typeof colour.name === "string" &&
    typeof colour.char === "string" &&
    [...colour.char].length === 1 &&
    typeof colour.rgb === "string" &&
    /^#[0-9a-f]{6}$/i.test(colour.rgb);
  if (!Array.isArray(value) || !value.every(isColour))
    throw new FileError('palette: expected colours such as {"name": "red", "rgb": "#ff0000", "char": "r"}');
  if (value.length < 2 || value.length > MOST_COLOURS)
    throw new FileError(`palette: expected 2 to ${MOST_COLOURS} colours, the background included`);
  if (new Set(value.map(({ char }) => char)).size < value.length || new Set(value.map(({ name }) => name)).size < value.length)
    throw new FileError("palette: two colours have the same name or character");
  return value.map(({ name, rgb, char }) => ({ name: name.slice(0, 40), rgb, char }));
}

function pictureOf(title: string, palette: Colour[], goal: unknown): Picture {
  if (!Array.isArray(goal) || !goal.every((row) => typeof row === "string"))
    throw new FileError("goal: expected a list of rows, one character a cell");
  const colours = new Map(palette.map(({ char }, i) => [char, i]));
  const rows = goal.map((row) => [...row].map((char) => colours.get(char) ?? -1));
  const columns = rows[0]?.length ?? 0;
  checkSize(rows.length, columns);
  if (rows.some((row) => row.length !== columns)) throw new FileError("goal: the rows have different lengths");
  if (rows.flat().includes(-1)) throw new FileError("goal: a character is not in the palette");
  return { title: title.slice(0, 200), palette, rows: rows.length, columns, cells: Uint8Array.from(rows.flat()) };
}

function unsolved(title: string, palette: Colour[], clues: Clues): Unsolved {
  checkSize(clues.rows.length, clues.columns.length);
  return { title: title.slice(0, 200), palette, clues };
}

function checkedBlock(length: unknown, colour: number): Block {
  if (typeof length !== "number" || !Number.isInteger(length) || length < 1 || length > MOST_LINES)
    throw new FileError(`${JSON.stringify(length)} is no length of a block: expected 1 to ${MOST_LINES}`);
  if (colour < 1) throw new FileError("a block has an unknown colour");
  return { length, colour };
}

function checkSize(rows: number, columns: number): void {
  if (rows < 1 || columns < 1 || rows > MOST_LINES || columns > MOST_LINES)
    throw new FileError(`${rows}x${columns}: expected 1 to ${MOST_LINES} rows and columns`);
}

function readNon(text: string): Picture | Unsolved {
  const values = new Map<string, string>();
  const colours = new Map<string, string>();
  const sections = new Map<string, string[]>();
  let section: string[] | undefined;
  for (const raw of text.split(/\r?\n/)) {
    const said = raw.trim();
    const [key = "", ...rest] = said.split(/\s+/);
    if (key === "rows" || key === "columns") sections.set(key, (section = []));
    else if (key === "color" && rest.length === 2) colours.set(rest[0] as string, (rest[1] as string).toLowerCase());
    else if (["title", "width", "height", "goal"].includes(key)) values.set(key, said.slice(key.length).trim());
    else if (section && /^[0-9]/.test(said)) section.push(said);
    else if (said === "====") break;
  }
  if (!sections.has("rows") || !sections.has("columns"))
    throw new FileError("expected the project's JSON, or a .non file with rows and columns");
  const unquoted = (value = "") => value.replace(/^"(.*)"$/, "$1");
  const inks = ["1", ...[...colours.keys()].filter((ink) => ink !== "1" && ink !== "0")];
  const palette = [{ ...WHITE, rgb: colours.get("0") ?? WHITE.rgb }, ...inks.map((ink, i) => inkOf(ink, i, colours.get(ink)))];
  if (palette.length > MOST_COLOURS) throw new FileError(`expected at most ${MOST_COLOURS} colours`);
  const title = unquoted(values.get("title")).replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  const clue = (said: string): Block[] =>
    said
      .split(/[\s,]+/)
      .filter((block) => block && block !== "0")
      .map((block) => {
        const [, length, ink] = /^([0-9]+)(.*)$/.exec(block) ?? [];
        return checkedBlock(Number(length), 1 + inks.indexOf(ink || "1"));
      });
  const lines = (name: string) => (sections.get(name) ?? []).map(clue);
  const clues = { colours: palette.length, rows: lines("rows"), columns: lines("columns") };
  const goal = unquoted(values.get("goal"));
  if (!goal) return unsolved(title, palette, clues);
  const width = clues.columns.length || 1;
  const rows = Array.from({ length: clues.rows.length }, (_, i) => goal.slice(i * width, (i + 1) * width));
  const keys = ["0", ...inks];
  const named = palette.map((colour, i) => ({ ...colour, char: keys[i] as string }));
  return { ...pictureOf(title, named, rows), palette };
}

function inkOf(key: string, index: number, rgb: string | undefined): Colour {
  const usual = INKS[index] as Colour;
  const known = INKS.find((ink) => ink.rgb === rgb);
  const valid = rgb && /^#[0-9a-f]{6}$/.test(rgb) ? rgb : usual.rgb;
  return { name: known?.name ?? (rgb ? `colour ${key}` : usual.name), rgb: valid, char: key === "1" ? "#" : key };
}

/** The part of a link after `#`: the file, so that whoever opens it needs nothing else. */
export function linkOf(picture: Picture): string {
  const bytes = new TextEncoder().encode(JSON.stringify({ ...picture, cells: undefined, goal: goalOf(picture, picture.palette.map(({ char }) => char)) }));
  return `p=${btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** The puzzle of a link, undefined if there is none in it. */
export function readLink(hash: string): Picture | undefined {
  const packed = /^#?p=([\w-]+)$/.exec(hash)?.[1];
  if (!packed) return undefined;
  let read: Picture | Unsolved;
  try {
    const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
    read = readFile(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw new FileError(`the link is damaged: ${error instanceof FileError ? error.message : "it is cut off"}`);
  }
  if (!("cells" in read)) throw new FileError("the link is damaged: it has no picture");
  return read;
}
