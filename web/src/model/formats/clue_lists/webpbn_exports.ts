/**
 * Two more kinds of text in one colour: Bosch's `.lp` (`number_of_rows:`, then `row_1`, the number of blocks, the blocks)
 * and the game IDs of Simon Tatham's Pattern (`WIDTHxHEIGHT:`, columns, rows, one ID a line).
 */

import type { Block } from "../../../core/module.ts";
import { certain, type Format, no, strong } from "../base.ts";
import { parseClue, parseSize, saidLines } from "../lines.ts";
import { MAX_LINES, plain, type Puzzle, puzzleOf } from "../puzzle.ts";
import { quoted, type Source, words } from "../source.ts";

const AXES = ["row", "column"] as const;

export const bosch: Format = {
  name: "bosch",
  suffixes: [".lp"],
  sniff(head) {
    return saidLines(head)[0]?.[1].startsWith("number_of_rows:") ? certain("the first line is number_of_rows:") : no("the first line is not number_of_rows:", 1);
  },
  *read(source) {
    const all = source.lines.flatMap(([line, text]) => words(text).map((word) => ({ line, word })));
    let at = 0;
    const take = (expected: string) => {
      const found = all[at++];
      if (!found) throw source.error("the file ends", { line: all.at(-1)?.line ?? 1, expected });
      return found;
    };
    const [rows, columns] = AXES.map((axis) => {
      const key = take(`number_of_${axis}s: and a number`);
      if (key.word !== `number_of_${axis}s:`) throw source.error(quoted(key.word), { line: key.line, expected: `number_of_${axis}s:` });
      const { line, word } = take("a number");
      return { axis, size: parseSize(source, line, word, `number of ${axis}s`), clues: new Map<number, Block[]>() };
    }) as [Side, Side];
    while (at < all.length) {
      const { line, word } = take("");
      const found = /^(row|column)_([0-9]{1,9}):?$/.exec(word);
      const side = found?.[1] === "row" ? rows : columns;
      const number = Number(found?.[2]);
      if (!found || number < 1 || number > side.size || side.clues.has(number))
        throw source.error(`${quoted(word)} is out of place`, { line, expected: "row_1, column_1 and so on, each line once and in the size" });
      take("number_of_clusters:");
      const count = take("the number of blocks");
      if (!/^[0-9]{1,9}$/.test(count.word) || Number(count.word) > MAX_LINES)
        throw source.error(`${quoted(count.word)} is no number of blocks`, { line: count.line, expected: `a number of blocks up to ${MAX_LINES}` });
      take("size(s):");
      const lengths = Array.from({ length: Number(count.word) }, () => {
        const length = take("the length of a block");
        if (/^[0-9]{1,9}$/.test(length.word)) return Number(length.word);
        throw source.error(`${quoted(length.word)} is no block length`, { line: length.line, expected: `${count.word} lengths behind size(s):` });
      });
      side.clues.set(number, plain(lengths));
    }
    const complete = ({ axis, size, clues }: Side) =>
      Array.from({ length: size }, (_, i) => {
        const clue = clues.get(i + 1);
        if (!clue) throw source.error(`${axis}_${i + 1} is missing`, { line: all.at(-1)?.line ?? 1, expected: `${size} ${axis}s, as number_of_${axis}s says` });
        return clue;
      });
    yield puzzleOf({ rows: complete(rows), columns: complete(columns) });
  },
  write({ rows, columns }) {
    const side = (axis: string, clues: Block[][]) =>
      clues.flatMap((clue, i) => ["", `${axis}_${i + 1}`, `number_of_clusters: ${clue.length}`, `size(s): ${clue.map(({ length }) => length).join(" ")}`.trimEnd()]);
    return `${[`number_of_rows: ${rows.length}`, `number_of_columns: ${columns.length}`, ...side("row", rows), ...side("column", columns)].join("\n")}\n`;
  },
};

interface Side {
  axis: string;
  size: number;
  clues: Map<number, Block[]>;
}

const ID = /^(?:pattern:?\s+)?([0-9]{1,9})x([0-9]{1,9})([:#])(.*)$/i;

export const gameId: Format = {
  name: "game-id",
  suffixes: [],
  sniff(head) {
    const [first = "", ...others] = saidLines(head).map(([, text]) => text);
    const found = ID.exec(first);
    if (!found) return no("no size such as 15x10: at the start", 1);
    const [, width, height, mark, rest = ""] = found;
    if (mark === "#") return (/^[\p{L}\p{N}]+$/u.test(rest) && !others.length ? strong : no)(`${quoted(first)} is a size and a seed`);
    const clues = (/^[^#,]*/.exec(rest)?.[0] ?? "").trimEnd();
    const [fields, wanted] = [clues.split("/").length, Number(width) + Number(height)];
    if (!/^[0-9./]*$/.test(clues) || (fields !== wanted && !(head.isCut && !others.length && fields < wanted)))
      return no(`a size of ${width}x${height}, but not ${wanted} clues of digits, dots and slashes behind it`, 1);
    return certain(`${width}x${height}: is followed by ${fields} clues between slashes`);
  },
  *read(source) {
    for (const [line, text] of source.lines) if (text.trim() && !text.trimStart().startsWith("#")) yield readId(source, line, text);
  },
  write({ rows, columns }) {
    const fields = [...columns, ...rows].map((clue) => clue.map(({ length }) => length).join("."));
    return `${columns.length}x${rows.length}:${fields.join("/")}\n`;
  },
};

function readId(source: Source, line: number, text: string): Puzzle {
  const found = ID.exec(text.trim());
  if (!found) throw source.error(`${quoted(text.trim())} is no game ID`, { line, expected: "WIDTHxHEIGHT: and the clues, such as 2x2:1/1/1/1" });
  const width = parseSize(source, line, found[1] ?? "", "width");
  const height = parseSize(source, line, found[2] ?? "", "height");
  if (found[3] === "#")
    throw source.error(`${quoted(text.trim())} is a random seed, of which only Pattern can make the puzzle`, {
      line,
      expected: "an ID with clues, which Pattern shows under Game > Specific",
    });
  const [clues = "", given] = (found[4]?.split("#", 1)[0] ?? "").split(",");
  if (given !== undefined) throw source.error("given cells behind a comma, which no clue holds", { line, expected: "clues alone" });
  const fields = clues.trimEnd().split("/");
  if (fields.length !== width + height) throw source.error(`${fields.length} clues`, { line, expected: `${width} of columns and ${height} of rows, between slashes` });
  const read = fields.map((field) => {
    if (!/^[0-9.]*$/.test(field)) throw source.error(`${quoted(field)} is no clue`, { line, expected: "lengths between dots, such as 3.1, or nothing for an empty line" });
    return parseClue(source, [line, field.replaceAll(".", " ")]);
  });
  return puzzleOf({ rows: read.slice(width), columns: read.slice(0, width) });
}
