/** What text formats have in common: heads, sizes, clues and comments. */

import type { Block } from "../../core/module.ts";
import { MAX_LINES } from "./puzzle.ts";
import { type Head, type NumberedLine, quoted, type Source } from "./source.ts";

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
