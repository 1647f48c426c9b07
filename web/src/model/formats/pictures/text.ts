/**
 * Text grids: the solution as one character a cell, from which the clues follow. Background is `.` or, in a grid without
 * `.`, a blank, `0`, `-` or `_`. Empty lines separate several grids.
 */

import { type Evidence, type Format, no, strong, weak } from "../base.ts";
import { numberedHead } from "../lines.ts";
import { complete, STOCK_CHARS, sketch, uniqueChars, WHITE } from "../palettes.ts";
import { BLACK_AND_WHITE, FileError, isPrintable, MAX_COLOURS, MAX_LINES, type Puzzle, puzzleOfGrid } from "../puzzle.ts";
import { type NumberedLine, quoted, type Source } from "../source.ts";

const BLANKS = " 0-_";
/** What people draw pictures in one colour with. */
const SYMBOLS = "#Xx*@█■◼⬛";
/** Cells of puzzles with triangles, recognised to be refused by name. */
const HALVES = "◢◣◤◥";
/** The inks of the palettes behind the background. */
const INK_CHARS = STOCK_CHARS.slice(1);

function gridsOf(lines: NumberedLine[]): NumberedLine[][] {
  const grids: NumberedLine[][] = [[]];
  for (const line of lines) {
    if (line[1] !== "") grids.at(-1)?.push(line);
    else if (grids.at(-1)?.length) grids.push([]);
  }
  return grids.filter(({ length }) => length);
}

function charsOf(lines: NumberedLine[]): Set<string> {
  const chars = new Set<string>();
  for (const [, text] of lines) for (const char of text) chars.add(char);
  return chars;
}

const backgroundOf = (chars: Set<string>): string[] => (chars.has(".") ? ["."] : [...chars].filter((char) => BLANKS.includes(char)));

export const text: Format = {
  name: "text",
  suffixes: [".grid", ".txt"],
  holdsColours: true,
  sniff(head) {
    const all = gridsOf(numberedHead(head)).map(evidenceOf);
    return all.reduce<Evidence | undefined>((least, found) => (!least || found.sureness < least.sureness ? found : least), undefined) ?? no("no line of cells", 1);
  },
  *read(source) {
    for (const lines of gridsOf(source.lines)) yield readGrid(source, lines);
  },
  write({ goal, palette, columns, rows }) {
    if (!goal) throw new FileError("a text grid is a solution and this puzzle has none");
    const chars = [".", ...uniqueChars(palette.slice(1).map(({ char }) => char), `.${BLANKS}`)];
    return rows.map((_, i) => `${Array.from(goal.subarray(i * columns.length, (i + 1) * columns.length), (cell) => chars[cell]).join("")}\n`).join("");
  },
};

/** How much a grid looks like a picture: prose, lists of names and numbers are no pictures. */
function evidenceOf(lines: NumberedLine[]): Evidence {
  const chars = charsOf(lines);
  const background = backgroundOf(chars);
  const inks = [...chars].filter((char) => !background.includes(char));
  const isUsual = (char: string) => `${SYMBOLS}1.${BLANKS}${HALVES}`.includes(char);
  if (inks.some((char) => HALVES.includes(char)) && inks.every(isUsual)) return strong("a picture with triangles");
  const hasBlanks = background.includes(" ");
  const isCell = (char: string) => (hasBlanks ? `${SYMBOLS}1`.includes(char) : isPrintable(char) && char !== " " && char !== "?");
  const width = lines[0]?.[1].length;
  for (const [line, said] of lines) {
    const wrong = [...said].find((char) => inks.includes(char) && !isCell(char));
    if (wrong) return no(`line ${line} has ${quoted(wrong)}, which is no cell of a picture`, line);
    if (said.length !== width && !hasBlanks) return no(`line ${line} has ${said.length} cells, not ${width}`, line);
  }
  return isDrawn(lines.map(([, said]) => said), background, inks) ? strong("rows of cells") : weak("it could be any text");
}

/** Whether texts of one length look like a picture and like nothing else. */
function isDrawn(texts: string[], background: string[], inks: string[]): boolean {
  const isLarge = texts.length > 1 && texts.some(({ length }) => length > 1);
  const [isDotted, hasBlanks] = [background.join("") === ".", background.includes(" ")];
  if (!inks.length || !isLarge) return isDotted && inks.every((char) => char === "#") && (isLarge || inks.length > 0);
  if (inks.join("") === "1") return !hasBlanks && texts.some((said) => background.includes(said[0] as string));
  if (inks.length === 1 && SYMBOLS.includes(inks[0] as string)) return !hasBlanks || texts.some((said) => said.trim() && said.startsWith(" "));
  if (inks.every((char) => (char.codePointAt(0) as number) > 127 && !/[\p{L}\p{N}]/u.test(char))) return !hasBlanks;
  return isDotted && isPainted(texts, inks);
}

/** Whether rows in several colours on dots are no words: few characters, in runs, no digits. */
function isPainted(texts: string[], inks: string[]): boolean {
  if (inks.some((char) => char !== "0" && /\p{Nd}/u.test(char))) return false;
  const runs = texts.filter((said) => /(.)\1/u.test(said)).length;
  const usual = `${INK_CHARS.slice(0, 2 * inks.length + 1)}${SYMBOLS}0`;
  if (inks.every((char) => usual.includes(char))) return runs > 0 || inks.some((char) => SYMBOLS.includes(char));
  return inks.length <= 8 && texts.length * (texts[0]?.length ?? 0) >= 6 * inks.length && 2 * runs >= texts.length;
}

function readGrid(source: Source, lines: NumberedLine[]): Puzzle {
  const chars = charsOf(lines);
  const background = backgroundOf(chars);
  const place = (ink: string) => (INK_CHARS.indexOf(ink) + MAX_COLOURS + 2) % (MAX_COLOURS + 2);
  const inks = [...chars].filter((char) => !background.includes(char)).sort((a, b) => place(a) - place(b));
  const rows = squared(source, lines, inks, background.includes(" "));
  const index = new Map(inks.map((char, i) => [char, i + 1]));
  const palette = inks.length > 1 ? complete([WHITE, ...inks.map((char) => sketch({ char }))]) : BLACK_AND_WHITE;
  return puzzleOfGrid(rows.map((row) => row.map((char) => index.get(char) ?? 0)), { palette });
}

/** The cells of the lines, all of one length. */
function squared(source: Source, lines: NumberedLine[], inks: string[], isFilled: boolean): string[][] {
  const rows = lines.map(([line, said]) => ({ line, cells: [...said] }));
  const width = isFilled ? rows.reduce((most, { cells }) => Math.max(most, cells.length), 0) : (rows[0]?.cells.length ?? 0);
  if (Math.max(rows.length, width) > MAX_LINES) throw source.error(`a grid of ${rows.length}x${width}`, { line: rows[0]?.line, expected: `at most ${MAX_LINES}x${MAX_LINES}` });
  const wrong = new Set(inks.filter((char) => `? ${HALVES}`.includes(char) || !isPrintable(char)));
  for (const { line, cells } of rows) {
    if (cells.length !== width && !isFilled) throw source.error(`${cells.length} cells`, { line, expected: `${width}, as in the line above` });
    const column = cells.findIndex((char) => wrong.has(char));
    if (column >= 0)
      throw source.error(`${quoted(cells[column] as string)} is no cell`, { line, column: column + 1, expected: "a full solution of whole cells: . for background, any other character for a colour" });
  }
  return rows.map(({ cells }) => [...cells, ...Array<string>(width - cells.length).fill(" ")]);
}
