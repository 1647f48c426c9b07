/**
 * Clue lists with or without a size, in one colour: `.nin` (WIDTH HEIGHT, rows, columns), `.mk` (HEIGHT WIDTH, rows, `#`,
 * columns), `.cwd` (height, width, rows, an empty line, columns) and keen's (rows, an empty line or `&`, columns).
 */

import { type Evidence, type Format, no, strong, weak } from "../base.ts";
import {
  beforeHash,
  cellsOf,
  fit,
  isComment,
  isLengths,
  lengthsText,
  mkMiddle,
  parseClue,
  parseHeader,
  parseSize,
  sizedLines,
  skipComments,
  withLostClue,
} from "../lines.ts";
import { MAX_LINES, type Puzzle, puzzleOf } from "../puzzle.ts";
import { type Head, type NumberedLine, quoted, words } from "../source.ts";

const lined = (...lines: string[]): string => `${lines.join("\n")}\n`;
const texts = (puzzle: Puzzle) => ({ rows: puzzle.rows.map((clue) => lengthsText(clue)), columns: puzzle.columns.map((clue) => lengthsText(clue)) });

export const nin: Format = {
  name: "nin",
  suffixes: [".nin"],
  sniff(head) {
    const [header, ...below] = sizedLines(head);
    if (!header) return no("no line WIDTH HEIGHT comes first", 1);
    if (mkMiddle([header, ...below])) return no("a line with # stands between the clues, as in mk", 2);
    const expected = words(beforeHash(header[1])).reduce((sum, word) => sum + Number(word), 0);
    const clues = below.filter(([, text]) => !isComment(text)).map(([number, text]): NumberedLine => [number, beforeHash(text)]);
    for (const [i, [number, text]] of clues.entries()) {
      if (i < expected && !isLengths(text)) return weak(`line ${number} is ${quoted(text.trim())}, no clue`, number);
      if (i >= expected && text.trim() && isLengths(text)) return weak(`line ${number} follows the last of ${expected} clues`, number);
    }
    if (clues.length < expected - 1 && !head.isCut) return weak(`there are ${clues.length} clues, not ${expected}`, clues.length + header[0]);
    return strong(`a size and ${expected} clues`);
  },
  *read(source) {
    const [[number, header], ...below] = skipComments(source);
    const [width, height] = parseHeader(source, [number, beforeHash(header)], ["width", "height"]);
    const lines = below.filter(([, text]) => !isComment(text)).map(([line, text]): NumberedLine => [line, beforeHash(text)]);
    const expected = height + width;
    const clues = withLostClue(lines.slice(0, expected).map((line) => parseClue(source, line)), expected, height);
    if (clues.length !== expected)
      throw source.error(`${clues.length} clue lines`, {
        line: number + clues.length,
        expected: `${height} row clues and ${width} column clues, as line ${number} says (width first)`,
      });
    const spare = lines.slice(expected).find(([, text]) => text.trim() && isLengths(text));
    if (spare) source.note(`ignored from here on: line ${number} says ${expected} clues`, spare[0]);
    yield puzzleOf({ rows: clues.slice(0, height), columns: clues.slice(height) });
  },
  write(puzzle) {
    const { rows, columns } = texts(puzzle);
    return lined(`${columns.length} ${rows.length}`, ...rows, ...columns);
  },
};

export const mk: Format = {
  name: "mk",
  suffixes: [".mk"],
  sniff(head) {
    const lines = sizedLines(head);
    if (!lines[0]) return no("no line HEIGHT WIDTH comes first", 1);
    const wrong = lines.slice(1).find(([, text]) => !isLengths(beforeHash(text)));
    if (wrong) return weak(`line ${wrong[0]} is ${quoted(wrong[1])}, no clue`, wrong[0]);
    if (mkMiddle(lines)) return strong("a size, as many clues, and a line with #");
    if (head.isCut && lines.length <= Number(words(lines[0][1])[0]) + 1) return strong("a size and clues below it");
    return no("no line with # follows the row clues", lines.at(-1)?.[0]);
  },
  *read(source) {
    const [header, ...lines] = skipComments(source);
    const [height, width] = parseHeader(source, header, ["height", "width"]);
    const middle = lines.findIndex(([, text]) => text.trimStart().startsWith("#"));
    if (middle < 0) throw source.error("no line with # below the row clues", { expected: `${height} row clues, #, column clues` });
    const part = (some: NumberedLine[], count: number) => fit(some, count).map((line) => parseClue(source, line));
    const rows = part(lines.slice(0, middle), height);
    const check = (found: number, expected: number, what: string, line: number) => {
      if (found !== expected) throw source.error(`${found} ${what}`, { line, expected: `${expected}, as the size says (height first)` });
    };
    check(rows.length, height, "row clues between the size and #", header[0]);
    const columns = withLostClue([...rows, ...part(lines.slice(middle + 1), width)], height + width, height).slice(height);
    check(columns.length, width, "column clues below #", lines[middle]?.[0] ?? 0);
    yield puzzleOf({ rows, columns });
  },
  write(puzzle) {
    const { rows, columns } = texts(puzzle);
    return lined(`${rows.length} ${columns.length}`, ...rows, "#", ...columns);
  },
};

const OF_CLUES = /^[0-9 ,\t\r]*$/;

function sniffCwd({ text, isCut }: Head): Evidence {
  const lines = text.replace(/^\n+/, "").split("\n");
  for (const [i, what] of ["height", "width"].entries()) {
    const said = lines[i]?.trim() ?? "";
    if (!/^[0-9]+$/.test(said)) return no(`${quoted(said)} is not the ${what} alone`, i + 1);
  }
  const [height, width] = lines.slice(0, 2).map((line) => Number(line.trim().slice(0, 9))) as [number, number];
  const middle = height + 2;
  let wrong = lines.findIndex((line) => !OF_CLUES.test(line)) + 1;
  if (!wrong && isCut && lines.length <= middle + 1) return weak("two sizes and clues");
  if (!wrong && (lines.length <= middle || lines[middle]?.trim())) wrong = Math.min(middle + 1, lines.length);
  const below = fit(lines.map((line, i): NumberedLine => [i + 1, line]), middle + 1 + width).length - middle - 1;
  if (wrong || below > width || (below < width && !isCut)) return no(`no ${height} row clues, an empty line and ${width} column clues below`, wrong || middle + 1);
  return strong(`the sizes ${height} and ${width}, ${height} clues, an empty line, clues`);
}

export const cwd: Format = {
  name: "cwd",
  suffixes: [".cwd"],
  sniff: sniffCwd,
  *read(source) {
    const [first, second, ...rest] = skipComments(source);
    const height = parseSize(source, first[0], first[1].trim(), "height");
    if (!second) throw source.error("no width", { line: first[0], expected: "the width in the second line" });
    const width = parseSize(source, second[0], second[1].trim(), "width");
    const expected = height + 1 + width;
    const lines = fit(rest, expected);
    if (lines.length <= height || lines[height]?.[1].trim())
      throw source.error("rows and columns are not separated", {
        line: lines[Math.min(height, lines.length - 1)]?.[0] ?? second[0],
        expected: `an empty line behind ${height} row clues, as the height says`,
      });
    const without = lines.toSpliced(height, 1);
    const clues = withLostClue(without.slice(0, height + width).map((line) => parseClue(source, line)), height + width, height);
    if (clues.length !== height + width || lines.length > expected)
      throw source.error(`${without.length - height} column clues`, { line: lines.at(-1)?.[0] ?? 0, expected: `${width}, as the width says` });
    yield puzzleOf({ rows: clues.slice(0, height), columns: clues.slice(height) });
  },
  write(puzzle) {
    const { rows, columns } = texts(puzzle);
    return lined(String(rows.length), String(columns.length), ...rows, "", ...columns);
  },
};

const isNote = (text: string): boolean => /^[#%*]/.test(text);

/** The lines between separators, without comments; in a file with `&`, only that separates. */
function sectionsOf(lines: NumberedLine[]): NumberedLine[][] {
  const kept = lines.filter(([, text]) => !isNote(text));
  const hasMark = kept.some(([, text]) => text.trim() === "&");
  const sections: NumberedLine[][] = [[]];
  for (const line of kept) {
    const said = line[1].trim();
    if (said && said !== "&") sections.at(-1)?.push(line);
    else if (sections.at(-1)?.length && (said || !hasMark)) sections.push([]);
  }
  return sections.filter((section) => section.length);
}

/** The sections without the zeros that end the lines, if each line has one behind lengths (syro). */
function withoutEnds(sections: NumberedLine[][]): NumberedLine[][] {
  const said = sections.flat().map(([, text]) => words(text));
  if (!said.every((line) => line.at(-1) === "0") || said.every((line) => line.length === 1)) return sections;
  return sections.map((section) => section.map(([number, text]) => [number, text.trimEnd().slice(0, -1) || "0"]));
}

export const keen: Format = {
  name: "keen",
  suffixes: [".keen"],
  sniff({ text, isCut }) {
    const all = text.split("\n");
    const lines = (isCut ? all.slice(0, -1) : all).map((line, i): NumberedLine => [i + 1, line]);
    const wrong = lines.find(([, line]) => !OF_CLUES.test(line) && !isNote(line) && line.trim() !== "&");
    if (wrong) return no(`${quoted(wrong[1].trim())} is no clue`, wrong[0]);
    const sections = sectionsOf(lines);
    if (isCut && sections.length <= 2) return weak("nothing but clues, with at most one empty line");
    if (sections.length !== 2) return no(`${sections.length} sections between empty lines, not two`, lines.at(-1)?.[0]);
    const [rows = [], columns = []] = sections.map((section) =>
      section.map(([, line]) => (line.match(/[0-9]+/g) ?? []).map((word) => ({ length: Number(word.slice(0, 9)), colour: 1 })).filter(({ length }) => length)),
    );
    if (cellsOf(rows) !== cellsOf(columns)) return no("the two sections have different sums", sections[1]?.[0]?.[0]);
    for (const [clues, others] of [[rows, columns], [columns, rows]] as const)
      if (clues.some((clue) => cellsOf([clue]) + clue.length - 1 > others.length)) return no("a clue does not fit its line", sections[0]?.[0]?.[0]);
    return strong("two sections of clues with the same sum, an empty line between them");
  },
  *read(source) {
    const lines = source.lines.slice(0, 8 * MAX_LINES);
    const sections = sectionsOf(lines);
    if (sections.length !== 2)
      throw source.error(`${sections.length} sections of clues`, {
        line: (sections[2]?.[0] ?? lines.at(-1))?.[0] ?? 0,
        expected: "two: row clues, an empty line or &, column clues, with 0 for an empty clue",
      });
    const [rows = [], columns = []] = withoutEnds(sections).map((section) => section.map((line) => parseClue(source, line)));
    yield puzzleOf({ rows, columns });
  },
  write(puzzle) {
    const { rows, columns } = texts(puzzle);
    return lined(...rows, "", ...columns);
  },
};
