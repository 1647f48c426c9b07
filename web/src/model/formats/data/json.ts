/** JSON: what this project writes, exact in both directions, and what other programs write (`json_puzzles.ts`). */

import type { Block } from "../../../core/module.ts";
import { BLACK_AND_WHITE, FileError, isOneColour, type Puzzle, TEXTS } from "../puzzle.ts";
import { certain, type Fields, type Format, type Head, isRecord, no, parseJson, type Source, strong, weak } from "../source.ts";
import { AXES, puzzlesOf } from "./json_puzzles.ts";
import { dump, role } from "./json_values.ts";

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

const CLUES = /"([^"\\]{1,40})"\s*:\s*(?:\[\s*(?:\[\s*(?:[[\]\d]|"\s*\d|$)|[\d\]]|"\s*["\d]|$)|"\s*\d)/g;

function sniff({ text, isCut }: Head) {
  if (!/^\s*(\{|\[\s*[[{"\]])/.test(text)) return no("it does not start as JSON does", 1);
  const names = [...text.matchAll(CLUES)].map(([, key = ""]) => key);
  if (names.includes("rows") && names.includes("columns")) return certain("the lists rows and columns");
  const found = AXES.filter((axis) => names.some((name) => role(name) === axis));
  if (found.length === 2 || (isCut && found.length)) return strong(`clues of ${found.map((axis) => `${axis}s`).join(" and of ")}`);
  const lists = [...text.matchAll(/"([^"\\]{1,40})"\s*:\s*\[/g)].map(([, key = ""]) => role(key));
  if (lists.some((named) => [...AXES, "clues", "goal"].includes(named)) || /^\s*\[\s*\[\s*\[/.test(text)) return strong("lists of clues or cells");
  return weak(`it has no list with clues of ${AXES.find((axis) => !found.includes(axis))}s`, 1);
}

/** The puzzle of a document, the first one if there are several. */
export function decode(document: unknown): Puzzle {
  for (const puzzle of puzzlesOf(document)) return puzzle;
  throw new FileError("no puzzle");
}

function* read(source: Source) {
  const from = source.lines.findIndex(([, text]) => text.trim());
  let start: unknown;
  try {
    start = parseJson(source, source.lines[from]?.[1] ?? "");
  } catch {
    start = undefined; // the document goes on in the next line
  }
  if (!isRecord(start)) return yield* readDocument(source, parseJson(source, source.text), 0);
  for (const [line, text] of source.lines.slice(from)) if (text.trim()) yield* readDocument(source, parseJson(source, text, line), line);
}

function* readDocument(source: Source, document: unknown, line: number) {
  if (Array.isArray(document) && !document.length) return;
  try {
    yield* puzzlesOf(document, (message) => source.note(message));
  } catch (error) {
    throw error instanceof FileError ? error.within({ file: source.name, line }) : error;
  }
}

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

export const jsonHints: Format = { name: "json-hints", suffixes: [], holdsColours: true, sniff, read };
