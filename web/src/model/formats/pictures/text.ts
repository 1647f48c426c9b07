/**
 * Text grids: the solution as one character a cell, from which the clues follow. Background is `.` or, in a grid without
 * `.`, a blank, `0`, `-` or `_`, or else the one character that is pale by its name, as ⬜ beside ⬛. Empty lines separate
 * several grids. There may be a blank between any two cells. A pattern of Braille is 4 rows of 2 cells.
 */

import { complete, STOCK_CHARS, sketch, uniqueChars, WHITE } from "../palettes.ts";
import { BLACK_AND_WHITE, FileError, isPrintable, MAX_COLOURS, MAX_LINES, type Puzzle, puzzleOfGrid } from "../puzzle.ts";
import { type Evidence, type Format, no, numberedHead, type NumberedLine, quoted, Source, strong, weak, withoutEnd } from "../source.ts";
import { brailleDots, isBraille, isDrawnWith, isPale, isWide, paleInk, plain, withoutGaps } from "./characters.ts";

const BLANKS = " 0-_";
/** What people draw pictures in one colour with. */
const SYMBOLS = "#Xx*@█■◼⬛";
const USUAL = `${SYMBOLS}1.${BLANKS}`;
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

const charsOf = (texts: string[]): string[] => [...new Set(texts.flatMap((said) => [...new Set(said)]))];

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/** The characters of empty cells, of all that a grid has; none if it is not clear. */
function backgroundOf(chars: string[]): string[] {
  if (chars.includes(".")) return ["."];
  const blanks = chars.filter((char) => BLANKS.includes(char));
  return blanks.length || chars.length < 2 || isAscii(chars.join("")) ? blanks : [paleInk(chars)].filter(Boolean);
}

/** The lines of a grid, one character for each cell, and what these are. */
interface Drawing {
  lines: NumberedLine[];
  background: string[];
  inks: string[];
  /** Whether there was a blank between any two cells. */
  hadGaps: boolean;
  /** Why nobody knows which cells are empty; nothing if it is known. */
  unclear: string;
  /** What other readers may read in another way. */
  note: string;
}

function drawingOf(lines: NumberedLine[]): Drawing {
  const texts = lines.map(([, said]) => plain(said));
  if (isBraille(texts)) {
    const dots = lines.flatMap(([number], i) => brailleDots(texts[i] as string).map((row): NumberedLine => [number, row]));
    return { lines: dots, background: ["."], inks: ["#"], hadGaps: false, unclear: "", note: "each Braille pattern is read as 4 rows of 2 cells" };
  }
  const rows = trimmed(texts);
  const chars = charsOf(rows);
  const background = backgroundOf(chars);
  const inks = chars.filter((char) => !background.includes(char));
  return {
    lines: lines.map(([number], i) => [number, rows[i] as string]),
    background,
    inks,
    hadGaps: rows !== texts && rows.join("\n") === withoutGaps(texts).join("\n"),
    unclear: unclear(rows, background, inks),
    note: background.every((char) => USUAL.includes(char)) ? "" : `${quoted(background.join(""))} is read as background`,
  };
}

/** Lines without blanks that are no cells: one between any two cells, or those at the end. */
function trimmed(texts: string[]): string[] {
  if (!texts.some((said) => said.includes(" "))) return texts;
  const closed = withoutGaps(texts);
  const chars = charsOf(closed);
  if (closed !== texts && (backgroundOf(chars).length || (chars.length > 1 && !isAscii(chars.join(""))))) return closed;
  const ended = texts.map((said) => withoutEnd(said, " "));
  const left = charsOf(ended);
  return left.includes(".") || (!left.includes(" ") && backgroundOf(left).length) ? ended : texts;
}

/** Why it is not clear which cells are empty; nothing if it is. */
function unclear(rows: string[], background: string[], inks: string[]): string {
  const named = inks.toSorted().slice(0, 4).map(quoted).join(" or ");
  if (!background.length && inks.length > 1 && !isAscii(inks.join(""))) return `no character stands for the background: it could be ${named}`;
  if (!background.length && inks.every(isPale)) return `all cells are ${named}, filled or empty`;
  if (background.join("") === " " && inks.every(isWide)) {
    const gaps = rows.flatMap((row) => row.match(/^ +|(?<=\S) +(?=\S)/gu) ?? []);
    if (gaps.length && gaps.every(({ length }) => length % 2 === 0)) return `two blanks beside ${named} are one cell or two`;
  }
  return "";
}

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
    // Without empty cells only ASCII is sure not to be read as background.
    const isFilled = goal.every(Boolean);
    const chars = [".", ...uniqueChars(palette.slice(1).map(({ char }) => (isFilled && !isAscii(char) ? "" : char)), `.${BLANKS}`)];
    return rows.map((_, i) => `${Array.from(goal.subarray(i * columns.length, (i + 1) * columns.length), (cell) => chars[cell]).join("")}\n`).join("");
  },
};

/** How much a grid looks like a picture: prose, lists of names and numbers are no pictures. */
function evidenceOf(given: NumberedLine[]): Evidence {
  const { lines, background, inks, hadGaps } = drawingOf(given);
  if (inks.some((char) => HALVES.includes(char)) && inks.every((char) => `${USUAL}${HALVES}`.includes(char))) return strong("a picture with triangles");
  const hasBlanks = background.includes(" ");
  const isCell = (char: string) => (hasBlanks ? isSymbol(char) : isPrintable(char) && char !== " " && char !== "?");
  const width = widthOf(lines[0]?.[1] ?? "");
  for (const [line, said] of lines) {
    const wrong = [...said].find((char) => inks.includes(char) && !isCell(char));
    if (wrong) return no(`line ${line} has ${quoted(wrong)}, which is no cell of a picture`, line);
    if (widthOf(said) !== width && !hasBlanks) return no(`line ${line} has ${widthOf(said)} cells, not ${width}`, line);
  }
  const isMatrix = hadGaps && /\p{Nd}/u.test([...background, ...inks].join(""));
  const isWord = given.length === 1 && lines.length > 1;
  return !isMatrix && !isWord && isDrawn(lines.map(([, said]) => said), background, inks) ? strong("rows of cells") : weak("it could be any text");
}

const widthOf = (text: string): number => [...text].length;

const isSymbol = (char: string): boolean => `${SYMBOLS}1`.includes(char) || isDrawnWith(char);

const isForeign = (char: string): boolean => !isAscii(char) && !/[\p{L}\p{N}]/u.test(char);

/** Whether texts of one length look like a picture and like nothing else. */
function isDrawn(texts: string[], background: string[], inks: string[]): boolean {
  const isLarge = texts.length > 1 && texts.some(({ length }) => length > 1);
  const [isDotted, hasBlanks] = [background.join("") === ".", background.includes(" ")];
  const isNamed = background.some((char) => !BLANKS.includes(char));
  const isUsual = background.every((char) => USUAL.includes(char));
  if (!inks.length || !isLarge) return isDotted && inks.every((char) => char === "#") && (isLarge || inks.length > 0);
  if (inks.join("") === "1") return !hasBlanks && texts.some((said) => background.includes(said[0] as string));
  if (inks.length === 1 && (!isUsual || inks.every(isSymbol))) return !hasBlanks || texts.some((said) => said.trim() && said.startsWith(" "));
  if (inks.some(isForeign) && inks.every((char) => SYMBOLS.includes(char) || isForeign(char))) return !hasBlanks;
  return isNamed && isPainted(texts, inks);
}

/** Whether rows in several colours on dots are no words: few characters, in runs, no digits. */
function isPainted(texts: string[], inks: string[]): boolean {
  if (inks.some((char) => char !== "0" && /\p{Nd}/u.test(char))) return false;
  const runs = texts.filter((said) => /(.)\1/u.test(said)).length;
  const usual = `${INK_CHARS.slice(0, 2 * inks.length + 1)}${SYMBOLS}0`;
  if (inks.every((char) => usual.includes(char))) return runs > 0 || inks.some((char) => SYMBOLS.includes(char));
  return inks.length <= 8 && texts.length * (texts[0]?.length ?? 0) >= 6 * inks.length && 2 * runs >= texts.length;
}

/** The puzzle of rows of characters in another file. */
export function puzzleOfRows(rows: string[], place: string): Puzzle {
  return readGrid(new Source(place, ""), rows.map((row, i) => [i + 1, row]));
}

function readGrid(source: Source, given: NumberedLine[]): Puzzle {
  const drawing = drawingOf(given);
  const { lines, background } = drawing;
  if (drawing.unclear) throw source.error(drawing.unclear, { line: lines[0]?.[0], expected: ". in the empty cells" });
  if (drawing.note && !source.notes.some((note) => note.endsWith(drawing.note))) source.note(drawing.note);
  const place = (ink: string) => (INK_CHARS.indexOf(ink) + MAX_COLOURS + 2) % (MAX_COLOURS + 2);
  const inks = drawing.inks.sort((a, b) => place(a) - place(b));
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
