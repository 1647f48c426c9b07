/**
 * The XML of webpbn.com (Jan Wolter's pbn-0.3), in colour, with goal, several puzzles a file. A count without a colour has
 * the puzzle's `defaultcolor`; white and black need no declaration. A goal with unknown cells is dropped.
 */

import type { Block } from "../../../core/module.ts";
import { complete, type Sketch, sketch, WHITE } from "../palettes.ts";
import { BLACK, type Puzzle, puzzleOf, puzzleOfGrid } from "../puzzle.ts";
import { certain, type Format, lineOf, no, quoted, type Source, strong, weak } from "../source.ts";
import { type Element, elements, xmlText } from "../xml.ts";

const PREDEFINED = new Map<string, Sketch>([
  ["white", WHITE],
  ["black", { ...BLACK, char: "X" }],
]);

export const webpbn: Format = {
  name: "webpbn",
  suffixes: [".xml", ".pbn"],
  holdsColours: true,
  sniff({ text, isCut }) {
    if (!text.trimStart().startsWith("<")) return no("it does not start as XML does", 1);
    const puzzle = /<puzzle(set)?[\s>]/.exec(text);
    if (!puzzle) return no("it has no element <puzzle>", 1);
    const line = lineOf(text, puzzle.index);
    if (/<(clues|solution|color)[\s>]|type=["']triddler/.test(text.slice(puzzle.index))) return certain(`a puzzle with clues or a solution in line ${line}`);
    return isCut ? strong(`a puzzle in line ${line}`) : weak(`the puzzle in line ${line} has neither clues nor a solution`, line);
  },
  *read(source) {
    let origin = "";
    for (const node of elements(source, "puzzle", "source")) {
      if (node.tag === "source") origin = node.text;
      else yield readPuzzle(source, node, origin);
    }
  },
  write(puzzle) {
    const { palette, goal, columns } = puzzle;
    const names = palette.map(({ name }) => `"${xmlText(name)}"`);
    const texts = { title: puzzle.title, author: puzzle.author, copyright: puzzle.licence, source: puzzle.source };
    const line = (clue: Block[]) => `<line>${clue.map(({ length, colour }) => `<count${colour === 1 ? "" : ` color=${names[colour]}`}>${length}</count>`).join("")}</line>`;
    const chars = palette.map(({ char }) => xmlText(char.replace(/[[\]\\|?]/, "\\$&")));
    const image = goal ? puzzle.rows.map((_, i) => `|${Array.from(goal.subarray(i * columns.length, (i + 1) * columns.length), (cell) => chars[cell]).join("")}|`) : [];
    return `${[
      '<?xml version="1.0" encoding="UTF-8"?>',
      "<puzzleset>",
      `<puzzle type="grid" defaultcolor=${names[1]} backgroundcolor=${names[0]}>`,
      ...Object.entries(texts).flatMap(([tag, text]) => (text ? [`<${tag}>${xmlText(text)}</${tag}>`] : [])),
      ...palette.map(({ char, rgb }, i) => `<color name=${names[i]} char="${xmlText(char)}">${rgb.slice(1).toUpperCase()}</color>`),
      ...['<clues type="columns">', ...columns.map(line), "</clues>", '<clues type="rows">', ...puzzle.rows.map(line), "</clues>"],
      ...(image.length ? ['<solution type="goal">', "<image>", ...image, "</image>", "</solution>"] : []),
      ...["</puzzle>", "</puzzleset>"],
    ].join("\n")}\n`;
  },
};

function readPuzzle(source: Source, node: Element, origin: string): Puzzle {
  const { line } = node;
  const kind = node.attributes.type ?? "grid";
  if (kind !== "grid") throw source.error(`a puzzle of type ${quoted(kind)}, which is no rectangular nonogram`, { line, expected: 'type="grid"' });
  const sketches = sketchesOf(source, node);
  const palette = complete(sketches);
  const texts = {
    title: node.firstText("title"),
    author: node.firstText("author") || node.firstText("authorid"),
    licence: node.firstText("copyright"),
    source: [node.firstText("source") || origin, node.firstText("id")].filter(Boolean).join(" "),
  };
  const goal = goalOf(source, node, new Map(sketches.flatMap(({ char }, i) => (char ? [[char, i] as const] : []))));
  if (!node.all("clues").length && goal) return puzzleOfGrid(goal, { palette, ...texts });
  const colours = new Map(palette.map(({ name }, i) => [name, i]));
  colours.set("", colours.get(defaultColour(node, palette.slice(1).map(({ name }) => name))) ?? 0);
  const clues = (axis: string) => cluesOfAxis(source, node, axis, colours);
  return puzzleOf({ rows: clues("rows"), columns: clues("columns"), palette, goal: goal && Uint8Array.from(goal.flat()), ...texts });
}

/** The colours, background first; white and black are added where they are meant. */
function sketchesOf(source: Source, node: Element): Sketch[] {
  const declared = new Map<string, Sketch>();
  for (const { text, line, attributes } of node.all("color")) {
    const digits = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(text)?.[1]?.toLowerCase();
    if (!digits) throw source.error(`colour ${quoted(text)}`, { line, expected: "RRGGBB, such as ff0000" });
    const name = attributes.name ?? "";
    declared.set(name, sketch({ name, rgb: `#${digits.length === 3 ? digits.replace(/./g, "$&$&") : digits}`, char: attributes.char ?? "" }));
  }
  const background = node.attributes.backgroundcolor ?? WHITE.name;
  const counts = node.all("clues").flatMap((clues) => clues.all("line").flatMap((line) => line.all("count")));
  const needed = [background];
  if (counts.some(({ attributes }) => attributes.color === undefined)) needed.push(defaultColour(node, [...declared.keys()].filter((name) => name !== background)));
  for (const name of needed)
    if (!declared.has(name) && !PREDEFINED.has(name))
      throw source.error(`unknown colour ${quoted(name)}`, { line: node.line, expected: `a declared one: ${[...declared.keys()].join(", ") || "none"}` });
  return [...new Set([background, ...declared.keys(), ...needed])].map((name) => declared.get(name) ?? (PREDEFINED.get(name) as Sketch));
}

/** The name of the colour of counts that name none. */
const defaultColour = (node: Element, inks: string[]): string => node.attributes.defaultcolor ?? (inks.length === 1 ? (inks[0] as string) : BLACK.name);

function cluesOfAxis(source: Source, node: Element, axis: string, colours: Map<string, number>): Block[][] {
  const sections = node.all("clues").filter(({ attributes }) => attributes.type === axis);
  if (sections.length !== 1)
    throw source.error(`${sections.length} <clues type="${axis}">`, { line: node.line, expected: 'one <clues type="columns"> and one <clues type="rows">' });
  return (sections[0] as Element).all("line").map((clue) => {
    const counts = clue.all("count");
    return counts.filter(({ text }) => counts.length > 1 || text !== "0").map(({ text, line, attributes }) => {
      if (!/^[0-9]{1,9}$/.test(text)) throw source.error(`count ${quoted(text)}`, { line, expected: "a number of cells" });
      const colour = colours.get(attributes.color ?? "");
      if (colour) return { length: Number(text), colour };
      throw source.error(`a block in ${quoted(attributes.color ?? "the default colour")}, which is the background or not declared`, {
        line,
        expected: `one of the colours: ${[...colours].filter(([name, i]) => name && i).map(([name]) => name).join(", ")}`,
      });
    });
  });
}

/** The goal if the puzzle has one without unknown cells. */
function goalOf(source: Source, node: Element, chars: Map<string, number>): number[][] | undefined {
  const image = node.all("solution").filter(({ attributes }) => (attributes.type ?? "goal") === "goal").flatMap((goal) => goal.all("image"))[0];
  if (!image) return undefined;
  const lines = image.pieces.join("").split("\n").map((text, i) => ({ line: image.line + i, text: text.trim() }));
  const rows = lines.filter(({ text }) => text).map(({ line, text }) => {
    if (text.length < 2 || !text.startsWith("|") || !text.endsWith("|"))
      throw source.error(`row ${quoted(text)} of the solution`, { line, expected: "a row of cells between two |" });
    return (text.slice(1, -1).match(/\[[^\][]*\]|\\.|./gu) ?? []).map((token) => {
      const char = token.startsWith("\\") ? token.slice(1) : token.startsWith("[") ? token.slice(1, -1) : token;
      const colour = token === "?" ? undefined : chars.get(char);
      if (colour !== undefined || token === "?" || token.startsWith("[")) return colour;
      throw source.error(`${quoted(token)} in the solution`, { line, expected: `a cell is one of ${[...chars.keys()].join(" ")}, or ? if unknown` });
    });
  });
  if (new Set(rows.map(({ length }) => length)).size !== 1) throw source.error("a solution of uneven rows", { line: image.line, expected: "as many cells in each row" });
  return rows.flat().includes(undefined) ? undefined : (rows as number[][]);
}
