/**
 * Saved pages of nonograms.org, whose solution `var d=[[...]]` hides, and tables with clues around a grid in any page; only
 * read, in colour. Of four numbers a, b, c, m most hide `a % m + b % m - c % m`; the Python module of this name says more.
 */

import { hasLayout, puzzleOfTable } from "../layout.ts";
import { complete, sketch, WHITE } from "../palettes.ts";
import { MAX_COLOURS, MAX_LINES, type Puzzle, puzzleOfGrid } from "../puzzle.ts";
import { certain, type Format, lineOf, no, strong, words } from "../source.ts";
import { unescapeMarkup } from "../xml.ts";

const MAX_CHARACTERS = 2 << 20;
const MAX_TABLE_CHARACTERS = 1 << 18;
const MOST_PIXELS = 1 << 22;
const DEEPEST = 200;

type Hidden = [number, number, number, number];

export const webPage: Format = {
  name: "web-page",
  suffixes: [".html", ".htm"],
  holdsColours: true,
  sniff({ text }) {
    if (text.includes("var d=[[")) return certain("it has the puzzle of nonograms.org, var d=[[");
    return /^\s*(<!doctype html|<html|<\?xml[^>]{0,99}>\s*<!doctype html|<table|<!--)/i.test(text) ? strong("it is a page in HTML") : no("it is no page in HTML", 1);
  },
  *read(source) {
    const text = source.checkLength(MAX_CHARACTERS, "the page is too large");
    const title = words(unescapeMarkup(/<title[^>]{0,99}>([^<]{0,300})<\/title>/i.exec(text)?.[1] ?? "")).join(" ");
    const cipher = /var\s+d\s*=\s*(\[\[[-0-9,[\]\s]*\]\])/.exec(text);
    if (cipher) {
      const puzzle = deciphered(cipher[1] as string, title);
      if (!puzzle) throw source.error("var d hides no puzzle", { line: lineOf(text, cipher.index), expected: "what pages of nonograms.org have there" });
      yield puzzle;
      return;
    }
    source.checkLength(MAX_TABLE_CHARACTERS, "the page is too large to look at its tables");
    const tables = tablesOf(text).filter(hasLayout);
    for (const table of tables) yield puzzleOfTable(source, table);
    const isWebpbn = /webpbn\.com|Web Paint-by-Number/.test(text);
    if (!tables.length)
      throw source.error("no puzzle in the page", {
        expected: isWebpbn
          ? "the puzzle as XML or .non from https://webpbn.com/export.cgi; its pages hold none"
          : "a table with clues around a grid, or a saved page of nonograms.org",
      });
  },
};

/** The texts of the cells of all tables. The browser's parser runs no script and loads nothing. */
function tablesOf(text: string): string[][][] {
  if ((text.match(/<(table|div|span|b|i|font)\b/gi) ?? []).length > 40 * DEEPEST) return [];
  const page = new DOMParser().parseFromString(text, "text/html");
  return [...page.querySelectorAll("table")].map((table) =>
    [...table.querySelectorAll("tr")]
      .filter((row) => row.closest("table") === table)
      .map((row) =>
        [...row.querySelectorAll("td, th")]
          .filter((cell) => cell.closest("tr") === row)
          .map((cell) => {
            for (const breaking of cell.querySelectorAll("br, div, p, li")) breaking.before(" ");
            return words(cell.textContent ?? "").join(" ");
          }),
      ),
  );
}

const hidden = ([a, b, c, m]: Hidden): number => (a % m) + (b % m) - (c % m);

function deciphered(text: string, title: string): Puzzle | undefined {
  let lines: Hidden[];
  try {
    lines = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!lines.every((line) => Array.isArray(line) && line.length === 4 && line.every(Number.isSafeInteger)) || lines.length < 8) return undefined;
  const [width, height, colours] = lines.slice(1, 4).map(hidden) as [number, number, number];
  const isIn = (value: number, most: number) => value >= 1 && value <= most;
  if (!isIn(width, MAX_LINES) || !isIn(height, MAX_LINES) || !isIn(width * height, MOST_PIXELS) || !isIn(colours, MAX_COLOURS)) return undefined;
  const base = lines[4] as Hidden;
  const inks = lines.slice(5, 5 + colours).map(([r, g, b]) => [r - base[1], g - base[0], b - base[3]]);
  if (!inks.flat().every((value) => value >= 0 && value < 256)) return undefined;
  const [head, added] = [lines[5 + colours], lines[6 + colours]];
  if (!head || !added) return undefined;
  const [a, b, c, m] = head;
  const count = (a % m) ** 2 + 2 * (b % m) + (c % m);
  const runs = lines.slice(7 + colours, 7 + colours + count);
  if (runs.length !== count) return undefined;
  const grid = Array.from({ length: height }, () => Array<number>(width).fill(0));
  for (const run of runs) {
    const [first, length, colour, row] = run.map((number, i) => number - (added[i] as number)) as Hidden;
    if (first < 1 || length < 1 || first + length - 1 > width || !isIn(row, height) || !isIn(colour, colours)) return undefined;
    grid[row - 1]?.fill(colour, first - 1, first - 1 + length);
  }
  const hex = (rgb: number[]) => `#${rgb.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
  return puzzleOfGrid(grid, { palette: complete([sketch({ rgb: WHITE.rgb }), ...inks.map((rgb) => sketch({ rgb: hex(rgb) }))]), title });
}
