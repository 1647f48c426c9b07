/** What text formats have in common: heads, sizes, clues and comments. */

import type { Block } from "../../core/module.ts";
import { complete, type Sketch } from "./palettes.ts";
import { BLACK, MAX_LINES, type Puzzle, puzzleOf } from "./puzzle.ts";
import { type Head, type NumberedLine, quoted, type Source, words } from "./source.ts";

/** A length, and what the file calls the colour. */
export type ColouredBlock = [length: number, colour: string];

/** Far more lines than the clues and comments of one puzzle need. */
const MOST_LINES = 8 * MAX_LINES;
const NUMBER = /^[0-9]{1,9}$/;
const CLUE = "a clue such as 3 1 2, or 0 for an empty line";

export const isComment = (text: string): boolean => /^\s*[#%]/.test(text);

/** Whether a line is a clue in one colour: numbers between blanks or commas, `[]`, or nothing. */
export const isLengths = (text: string): boolean => /^[0-9\s,]*$/.test(text) || text.trim() === "[]";

export const isSize = (text: string): boolean => /^\s*[0-9]+\s+[0-9]+\s*$/.test(text);

/** The part of a line before `#`. */
export const beforeHash = (text: string): string => text.split("#", 1)[0] ?? "";

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

const fromFirstSaid = (lines: NumberedLine[]): NumberedLine[] => {
  const first = lines.findIndex(([, text]) => text.trim() && !isComment(text));
  return first < 0 ? [] : lines.slice(first);
};

/** The lines of a head from the first one on that says something, if that is two sizes; else none. */
export function sizedLines(head: Head): NumberedLine[] {
  const lines = fromFirstSaid(numberedHead(head));
  const first = beforeHash(lines[0]?.[1] ?? "");
  return isSize(first) && words(first).every((word) => isCount(word)) ? lines : [];
}

const isCount = (word: string): boolean => NUMBER.test(word) && Number(word) >= 1 && Number(word) <= MAX_LINES;

/** The index of the line `#` that an `.mk` file has below its row clues; 0 if there is none. */
export function mkMiddle(lines: NumberedLine[]): number {
  const height = Number(words(lines[0]?.[1] ?? "")[0]);
  const middle = lines.findIndex(([, text], i) => i > 0 && text.trimStart().startsWith("#"));
  const filled = lines.slice(1, Math.max(middle, 1)).filter(([, text]) => text.trim()).length;
  return middle > height && filled <= height ? middle : 0;
}

/** The lines of a file with one puzzle, from the first one on that says something. */
export function skipComments(source: Source): [NumberedLine, ...NumberedLine[]] {
  const [first, ...lines] = fromFirstSaid(source.lines.slice(0, MOST_LINES));
  if (!first) throw source.error("nothing but comments", { expected: "a puzzle" });
  return [first, ...lines];
}

/** The two sizes of a first line. */
export function parseHeader(source: Source, [line, text]: NumberedLine, [first, second]: [string, string]): [number, number] {
  if (!isSize(text)) throw source.error("no size", { line, expected: `${first.toUpperCase()} ${second.toUpperCase()}, two numbers, ${first} first` });
  const [one = "", other = ""] = words(text);
  return [parseSize(source, line, one, first), parseSize(source, line, other, second)];
}

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

export const cellsOf = (clues: Block[][]): number => clues.flat().reduce((sum, { length }) => sum + length, 0);

/** Whether the first clues have as many cells as the others. */
export const haveSameSums = (clues: Block[][], first: number): boolean => cellsOf(clues.slice(0, first)) === cellsOf(clues.slice(first));

/** The clues, with the empty last one if the file lost its newline. */
export function withLostClue(clues: Block[][], expected: number, first: number): Block[][] {
  return clues.length === expected - 1 && haveSameSums(clues, first) ? [...clues, []] : clues;
}

/** The lengths of a clue as `parseClue` reads them. */
export const lengthsText = (clue: Block[], between = " "): string => clue.map(({ length }) => length).join(between) || "0";

/** The clues of lengths and names of colours. */
export function colouredClues(lines: ColouredBlock[][], index: Map<string, number>): Block[][] {
  return lines.map((line) => line.map(([length, colour]) => ({ length, colour: index.get(colour) ?? 0 })));
}

export interface Named {
  /** The colours that a file declares, by what it calls them. */
  colours: Map<string, Sketch>;
  /** What stands for black, which needs no declaration. */
  usual: string;
  /** What stands for the background, and its colour if it is not declared. */
  background: [string, Sketch];
}

/** The puzzle of blocks whose colours have names. */
export function colouredPuzzle(rows: ColouredBlock[][], columns: ColouredBlock[][], { colours, usual, background }: Named): Puzzle {
  const isUsed = [...rows, ...columns].some((line) => line.some(([, colour]) => colour === usual));
  const inks = new Map<string, Sketch>([...(isUsed ? [[usual, BLACK] as const] : []), ...colours]);
  const paper = inks.get(background[0]) ?? background[1];
  inks.delete(background[0]);
  const index = new Map([...inks.keys()].map((ink, i) => [ink, i + 1]));
  return puzzleOf({ rows: colouredClues(rows, index), columns: colouredClues(columns, index), palette: complete([paper, ...inks.values()]) });
}

