/**
 * Nonograms of the LaTeX package logicpuzzle, in documents that typeset as they are; one colour. `\nonogramV` has the rows
 * from the bottom to the top, and both commands have the lengths of a clue from the grid outwards.
 */

import type { Block } from "../../../core/module.ts";
import { certain, type Format, no, strong } from "../base.ts";
import { parseSize } from "../lines.ts";
import { MAX_LINES, plain, type Puzzle, puzzleOf } from "../puzzle.ts";
import { lineOf, quoted, type Source, words } from "../source.ts";

const MAX_CHARACTERS = 1 << 20;
const BEGIN = "\\begin{nonogram}";
const END = "\\end{nonogram}";

export const latex: Format = {
  name: "latex",
  suffixes: [".tex"],
  sniff({ text }) {
    if (text.includes(BEGIN)) return certain(`it has ${BEGIN}`);
    return text.includes("{logicpuzzle}") && text.includes("\\documentclass") ? strong("it has \\usepackage{logicpuzzle}") : no(`no ${BEGIN}`);
  },
  *read(source) {
    const raw = source.checkLength(MAX_CHARACTERS, "too much text");
    const text = raw.replace(/(?<!\\)%.*/g, "");
    for (let at = text.indexOf(BEGIN); at >= 0; ) {
      const [line, end] = [lineOf(text, at), text.indexOf(END, at)];
      if (end < 0) throw source.error(`${BEGIN} is not closed`, { line, expected: END });
      yield readPuzzle(source, text.slice(at + BEGIN.length, end), line);
      at = text.indexOf(BEGIN, end);
    }
  },
  write({ title, rows, columns }) {
    const said = words(title).join(" ").replace(/[\\{}[\]$&#^_~%]/g, " ");
    const clue = (blocks: Block[]) => `{${blocks.map(({ length }) => length).reverse().join(", ") || "0"}}`;
    return `${[
      "\\documentclass{article}",
      "\\usepackage{logicpuzzle}",
      "\\begin{document}",
      `${BEGIN}[rows=${rows.length}, columns=${columns.length}${title ? `, title={${said}}` : ""}]`,
      `\\nonogramV{${[...rows].reverse().map(clue).join(", ")}}`,
      `\\nonogramH{${columns.map(clue).join(", ")}}`,
      END,
      "\\clearpage",
      "\\end{document}",
    ].join("\n")}\n`;
  },
};

function readPuzzle(source: Source, text: string, line: number): Puzzle {
  const [, options = "", body = ""] = /^\[([^\]]*)\]?([^]*)$/.exec(text) ?? [, "", text];
  const sizes = new Map([...options.matchAll(/(rows|columns)\s*=\s*([0-9]{1,9})/g)].map(([, what = "", size = ""]) => [what, size]));
  const title = /title\s*=\s*(?:\{([^{}]*)\}|([^,\]{}]*))/.exec(options);
  const lists = new Map<string, Block[][]>();
  const runs = new Map<number, string>();
  const commands = /\\nonogram(V|H|row)\s*/g; // those within the braces of another are none
  for (let command = commands.exec(body); command; command = commands.exec(body)) {
    const number = line + lineOf(text, text.length - body.length + command.index) - 1;
    const [argument, behind] = braces(source, body, commands.lastIndex, number);
    commands.lastIndex = behind;
    const name = command[1] as string;
    if (name !== "row") {
      if (lists.has(name)) throw source.error(`\\nonogram${name} a second time`, { line: number, expected: `one for each ${BEGIN}` });
      lists.set(name, cluesOf(source, argument, number));
    } else {
      const row = parseSize(source, number, argument.trim(), "row");
      if (runs.has(row)) throw source.error(`row ${row} of the solution a second time`, { line: number, expected: "each row once" });
      const [run, end] = braces(source, body, behind, number);
      runs.set(row, run);
      commands.lastIndex = end;
    }
  }
  const [rows, columns] = ([["V", "rows"], ["H", "columns"]] as const).map(([name, what]) => {
    const found = lists.get(name);
    if (!found) throw source.error(`no \\nonogram${name}`, { line, expected: `\\nonogram${name}, the clues of ${what}` });
    const size = parseSize(source, line, sizes.get(what) ?? String(found.length), what);
    if (size !== found.length) throw source.error(`${found.length} clues in \\nonogram${name}`, { line, expected: `${size}, as ${what}=${size} says` });
    return found;
  }) as [Block[][], Block[][]];
  const goal = runs.size ? goalOf(source, runs, rows.length, columns.length, line) : undefined;
  return puzzleOf({ rows: rows.reverse(), columns, title: (title?.[1] ?? title?.[2] ?? "").trim(), goal });
}

/** What stands between the braces that open at a place, and where it ends. */
function braces(source: Source, text: string, from: number, line: number): [inside: string, behind: number] {
  let at = from;
  while (/\s/.test(text[at] ?? "")) at++;
  let depth = 0;
  for (let end = at; end < text.length; end++) {
    depth += Number(text[end] === "{") - Number(text[end] === "}");
    if (depth > 0) continue;
    if (text[at] === "{") return [text.slice(at + 1, end), end + 1];
    break;
  }
  throw source.error("no braces behind the command", { line, expected: "{ and as many }" });
}

function cluesOf(source: Source, text: string, line: number): Block[][] {
  const clue = /\s*(?:\{([0-9,\s]*)\}|([0-9]+))\s*(,|$)/y;
  const clues: Block[][] = [];
  const end = text.trimEnd().length;
  for (let at = 0; at < end; at = clue.lastIndex) {
    clue.lastIndex = at;
    const found = clue.exec(text);
    const said = words((found?.[1] ?? found?.[2] ?? "").replaceAll(",", " "));
    if (!found || clues.length === MAX_LINES || said.some(({ length }) => length > 9))
      throw source.error(`${quoted(text.slice(at).trim())} is no clue`, { line: line + lineOf(text, at) - 1, expected: "clues such as {1, 2}, {3}" });
    clues.push(said.join() === "0" ? [] : plain(said.map(Number).reverse()));
  }
  return clues;
}

function goalOf(source: Source, runs: Map<number, string>, rows: number, columns: number, line: number): Uint8Array {
  const cells = new Uint8Array(rows * columns);
  for (const [row, text] of runs)
    for (const run of text.split(",")) {
      const [column = 0, length = 0] = /^\s*([0-9]{1,9})\s*\/\s*([0-9]{1,9})\s*$/.exec(run)?.slice(1).map(Number) ?? [];
      if (row > rows || column < 1 || column + length - 1 > columns)
        throw source.error(`row ${row} of the solution: ${quoted(run)}`, { line, expected: "COLUMN/LENGTH in the grid, rows counted from the bottom" });
      cells.fill(1, (rows - row) * columns + column - 1, (rows - row) * columns + column - 1 + length);
    }
  return cells;
}
