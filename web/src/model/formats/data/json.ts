/** The project's own JSON: everything that a puzzle has, exact in both directions; one object, a list, or an object a line. */

import type { Block } from "../../../core/module.ts";
import type { Colour } from "../../picture.ts";
import { certain, type Format, no, strong, weak } from "../base.ts";
import { BLACK_AND_WHITE, FileError, isOneColour, type Puzzle, puzzleOf, puzzleOfGrid, TEXTS } from "../puzzle.ts";
import { type Fields, type Head, isRecord, parseJson, quoted, type Source } from "../source.ts";

/** The document of a puzzle, as `nonocsp.formats.codecs.data.json_files.encode` makes it. */
export function encode(puzzle: Puzzle): Fields {
  const { palette, goal, columns } = puzzle;
  const texts = Object.fromEntries(TEXTS.filter((key) => puzzle[key]).map((key) => [key, puzzle[key]]));
  const isUsual = isOneColour(puzzle) && palette.every((colour, i) => (["name", "rgb", "char"] as const).every((key) => colour[key] === BLACK_AND_WHITE[i]?.[key]));
  const side = (clues: Block[][]) => clues.map((clue) => clue.map(({ length, colour }) => (isOneColour(puzzle) ? length : [length, palette[colour]?.name])));
  return {
    ...texts,
    ...(isUsual ? {} : { palette: palette.map(({ name, rgb, char }) => ({ name, rgb, char })) }),
    rows: side(puzzle.rows),
    columns: side(columns),
    ...(goal ? { goal: puzzle.rows.map((_, i) => Array.from(goal.subarray(i * columns.length, (i + 1) * columns.length), (cell) => palette[cell]?.char).join("")) } : {}),
  };
}

/** The puzzle of a document. A picture alone, a goal without clues, is one, too. */
export function decode(document: unknown): Puzzle {
  if (!isRecord(document)) throw new FileError("not a JSON object", { expected: 'an object with "rows" and "columns"' });
  const palette = document.palette === undefined ? BLACK_AND_WHITE : paletteOf(document.palette);
  const texts = Object.fromEntries(
    TEXTS.filter((key) => document[key] !== undefined).map((key) => {
      const text = document[key];
      if (typeof text === "string" && !/\p{Cs}/u.test(text)) return [key, text];
      throw new FileError(`"${key}" is not a text`, { expected: "a string of Unicode characters" });
    }),
  );
  const goal = document.goal === undefined || document.goal === null ? undefined : goalOf(document.goal, palette);
  const isPicture = goal && !Array.isArray(document.rows) && !Array.isArray(document.columns);
  const rows = isPicture ? [] : cluesOf(document, "rows", palette);
  const columns = isPicture ? [] : cluesOf(document, "columns", palette);
  if (!isPicture) return puzzleOf({ rows, columns, palette, goal: goal && Uint8Array.from(goal.flat()), ...texts });
  return puzzleOfGrid(goal, { palette, ...texts });
}

function paletteOf(value: unknown): Colour[] {
  if (!Array.isArray(value)) throw new FileError('"palette" is not a list', { expected: "a list of colours, background first" });
  return value.map((colour: unknown, i) => {
    if (isRecord(colour)) {
      const { name, rgb, char } = colour;
      if (typeof name === "string" && typeof rgb === "string" && typeof char === "string" && !/\p{Cs}/u.test(name)) return { name, rgb: rgb.toLowerCase(), char };
    }
    throw new FileError(`palette[${i}] is no colour`, { expected: '{"name": "red", "rgb": "#d7191c", "char": "a"}, all three of them' });
  });
}

function cluesOf(document: Fields, axis: string, palette: Colour[]): Block[][] {
  const clues = document[axis];
  if (!Array.isArray(clues)) throw new FileError(`no list "${axis}"`, { expected: 'the keys "rows" and "columns", each a list of clues' });
  const colours = new Map(palette.map(({ name }, i) => [name, i]));
  return clues.map((clue: unknown, i) => {
    const place = `${axis}[${i}]`;
    if (!Array.isArray(clue)) throw new FileError(`${place} is not a list`, { expected: "a clue such as [3, 1], or [] for an empty line" });
    if (clue.length === 1 && clue[0] === 0) return [];
    return clue.map((block: unknown) => {
      if (Number.isSafeInteger(block)) return { length: block as number, colour: 1 };
      const [length, name] = Array.isArray(block) && block.length === 2 ? (block as unknown[]) : [];
      if (!Number.isSafeInteger(length) || typeof name !== "string")
        throw new FileError(`${place}: ${(JSON.stringify(block) ?? "").slice(0, 40)} is no block`, { expected: 'a length or [length, "colour"]' });
      const colour = colours.get(name);
      if (colour === undefined) throw new FileError(`${place}: unknown colour ${quoted(name)}`, { expected: `one of the palette: ${[...colours.keys()].slice(1).join(", ")}` });
      return { length: length as number, colour };
    });
  });
}

function goalOf(value: unknown, palette: Colour[]): number[][] {
  if (!Array.isArray(value) || !value.every((line) => typeof line === "string"))
    throw new FileError('"goal" is no grid', { expected: "a list of strings, one character a cell" });
  const colours = new Map(palette.map(({ char }, i) => [char, i]));
  const grid = value.map((line: string, row) =>
    Array.from(line, (char, column) => {
      const colour = colours.get(char);
      if (colour !== undefined) return colour;
      throw new FileError(`goal: row ${row + 1}, column ${column + 1} is ${quoted(char)}`, { expected: `one of ${[...colours.keys()].join(" ")}` });
    }),
  );
  if (new Set(grid.map(({ length }) => length)).size > 1) throw new FileError("goal: the rows have different lengths", { expected: "equal ones" });
  return grid;
}

const START = /^\s*(\{|\[\s*[[{"\]])/;

function sniff({ text, isCut }: Head) {
  if (!START.test(text)) return no("it does not start as JSON does", 1);
  const missing = ["rows", "columns"].filter((axis) => !new RegExp(`"${axis}"\\s*:\\s*\\[\\s*(\\[\\s*([[\\]\\d]|$)|\\]|$)`).test(text));
  if (!missing.length) return certain("the lists rows and columns");
  if (isCut && missing.length === 1) return strong("a list of clues");
  if (/^\s*\{/.test(text) && /"goal"\s*:\s*\[\s*"/.test(text)) return strong("a goal");
  return weak(`it has no list of clues "${missing[0]}"`, 1);
}

function* read(source: Source) {
  const first = source.lines.findIndex(([, text]) => text.trim());
  const at = (value: unknown, line: number, number = 0) => {
    try {
      return decode(value);
    } catch (error) {
      throw error instanceof FileError ? error.within({ file: number ? `${source.name}#${number}` : source.name, line }) : error;
    }
  };
  let start: unknown;
  try {
    start = parseJson(source, source.lines[first]?.[1] ?? "");
  } catch {
    start = undefined; // the document goes on in the next line
  }
  if (isRecord(start)) {
    for (const [line, text] of source.lines.slice(first)) if (text.trim()) yield at(parseJson(source, text, line), line);
    return;
  }
  const document = parseJson(source, source.text);
  if (!Array.isArray(document)) yield at(document, 0);
  else for (const [i, item] of document.entries()) yield at(item, 0, i + 1);
}

const dump = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map(dump).join(", ")}]` : isRecord(value) ? `{${Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${dump(item)}`).join(", ")}}` : JSON.stringify(value);

export const json: Format = {
  name: "json",
  suffixes: [".json"],
  holdsColours: true,
  sniff,
  read,
  write(puzzle) {
    const entries = Object.entries(encode(puzzle)).map(([key, value]) =>
      Array.isArray(value) ? `  "${key}": [\n${value.map((item) => `    ${dump(item)}`).join(",\n")}\n  ]` : `  "${key}": ${dump(value)}`,
    );
    return `{\n${entries.join(",\n")}\n}\n`;
  },
};

export const jsonl: Format = { name: "jsonl", suffixes: [".jsonl", ".ndjson"], holdsColours: true, sniff, read, write: (puzzle) => `${JSON.stringify(encode(puzzle))}\n` };
