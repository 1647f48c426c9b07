/**
 * Recognise the exchange formats of solvers. The page does not read them: `nonocsp convert` does, and `nonocsp studio`.
 * The marks are coarser than in Python, which decides.
 */

import { certain, type Known, no, strong } from "./base.ts";
import { MAX_LINES } from "./puzzle.ts";

/** A format that is known by texts which only its files have. */
const marked = (name: string, suffixes: string[], ...marks: RegExp[]): Known => ({
  name,
  suffixes,
  sniff: ({ text }) => (marks.every((mark) => mark.test(text)) ? certain : no)(`the marks of ${name} files`),
});

const numbersOf = (line: string): number[] => (line.match(/[0-9]{1,9}/g) ?? []).map(Number).filter(Boolean);
const sum = (numbers: number[]): number => numbers.reduce((all, number) => all + number, 0);

/** Whether lines of numbers can be clues of rows and columns: equal sums, and each clue fits its line. */
function fit(rows: string[], columns: string[]): boolean {
  const fitInto = (clues: string[], cells: number) => clues.map(numbersOf).every((clue) => sum(clue) + clue.length - 1 <= cells);
  return sum(rows.flatMap(numbersOf)) === sum(columns.flatMap(numbersOf)) && fitInto(rows, columns.length) && fitInto(columns, rows.length);
}

/** The format of a text that holds nothing but numbers; nothing if they are no clues of a puzzle. */
function listOf(text: string): string {
  const all = text.replace(/\n+$/, "").split("\n").map((line) => line.trimEnd());
  const lines = all.filter((line) => !/^[#%*]/.test(line)).map((line) => line.replace(/#.*/, ""));
  if (!lines.every((line) => /^[0-9 ,\t]*$|^&$/.test(line))) return "";
  const [sizes = "", second = "", ...below] = lines.slice(lines.findIndex(Boolean));
  const isSize = (word: string) => /^[1-9][0-9]{0,3}$/.test(word) && Number(word) <= MAX_LINES;
  const pair = sizes.trim().split(/\s+/);
  if (pair.length === 2 && pair.every(isSize)) {
    const isMk = all.some((line) => line.startsWith("#") && all.indexOf(line) > all.findIndex((said) => /^\s*[0-9]/.test(said)));
    const height = Number(pair[isMk ? 0 : 1]);
    const clues = [second, ...below, ""].slice(0, Number(pair[0]) + Number(pair[1]));
    if (fit(clues.slice(0, height), clues.slice(height))) return isMk ? "mk" : "nin";
  }
  const [height, width] = [Number(sizes), Number(second)];
  if ([sizes, second].every(isSize) && !below[height] && fit(below.slice(0, height), [...below.slice(height + 1), ""].slice(0, width))) return "cwd";
  const sections = lines.join("\n").split(lines.includes("&") ? /&/ : /\n{2,}/).map((section) => section.split("\n").filter(Boolean));
  const [rows, columns, ...others] = sections.filter(({ length }) => length);
  return rows && columns && !others.length && fit(rows, columns) ? "keen" : "";
}

const list = (name: string): Known => ({ name, suffixes: [`.${name}`], sniff: ({ text }) => (listOf(text) === name ? strong : no)("a list of clues") });

export const SOLVERS: readonly Known[] = [
  marked("dzn", [".dzn"], /(?<![A-Za-z0-9_])(?:row|col)(?:s|_rules|_states|_num_states)\s*=(?!=)/, /\[\||array2d\b|_states\b/),
  marked("asp", [".lp"], /\b(?:row|col)(?:_hint|_cnt)?\(\s*[0-9]+\s*(?:,\s*[0-9]+\s*,[^()\n]{1,90})?\)\s*\./),
  marked("bosch", [".lp"], /^(?:[ \t]*(?:[#%].*)?\n)*[ \t]*number_of_rows:/),
  marked("pynogram", [".txt"], /^(?:[ \t]*(?:[#;].*)?\n)*\[(?:clues|colors)\]/, /^[ \t]*(?:columns|rows)[ \t]*[=:](?![ \t]*("""|'''))/im),
  marked("nonogrid", [".toml"], /^[ \t]*\[(?:clues|colors)\]/m, /^[ \t]*(?:columns|rows)[ \t]*=[ \t]*(?:"""|''')|^[ \t]*defs[ \t]*=/m),
  marked("latex", [".tex"], /\\begin\{nonogram\}|\{logicpuzzle\}/),
  marked("puzzlekit", [], /^\s*\{/, /"data"\s*:\s*\{/, /"problem"\s*:/),
  marked("olsak", [".g"], /^#d.*\n[ \t]*[^\s2-9,:]:\S?[ \t]+\S|^:.*\n(?:[ \t]*\n)*[0-9].*\n(?:(?:[0-9 ,\t].*)?\n)*:/im),
  marked("game-id", [], /^\s*(?:pattern:?\s+)?[0-9]{1,4}x[0-9]{1,4}(?::[0-9.]*(?:\/[0-9.]*)+|#[0-9a-z]+)(?:[\s,#]|$)/i),
  ...["nin", "mk", "cwd", "keen"].map(list),
];
