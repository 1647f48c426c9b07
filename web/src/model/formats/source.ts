/**
 * What is read: a file as text, with its lines and the place of a fault, and what a format of files is. Text is UTF-8, with or without a byte order
 * mark, UTF-16 with such a mark, or Latin-1 as Windows extends it; the last two give a note.
 */

import type { Block, ListRecord } from "../../core/module.ts";
import { FileError, MAX_LINES, type Place, type Puzzle } from "./puzzle.ts";

/** Of a file: far more than any puzzle that can be shown. */
export const FILE_BYTES = 4 << 20;
export const HEAD_CHARACTERS = 8192;
const FILE_LINES = 1 << 18;
const JSON_MARKS = { "[": 1 << 17, "{": 1 << 15, ",": 1 << 20 };

export type NumberedLine = [number: number, text: string];

/** The first lines of a file, and whether the file goes on behind them. */
export interface Head {
  text: string;
  isCut: boolean;
  /** What the core says of the file in each dialect of number lists. */
  lists: Lists;
}

export type Lists = { readonly [dialect: string]: ListRecord | undefined };

export class Source {
  readonly notes: string[] = [];
  readonly name: string;
  readonly text: string;
  /** Filled by who has a core. */
  lists: Lists = {};
  private split: NumberedLine[] | undefined;

  constructor(name: string, text: string) {
    this.name = name;
    this.text = text;
  }

  /** The lines without their ends, LF or CRLF, each with its number from 1. */
  get lines(): NumberedLine[] {
    if (this.split) return this.split;
    const all = this.text.split("\n", FILE_LINES + 2);
    if (all.length > 1 && all.at(-1) === "") all.pop();
    if (all.length > FILE_LINES) throw this.error("too many lines", { expected: `at most ${FILE_LINES}` });
    this.split = all.map((line, i) => [i + 1, withoutEnd(line, "\r")]);
    return this.split;
  }

  get head(): Head {
    const { text, lists } = this;
    if (text.length <= HEAD_CHARACTERS) return { text, isCut: false, lists };
    const end = text.indexOf("\n", HEAD_CHARACTERS - 1);
    return { text: text.slice(0, end < 0 ? 2 * HEAD_CHARACTERS : Math.min(end + 1, 2 * HEAD_CHARACTERS)), isCut: true, lists };
  }

  /** Tells of something that a reader took or left out on its own. */
  note(message: string, line = 0): void {
    this.notes.push(`${this.name}${line ? `:${line}` : ""}: ${message}`);
  }

  error(fault: string, place: Place = {}): FileError {
    return new FileError(fault, { file: this.name, ...place });
  }

  /** Refuses a text that is too long for a grammar that takes much memory for each character. */
  checkLength(most: number, fault: string): string {
    if (this.text.length > most) throw this.error(fault, { expected: `at most ${most} characters` });
    return this.text;
  }
}

/** Returns the text of a file. */
export function decode(name: string, bytes: Uint8Array): Source {
  if (!bytes.length) throw new FileError("the file is empty", { file: name, expected: "a puzzle" });
  if (bytes.length > FILE_BYTES) throw tooLarge(name);
  const utf16 = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "";
  let text: string | undefined;
  for (const coding of utf16 ? [utf16] : ["utf-8", "windows-1252"]) {
    try {
      text = new TextDecoder(coding, { fatal: true }).decode(bytes);
    } catch {
      continue;
    }
    const source = new Source(name, text);
    const fault = coding === "windows-1252" ? /[\0\x81\x8d\x8f\x90\x9d]/.exec(text) : /\0/.exec(text);
    if (fault) throw source.error(text.includes("\0") ? "a NUL byte" : "neither UTF-8 nor Latin-1", { ...placeOf(text, fault.index), expected: "text in UTF-8" });
    if (!text) throw source.error("the file is empty", { expected: "a puzzle" });
    if (coding !== "utf-8") source.note(utf16 ? "read as UTF-16" : "not UTF-8; read as Latin-1 (Windows-1252)");
    return source;
  }
  throw new FileError("the text is damaged", { file: name, expected: "text in UTF-8" });
}

export function tooLarge(name: string): FileError {
  return new FileError("the file is too large", { file: name, expected: `at most ${FILE_BYTES >> 20} MiB` });
}

/** The line and column of a character. */
export function placeOf(text: string, at: number): Place {
  return { line: lineOf(text, at), column: at - text.lastIndexOf("\n", at - 1) };
}

/** The number of the line that a character stands in. */
export function lineOf(text: string, at: number): number {
  let line = 1;
  for (let end = text.indexOf("\n"); end >= 0 && end < at; end = text.indexOf("\n", end + 1)) line++;
  return line;
}

/** Returns the value that a text is in JSON; `line` is that of the text in its file, 0 if it is the whole file. */
export function parseJson(source: Source, text: string, line = 0): unknown {
  for (const [mark, most] of Object.entries(JSON_MARKS))
    if (text.split(mark, most + 2).length > most + 1)
      throw source.error("too much JSON at once", { line, expected: `at most ${Object.values(JSON_MARKS).join(", ")} lists, objects and commas` });
  try {
    return JSON.parse(text);
  } catch (error) {
    const at = /position (\d+)/.exec(String(error))?.[1];
    const place = at && !line ? placeOf(text, Number(at)) : { line };
    throw source.error(error instanceof RangeError ? "nested too deeply" : "this is no JSON", { ...place, expected: "valid JSON" });
  }
}

export type Fields = { [key: string]: unknown };

export const isRecord = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);

/** A string without halves of surrogate pairs, which no file can hold; nothing for other values. */
export const unicodeText = (value: unknown): string => (typeof value === "string" ? value.replace(/\p{Cs}/gu, "?") : "");

/** The words of a text between blanks. */
export const words = (text: string): string[] => text.match(/\S+/g) ?? [];

/** A text as it is quoted in a message. */
export function quoted(text: string): string {
  const shown = text.length <= 30 ? text : `${text.slice(0, 27)}...`;
  return `'${shown.replace(/[\p{C}\u2028\u2029]/gu, "\ufffd")}'`;
}

/** A text without the same character at its end; a regular expression would take quadratic time. */
export function withoutEnd(text: string, char: string): string {
  let end = text.length;
  while (end && text[end - 1] === char) end--;
  return text.slice(0, end);
}

/** How much the content of a file speaks for a format (`nonocsp.formats.base.Sureness`). */
export const SURENESS = { no: 0, weak: 1, strong: 2, certain: 3 } as const;

export interface Evidence {
  sureness: number;
  /** The reason; of `no`, what speaks against the format. */
  why: string;
  /** The line that speaks against the format, 0 if there is none. */
  line: number;
}

const evidence =
  (sureness: number) =>
  (why: string, line = 0): Evidence => ({ sureness, why, line });
/** Something speaks against the format. */
export const no = evidence(SURENESS.no);
/** Nothing speaks against it, but other texts look like that, too. */
export const weak = evidence(SURENESS.weak);
/** The structure is that of the format. */
export const strong = evidence(SURENESS.strong);
/** A mark that only this format has. */
export const certain = evidence(SURENESS.certain);

/** A format that the page recognises. */
export interface Known {
  name: string;
  /** The preferred one first; none if a file is only written by name. */
  suffixes: string[];
  sniff(head: Head): Evidence;
  /** Only files that no other format matches are of this one. */
  isAskedLast?: boolean;
}

/** A format that the page reads. */
export interface Format extends Known {
  /** Yields the puzzles of a file; throws a FileError. */
  read(source: Source): Iterable<Puzzle>;
  /** Returns the file of a puzzle; of a format that is only read, undefined. */
  write?(puzzle: Puzzle): string;
  holdsColours?: boolean;
}

const NUMBER = /^[0-9]{1,9}$/;
const CLUE = "a clue such as 3 1 2, or 0 for an empty line";

export const isComment = (text: string): boolean => /^\s*[#%]/.test(text);

/** The lines of a head with their numbers, without a last line that is cut. */
export function numberedHead({ text, isCut }: Head): NumberedLine[] {
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  if (isCut || lines.at(-1) === "") lines.pop();
  return lines.map((line, i) => [i + 1, line]);
}

/** The lines of a head that say something: stripped, without blank lines and comments. */
export function saidLines(head: Head): NumberedLine[] {
  return numberedHead(head)
    .map(([number, text]): NumberedLine => [number, text.trim()])
    .filter(([, text]) => text && !isComment(text));
}

const isCount = (word: string): boolean => NUMBER.test(word) && Number(word) >= 1 && Number(word) <= MAX_LINES;

export function parseSize(source: Source, line: number, text: string, what: string): number {
  if (isCount(text)) return Number(text);
  throw source.error(`${what} ${quoted(text)}`, { line, expected: `a ${what} from 1 to ${MAX_LINES}` });
}

/** The clue in one colour that a line holds: nothing, `0` and `[]` are the empty one. */
export function parseClue(source: Source, [line, text]: NumberedLine): Block[] {
  const tokens = [...text.matchAll(/[^\s,]+/g)];
  if (!tokens.length || (tokens.length === 1 && ["0", "[]"].includes(tokens[0]?.[0] ?? ""))) return [];
  if (tokens.length > MAX_LINES) throw source.error(`${tokens.length} blocks`, { line, expected: `at most ${MAX_LINES} in a line` });
  return tokens.map((token) => {
    if (!NUMBER.test(token[0])) throw source.error(`${quoted(token[0])} is no block length`, { line, column: token.index + 1, expected: CLUE });
    return { length: Number(token[0]), colour: 1 };
  });
}

/** The lines without blank ones at the end that are too many. */
export function fit(lines: NumberedLine[], expected: number): NumberedLine[] {
  let end = lines.length;
  while (end > expected && !lines[end - 1]?.[1].trim()) end--;
  return lines.slice(0, end);
}

/** The lengths of a clue as `parseClue` reads them. */
export const lengthsText = (clue: Block[], between = " "): string => clue.map(({ length }) => length).join(between) || "0";
