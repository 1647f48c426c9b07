/**
 * Facts for answer set solvers (`.lp`), in the two dialects of public programs: `row(0, 0, red, 2).` counted from 0, in
 * colour, and `row_hint(1, 1, 2).` counted from 1. Everything but facts of numbers, names and strings is refused.
 */

import type { Block } from "../../../core/module.ts";
import { certain, type Format, no } from "../base.ts";
import { parseSize } from "../lines.ts";
import { complete, sketch, WHITE } from "../palettes.ts";
import { MAX_LINES, puzzleOf } from "../puzzle.ts";
import { quoted, type Source } from "../source.ts";

const MAX_CHARACTERS = 1 << 20;
const TOKEN = /(?<blank>\s+|%\*[^]*?(?:\*%|$)|%[^\n]*)|"[^"\\\n]{0,80}"|[0-9]{1,9}(?![0-9A-Za-z_])|#?[a-z][A-Za-z0-9_]{0,80}|[(),.=]/y;
const FACT = /\b(row|col)(_hint|_cnt)?\(\s*[0-9]+\s*(,\s*[0-9]+\s*,[^()\n]{1,90})?\)\s*\./;
const SIZES: Record<string, "row" | "col"> = { row_cnt: "row", col_cnt: "col", h: "row", w: "col" };
const WHAT = { row: "number of rows", col: "number of columns" };
const EXAMPLE = "facts such as row(0, 0, red, 2). or row_hint(1, 1, 2).";

interface Fact {
  name: string;
  values: string[];
  line: number;
}

interface Axis {
  first: number;
  size: number;
  /** Colour and length by line and block. */
  blocks: Map<number, Map<number, { colour: string; length: number }>>;
}

export const asp: Format = {
  name: "asp",
  suffixes: [".lp"],
  holdsColours: true,
  sniff({ text }) {
    const found = FACT.exec(text);
    return found ? certain(`${quoted(found[0])} is a fact`) : no("no fact such as row(0, 0, red, 2). or row_hint(1, 1, 2).");
  },
  *read(source) {
    const axes = { row: { first: 0, size: 0, blocks: new Map() } as Axis, col: { first: 0, size: 0, blocks: new Map() } as Axis };
    const names = new Set<string>();
    for (const fact of factsOf(source)) {
      const sized = fact.values.length === 1 ? SIZES[fact.name] : undefined;
      if (sized) {
        if (axes[sized].size) throw source.error(`a second ${WHAT[sized]}`, { line: fact.line, expected: "one puzzle" });
        axes[sized].size = parseSize(source, fact.line, fact.values[0] ?? "", WHAT[sized]);
      } else takeBlock(source, fact, axes);
    }
    for (const axis of ["row", "col"] as const) {
      if (!axes[axis].size) throw source.error(`no ${WHAT[axis]}`, { expected: `${axis}_cnt(5). or #const ${axis === "row" ? "h" : "w"} = 5.` });
      for (const line of axes[axis].blocks.values()) for (const { colour } of line.values()) if (colour) names.add(colour);
    }
    const index = new Map([["", 1], ...[...names].map((name, i): [string, number] => [name, i + 1])]);
    const palette = complete([sketch({ rgb: WHITE.rgb }), ...[...names].map((name) => sketch({ name: name.replace(/^"(.*)"$/, "$1") }))]);
    yield puzzleOf({ rows: cluesOf(source, axes.row, "row", index), columns: cluesOf(source, axes.col, "col", index), palette });
  },
  write({ palette, rows, columns }) {
    const names = palette.map(({ name }, i) => {
      if (/^[a-z][A-Za-z0-9_]*$/.test(name)) return name;
      return name.length <= 80 && !/["\\]|[\p{C}\u2028\u2029]/u.test(name) ? `"${name}"` : `ink_${i}`;
    });
    const side = (axis: string, clues: Block[][]) =>
      clues.flatMap((clue, i) => (clue.length ? [clue.map(({ length, colour }, k) => `${axis}(${i}, ${k}, ${names[colour]}, ${length}).`).join(" ")] : []));
    return `${[`row_cnt(${rows.length}).`, `col_cnt(${columns.length}).`, ...side("row", rows), ...side("col", columns)].join("\n")}\n`;
  },
};

function* factsOf(source: Source): Generator<Fact> {
  const text = source.checkLength(MAX_CHARACTERS, "too many facts");
  let [line, start]: [number, number] = [1, 1];
  let said: string[] = [];
  TOKEN.lastIndex = 0;
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text);
    if (!token) throw source.error(`${quoted(text.slice(at, at + 9))} is no fact`, { line, expected: `${EXAMPLE}, and no rules` });
    const end = TOKEN.lastIndex;
    if (token.groups?.blank === undefined) {
      if (!said.length) start = line;
      said.push(token[0]);
      if (token[0] === ".") {
        if (said[0] !== "#show" && said[0] !== "#program") yield factOf(source, said, start);
        said = [];
      }
    }
    line += token[0].split("\n").length - 1;
    TOKEN.lastIndex = end;
  }
  if (said.length) throw source.error("the file ends in a fact", { line: start, expected: "a dot behind each fact" });
}

function factOf(source: Source, said: string[], line: number): Fact {
  const [name = "", open, ...rest] = said;
  if (name === "#const" && said.length === 5 && said[2] === "=") return { name: open ?? "", values: [said[3] ?? ""], line };
  const inside = rest.slice(0, -2);
  const isCall = open === "(" && rest.at(-2) === ")" && inside.length % 2 === 1 && inside.every((word, i) => (i % 2 === 1) === (word === ","));
  if (isCall) return { name, values: inside.filter((_, i) => i % 2 === 0), line };
  throw source.error(`${quoted(said.join(" "))} is no fact`, { line, expected: EXAMPLE });
}

function takeBlock(source: Source, { name, values, line }: Fact, axes: { row: Axis; col: Axis }): void {
  const [, which, hint] = /^(row|col)(_hint)?$/.exec(name) ?? [];
  const numbers = [values[0], values[1], values.at(-1)];
  if (!which || values.length !== (hint ? 3 : 4) || !numbers.every((number) => /^[0-9]+$/.test(number ?? "")))
    throw source.error(`${quoted(`${name}(${values.join(", ")})`)} says nothing of a puzzle`, {
      line,
      expected: "one of row(line, block, colour, length), row_hint(line, block, length), row_cnt(n), the same for col",
    });
  const axis = axes[which as "row" | "col"];
  const [place, block, length] = numbers.map(Number) as [number, number, number];
  const blocks = axis.blocks.get(place) ?? axis.blocks.set(place, new Map()).get(place);
  if (blocks?.has(block)) throw source.error(`block ${block} of ${which} ${place} a second time`, { line, expected: "one fact for each block" });
  blocks?.set(block, { colour: hint ? "" : (values[2] ?? ""), length });
  axis.first = Number(Boolean(hint));
}

function cluesOf(source: Source, { first, size, blocks }: Axis, axis: "row" | "col", index: Map<string, number>): Block[][] {
  const clues: Block[][] = Array.from({ length: size }, () => []);
  for (const [line, found] of blocks) {
    if (line < first || line >= first + size || found.size > MAX_LINES)
      throw source.error(`a block of ${axis} ${line}`, { expected: `${first} to ${first + size - 1}, as the ${WHAT[axis]} says` });
    const ordered = [...found].sort(([a], [b]) => a - b);
    clues[line - first] = ordered.map(([, { colour, length }]) => ({ length, colour: index.get(colour) ?? 0 }));
  }
  return clues;
}
