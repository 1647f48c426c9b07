/**
 * JSON of other programs in one colour, only read: lists of clues under one of many names (`rowHints` and `colHints`,
 * `row_clues` and `col_clues`, `rows` and `cols`).
 */

import type { Block } from "../../../core/module.ts";
import { type Format, no, strong, weak } from "../base.ts";
import { FileError, MAX_LINES, plain, type Puzzle, puzzleOf, puzzleOfGrid } from "../puzzle.ts";
import { type Fields, isRecord, parseJson, quoted, type Source, unicodeText, words } from "../source.ts";

const WORD = "(?:s|hints?|clues?|defs?|rules?|constraints?|numbers?|descriptions?)?";
const NAMES = { row: new RegExp(`^rows?${WORD}$`), column: new RegExp(`^(?:cols?|columns?)${WORD}$`) };
const SETS = ["nonograms", "puzzles", "levels", "data"];
const PICTURES = ["solution", "grid", "image", "goal"];
const TEXTS = { title: ["title", "name"], author: ["author", "by"], licence: ["licence", "license"], source: ["source"] };
const LENGTHS = /^[0-9]{1,9}(?:[\s,]+[0-9]{1,9})*$/;

type AxisName = keyof typeof NAMES;
const isNamed = (name: string, axis: AxisName): boolean => NAMES[axis].test(name.toLowerCase().replace(/[_-]/g, ""));

export const jsonHints: Format = {
  name: "json-hints",
  suffixes: [],
  sniff({ text }) {
    if (!/^\s*[{[]/.test(text)) return no("it starts with neither { nor [", 1);
    const keys = new Map([...text.matchAll(/"([A-Za-z_-]{3,24})"\s*:\s*([[{"])/g)].reverse().map(([, key = "", mark = ""]) => [key.toLowerCase(), mark]));
    const axes = new Map([...keys].flatMap(([name, mark]) => (mark === "[" ? (["row", "column"] as const).filter((axis) => isNamed(name, axis)).map((axis) => [axis, name] as const) : [])));
    if (axes.get("row") === "rows" && axes.get("column") === "columns") return no("it has rows and columns, as the project's own JSON", 1);
    if (axes.size === 2) return strong(`a JSON document with ${[...axes.values()].join(" and ")}`);
    if (keys.get("image") === "[" && keys.size <= 5) return weak("a JSON document with an image");
    return no("no lists with clues of rows and of columns, such as rowHints and colHints", 1);
  },
  *read(source) {
    const document = parseJson(source, source.text);
    const key = isRecord(document) ? Object.keys(document).find((name) => SETS.includes(name.toLowerCase()) && Array.isArray(document[name])) : "";
    const items = isRecord(document) ? (key ? (document[key] as unknown[]) : undefined) : Array.isArray(document) ? document : [document];
    if (!items) yield named(source, "", () => readPuzzle(document));
    else for (const [i, item] of items.entries()) yield named(source, `${key}[${i}]`, () => readPuzzle(item));
  },
};

/** Names the place in a set in the error of a puzzle. */
function named(source: Source, place: string, read: () => Puzzle): Puzzle {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw source.error(place ? `${place}: ${error.fault}` : error.fault, { expected: error.place.expected });
  }
}

function readPuzzle(item: unknown): Puzzle {
  if (!isRecord(item)) throw new FileError("no object", { expected: "an object with the clues of rows and columns" });
  const nested = Object.entries(item).find(([key]) => key.toLowerCase() === "clues")?.[1];
  const clues = isRecord(nested) ? nested : item;
  const [rows, columns] = [axisOf(clues, "row"), axisOf(clues, "column")];
  const goal = goalOf(item);
  const texts = Object.fromEntries(
    Object.entries(TEXTS).map(([field, keys]) => [field, Object.entries(item).filter(([key]) => keys.includes(key.toLowerCase())).map(([, value]) => unicodeText(value)).find(Boolean) ?? ""]),
  );
  if (!rows && !columns && goal) return puzzleOfGrid(goal, texts);
  if (!rows || !columns) {
    const axis = rows ? "column" : "row";
    throw new FileError(`no clues of ${axis}s`, { expected: `a list of clues under a name such as ${axis}s, ${axis}Hints or ${axis}_clues` });
  }
  return puzzleOf({ rows, columns, goal: goal && Uint8Array.from(goal.flat()), ...texts });
}

function axisOf(item: Fields, axis: AxisName): Block[][] | undefined {
  const found = Object.entries(item).filter(([name, value]) => isNamed(name, axis) && Array.isArray(value)) as [string, unknown[]][];
  const [first, second] = found;
  if (!first) return undefined;
  if (second) throw new FileError(`${quoted(first[0])} and ${quoted(second[0])} are both clues of ${axis}s`, { expected: "one of them" });
  if (first[1].length > MAX_LINES) throw new FileError(`${first[1].length} ${axis}s`, { expected: `at most ${MAX_LINES}` });
  return first[1].map((clue, i) => clueOf(clue, `${first[0]}[${i}]`));
}

function clueOf(value: unknown, place: string): Block[] {
  if (value === null) throw new FileError(`${place} is null, a clue that is not told`, { expected: "every clue; a puzzle with unknown clues cannot be read" });
  let lengths: unknown = Number.isSafeInteger(value) ? [value] : value;
  if (typeof value === "string" && (!value.trim() || LENGTHS.test(value.trim()))) lengths = words(value.replaceAll(",", " ")).map(Number);
  if (!Array.isArray(lengths) || !lengths.every(Number.isSafeInteger))
    throw new FileError(`${place}: ${(JSON.stringify(value) ?? "").slice(0, 40)} is no clue of one colour`, { expected: "lengths, such as [3, 1]" });
  return plain(lengths.length === 1 && lengths[0] === 0 ? [] : (lengths as number[]));
}

/** The solution, undefined if there is none or a cell is not known. */
function goalOf(item: Fields): number[][] | undefined {
  const value = Object.entries(item).find(([key, found]) => PICTURES.includes(key.toLowerCase()) && Array.isArray(found))?.[1] as unknown[] | undefined;
  if (!value?.length || value.length > MAX_LINES) return undefined;
  const rows = value.map((row) => (typeof row === "string" ? [...row] : Array.isArray(row) ? row : [undefined]).map(cellOf));
  if (new Set(rows.map(({ length }) => length)).size !== 1 || !rows[0]?.length || rows.some((row) => row.includes(undefined))) return undefined;
  return rows as number[][];
}

function cellOf(value: unknown): number | undefined {
  if (typeof value === "boolean" || value === 0 || value === 1) return Number(value);
  return typeof value !== "string" || [...value].length !== 1 ? undefined : "#xX1*@■█".includes(value) ? 1 : " ._-0".includes(value) ? 0 : undefined;
}
