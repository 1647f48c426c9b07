/** Sets of puzzles in one colour: tournament sets (`$k`, column clues, row clues) and picross-solver's grids (GRID, ROWS, COLUMNS). */

import type { Block } from "../../../core/module.ts";
import { certain, type Format, no, SURENESS, strong, weak } from "../base.ts";
import { cellsOf, fit, isLengths, lengthsText, numberedHead, parseClue, saidLines, withLostClue } from "../lines.ts";
import { MAX_LINES, type Puzzle, puzzleOf } from "../puzzle.ts";
import { type NumberedLine, quoted, type Source, words } from "../source.ts";

const startsPuzzle = (text: string): boolean => text.trimStart().startsWith("$");

export const tournament: Format = {
  name: "tournament",
  suffixes: [".tcga", ".txt"],
  sniff(head) {
    const lines = numberedHead(head).filter(([, text]) => text.trim());
    const first = lines[0];
    if (!first || !startsPuzzle(first[1])) return no("the first line is no header such as $1", 1);
    const below = lines.filter(([, text]) => !startsPuzzle(text));
    const wrong = below.find(([, text]) => !isLengths(text));
    const isNumbered = /^\$\s*[0-9]+$/.test(first[1].trim());
    if (wrong && !(isNumbered && wrong !== below[0])) return weak(`line ${wrong[0]} is ${quoted(wrong[1])}, no clue`, wrong[0]);
    if (wrong || !below.length) return strong(`line ${first[0]} is a header`);
    return (isNumbered ? certain : strong)("headers such as $1, and clues");
  },
  *read(source) {
    let side = 0;
    for (const { header, lines } of puzzlesOf(source)) {
      side ||= squareSide(source, header, lines);
      const name = header[1].trim();
      const kept = fit(lines, 2 * side);
      const clues = withLostClue(kept.slice(0, 2 * side).map((line) => parseClue(source, line)), 2 * side, side);
      if (kept.length > 2 * side || clues.length !== 2 * side)
        throw source.error(`puzzle ${quoted(name)} has ${kept.length} clue lines`, { line: header[0], expected: `${side} column clues and ${side} row clues, as the first puzzle has` });
      yield puzzleOf({ rows: clues.slice(side), columns: clues.slice(0, side), title: name.replace(/^\$/, "").trim() });
    }
  },
  write({ title, rows, columns }) {
    const lines = [...columns, ...rows].map((clue) => clue.map(({ length }) => length).join("\t"));
    return `$${/^[0-9]+$/.test(title) ? title : 1}\n${lines.join("\n")}\n`;
  },
};

function* puzzlesOf(source: Source): Generator<{ header: NumberedLine; lines: NumberedLine[] }> {
  let found: { header: NumberedLine; lines: NumberedLine[] } | undefined;
  for (const line of source.lines) {
    if (startsPuzzle(line[1])) {
      if (found) yield found;
      found = { header: line, lines: [] };
    } else if (found) found.lines.push(line);
    else if (line[1].trim()) throw source.error("a clue before the first header", { line: line[0], expected: "a header such as $1" });
    if (found && found.lines.length > 2 * MAX_LINES + 1) throw source.error("too many clue lines", { line: line[0], expected: "the next header, such as $2" });
  }
  if (found) yield found;
}

/** The one square size with which columns and rows have as many cells as each other: blank lines at the end may be clues or not. */
function squareSide(source: Source, header: NumberedLine, lines: NumberedLine[]): number {
  const sums = [0];
  for (const line of lines.slice(0, 2 * MAX_LINES)) sums.push((sums.at(-1) ?? 0) + cellsOf([parseClue(source, line)]));
  const filled = fit(lines, 0).length;
  const longest = Math.min(lines.length + 1, 2 * MAX_LINES);
  const sides: number[] = [];
  for (let side = Math.ceil(Math.max(filled, 2) / 2); 2 * side <= longest; side++) {
    if (2 * (sums[side] ?? 0) === sums.at(-1)) sides.push(side);
    if (sides.length > 1) break;
  }
  if (sides.length === 1) return sides[0] as number;
  const what = sides.length ? `more than one size fits puzzle ${quoted(header[1].trim())}` : "no square puzzle";
  throw source.error(`${what}: ${lines.length} clue lines`, { line: header[0], expected: "as many column clues as row clues, because the file does not tell its size" });
}

const SECTIONS = ["ROWS", "COLUMNS"];

interface Draft {
  title: string;
  line: number;
  /** The sections in the order of the file. */
  clues: Map<string, Block[][]>;
}

export const picross: Format = {
  name: "picross",
  suffixes: [".txt"],
  sniff(head) {
    const expected = [["GRID"], SECTIONS, ["["]];
    const lines = saidLines(head).slice(0, 3);
    let agreeing = 0;
    while (agreeing < lines.length && expected[agreeing]?.includes(words(lines[agreeing]?.[1].replace("[", "[ ") ?? "")[0] ?? "")) agreeing++;
    if (agreeing === 3) return certain("GRID, a section and a clue in brackets");
    const found = lines[agreeing];
    const why = found ? `line ${found[0]} is ${quoted(found[1])}, not ${expected[agreeing]?.join(" or ")}` : `${expected[agreeing]?.[0]} does not follow`;
    return { sureness: [SURENESS.no, SURENESS.weak, SURENESS.strong][agreeing] as number, why, line: found ? (agreeing ? found[0] : 1) : agreeing + 1 };
  },
  *read(source) {
    let draft: Draft | undefined;
    for (const [line, text] of source.lines) {
      const [word = "", ...rest] = text.trim().split(" ");
      if (!word || word.startsWith("#")) continue;
      if (word === "GRID") {
        if (draft) yield finished(source, draft);
        draft = { title: rest.join(" ").trim(), line, clues: new Map() };
      } else if (draft && SECTIONS.includes(word)) {
        if (draft.clues.has(word)) throw source.error(`${word} a second time`, { line, expected: "GRID before the next grid" });
        draft.clues.set(word, []);
      } else if (draft?.clues.size && word.startsWith("[")) takeClue(source, draft, [line, text]);
      else {
        if (draft && SECTIONS.every((section) => draft?.clues.get(section)?.length)) yield finished(source, draft);
        const expected = !draft ? "GRID and a name before anything else" : draft.clues.size ? "a clue such as [ 1 2 ], ROWS, COLUMNS or GRID" : "ROWS or COLUMNS below GRID";
        throw source.error(`${quoted(words(text)[0] ?? "")} is out of place`, { line, column: text.length - text.trimStart().length + 1, expected });
      }
    }
    if (draft) yield finished(source, draft);
  },
  write({ title, rows, columns }) {
    const side = (name: string, clues: Block[][]) => [name, ...clues.map((clue) => `[ ${lengthsText(clue)} ]`)];
    return `${[`GRID ${words(title).join(" ")}`.trimEnd(), ...side("ROWS", rows), ...side("COLUMNS", columns)].join("\n")}\n`;
  },
};

function takeClue(source: Source, draft: Draft, [line, text]: NumberedLine): void {
  const said = text.trimEnd();
  const start = said.indexOf("[");
  if (!said.endsWith("]")) throw source.error("a clue without ]", { line, column: said.length + 1, expected: "a clue such as [ 1 2 ]" });
  const [section, clues] = [...draft.clues].at(-1) as [string, Block[][]];
  if (clues.length === MAX_LINES) throw source.error(`too many clues in ${section}`, { line, expected: `at most ${MAX_LINES}` });
  clues.push(parseClue(source, [line, `${said.slice(0, start)} ${said.slice(start + 1, -1)}`]));
}

function finished(source: Source, { title, line, clues }: Draft): Puzzle {
  const [rows, columns] = SECTIONS.map((section) => clues.get(section) ?? []);
  if (!rows?.length || !columns?.length)
    throw source.error(`the grid ${quoted(title)} has no ${rows?.length ? "columns" : "rows"}`, { line, expected: "ROWS and COLUMNS, and a clue such as [ 1 2 ] a line" });
  return puzzleOf({ rows, columns, title });
}

