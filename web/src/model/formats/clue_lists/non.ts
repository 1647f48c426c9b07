/**
 * The `.non` files of Steve Simpson, with the colours of nonogram-db and nonny, and bundles (`====`). Keys come in any
 * order; `rows` and `columns` are followed by a clue a line. `3a` is a block of the colour that `color a #ff0000` gives, a
 * word before lengths is the colour of those that follow, a bare length has colour `1`. If a section has as many lines that
 * are not blank as clues, its blank lines are skipped; otherwise they are clues.
 */

import { complete, type Sketch, sketch, STOCK, uniqueChars, WHITE } from "../palettes.ts";
import { BLACK, isOneColour, MAX_LINES, type Puzzle, puzzleOf } from "../puzzle.ts";
import { certain, fit, type Format, isComment, no, type NumberedLine, parseSize, quoted, saidLines, type Source, strong, weak } from "../source.ts";
import { escapeMarkup, unescapeMarkup } from "../xml.ts";

/** A length, and what the file calls the colour. */
type ColouredBlock = [length: number, colour: string];

const KEYS = ["title", "by", "copyright", "license", "catalogue", "width", "height", "goal"];
const SECTIONS: Record<string, string> = { rows: "height", columns: "width" };
/** In the goal; `1` is also the colour of lengths without a colour. */
const FILLED = "1";
const EMPTY = "0";
const USUAL: Record<string, Sketch> = { [EMPTY]: WHITE, [FILLED]: BLACK };
const COLOUR_WORDS = new Set(STOCK.slice(0, 10).map(({ name }) => name));
const NOT_FOR_COLOURS = " 0123456789#,&%\"'";

class Draft {
  values = new Map<string, NumberedLine>();
  colours = new Map<string, string>();
  chars = new Map<string, string>();
  sections = new Map<string, NumberedLine[]>();
  lastLine = 0;

  text(key: string): string {
    const value = this.values.get(key)?.[1] ?? "";
    return unescapeMarkup(/^"([^]*)"$/.exec(value)?.[1] ?? value);
  }
}

export const non: Format = {
  name: "non",
  suffixes: [".non", ".nonpack"],
  holdsColours: true,
  sniff(head) {
    const keys = new Set(
      saidLines(head).map(([, text]) => {
        const sized = /^(width|height|rows|columns)\s+[0-9]+$/.exec(text)?.[1];
        return sized ? (SECTIONS[sized] ?? sized) : text;
      }),
    );
    const missing = ["width", "height", "rows", "columns"].filter((key) => !keys.has(key));
    if (missing.length <= Number(head.isCut)) return certain("the keys width, height, rows and columns");
    return ([strong, weak][missing.length - 1] ?? no)(`there is no line with ${missing[0]}`);
  },
  *read(source) {
    for (const draft of draftsOf(source)) yield finished(source, draft);
  },
  write: writeNon,
};

function* draftsOf(source: Source): Generator<Draft> {
  let draft = new Draft();
  let section = "";
  for (const [number, line] of source.lines) {
    const text = line.trim();
    draft.lastLine = number;
    const word = (/^\S+/.exec(text)?.[0] ?? "").replace(/:$/, "");
    const isPlain = !/^\p{L}/u.test(word) && !isComment(text);
    if (text.startsWith("====")) {
      yield draft;
      draft = new Draft();
      section = "";
    } else if (section && (isPlain || draft.colours.has(word) || COLOUR_WORDS.has(word))) draft.sections.get(section)?.push([number, line.trimEnd()]);
    else if (text && !isComment(text)) section = takeKey(source, draft, number, text);
  }
  if (draft.values.size || draft.sections.size) yield draft;
}

/** Keeps a line that starts with a key; returns the section that it opens, if any. */
function takeKey(source: Source, draft: Draft, line: number, text: string): string {
  const [, key = "", rest = ""] = (text.includes(" ") ? /^([^ ]*) (.*)$/ : /^([^\t]*)\t?(.*)$/).exec(text) ?? [];
  const value = rest.trim();
  if (Object.hasOwn(SECTIONS, key) && !value) {
    if (draft.sections.has(key)) throw source.error(`${key} a second time`, { line, expected: "==== between two puzzles" });
    draft.sections.set(key, []);
    return key;
  }
  if (key === "color") {
    const found = /^(\S+)\s+#?([0-9a-fA-F]{6})(?:\s+(\S))?$/u.exec(value);
    if (!found) throw source.error(`color ${quoted(value)}`, { line, expected: "such as: color a #ff0000" });
    const name = found[1] === "background" ? EMPTY : (found[1] as string);
    draft.colours.set(name, `#${found[2]?.toLowerCase()}`);
    draft.chars.set(name, found[3] ?? "");
  } else if (KEYS.includes(key) || Object.hasOwn(SECTIONS, key)) draft.values.set(SECTIONS[key] ?? key, [line, value]);
  return "";
}

function finished(source: Source, draft: Draft): Puzzle {
  const [rows = [], columns = []] = Object.keys(SECTIONS).map((section) => clueLines(source, draft, section).map((line) => blocksOf(source, draft, line)));
  const used = new Set([...rows, ...columns].flatMap((line) => line.map(([, colour]) => colour)));
  const bare = used.has(FILLED) && !draft.colours.has(FILLED) ? [FILLED] : [];
  const inks = [...new Set([...bare, ...draft.colours.keys(), ...used])].filter((ink) => ink !== EMPTY);
  const index = new Map(inks.map((ink, i) => [ink, i + 1]));
  const sketches = [EMPTY, ...inks].map((ink) => {
    const [rgb, char, usual] = [draft.colours.get(ink) ?? "", draft.chars.get(ink) ?? "", USUAL[ink]];
    if (usual) return rgb ? sketch({ rgb, char: char || usual.char }) : usual;
    return [...ink].length === 1 ? sketch({ rgb, char: char || ink }) : sketch({ rgb, char, name: ink });
  });
  const clues = (lines: ColouredBlock[][]) => lines.map((line) => line.map(([length, colour]) => ({ length, colour: index.get(colour) ?? 0 })));
  return puzzleOf({
    rows: clues(rows),
    columns: clues(columns),
    palette: complete(sketches),
    title: draft.text("title"),
    author: draft.text("by"),
    licence: draft.text("license") || draft.text("copyright"),
    source: draft.text("catalogue"),
    goal: goalOf(source, draft, index, rows.length, columns.length),
  });
}

function clueLines(source: Source, draft: Draft, section: string): NumberedLine[] {
  const key = SECTIONS[section] as string;
  const [lines, size] = [draft.sections.get(section), draft.values.get(key)];
  if (!lines || !size) throw source.error(`${lines ? key : section} is missing`, { line: draft.lastLine, expected: "the keys width, height, rows and columns" });
  const count = parseSize(source, size[0], size[1], key);
  const filled = lines.filter(([, text]) => text);
  const kept = filled.length === count ? filled : fit(lines, count);
  if (kept.length !== count)
    throw source.error(`${kept.length} clues of ${section}`, { line: kept[Math.min(count, kept.length - 1)]?.[0] ?? draft.lastLine, expected: `${count}, as ${key} says` });
  return kept;
}

function blocksOf(source: Source, draft: Draft, [line, text]: NumberedLine): ColouredBlock[] {
  if (["", "0", "[]"].includes(text.trim())) return [];
  const blocks: ColouredBlock[] = [];
  // Plain black is the colour of bare lengths.
  const designator = (word: string) => (word === BLACK.name && !draft.colours.has(word) ? FILLED : word);
  let colour = FILLED;
  for (const token of text.matchAll(/[^\s,]+/g)) {
    const block = /^([0-9]{1,9})([^\s,0-9]*)$/.exec(token[0]);
    const word = token[0].replace(/:$/, "");
    if (blocks.length > MAX_LINES) throw source.error("too many blocks", { line, expected: `at most ${MAX_LINES} in a line` });
    if (block) blocks.push([Number(block[1]), block[2] ? designator(block[2]) : colour]);
    else if (draft.colours.has(word) || COLOUR_WORDS.has(word)) colour = designator(word);
    else throw source.error(`${quoted(token[0])} is no block`, { line, column: token.index + 1, expected: "a clue such as 3,1 or 3a,1b, or 0 for an empty line" });
  }
  return blocks;
}

function goalOf(source: Source, draft: Draft, index: Map<string, number>, rows: number, columns: number): Uint8Array | undefined {
  const cells = [...draft.text("goal")];
  if (!cells.length || cells.includes("?")) return undefined;
  const line = draft.values.get("goal")?.[0];
  if (cells.length !== rows * columns) throw source.error(`a goal of ${cells.length} cells`, { line, expected: `${rows} x ${columns} cells` });
  const colours = new Map<string, number>();
  if (index.size <= 1) for (const char of cells) colours.set(char, 1);
  else {
    for (const [ink, char] of draft.chars) if (char && index.has(ink)) colours.set(char, index.get(ink) as number);
    for (const [ink, colour] of index) colours.set(ink, colour);
  }
  colours.set(EMPTY, 0);
  return Uint8Array.from(cells, (char) => {
    const colour = colours.get(char);
    if (colour === undefined) throw source.error(`${quoted(char)} in the goal`, { line, expected: `characters of colours: ${[...colours.keys()].join(" ")}` });
    return colour;
  });
}

function writeNon(puzzle: Puzzle): string {
  const { palette, rows, columns, goal } = puzzle;
  const isPlain = isOneColour(puzzle);
  const inks = palette.slice(1);
  const isBare = inks.map(({ rgb, char }) => isPlain || (rgb === BLACK.rgb && char === BLACK.char));
  const others = uniqueChars(inks.filter((_, i) => !isBare[i]).map(({ char }) => char), NOT_FOR_COLOURS);
  const keys = [EMPTY, ...isBare.map((bare) => (bare ? FILLED : (others.shift() as string)))];
  const text = (key: string, value: string) => (value ? [`${key} "${escapeMarkup(value)}"`] : []);
  const { licence } = puzzle;
  const colours = palette.flatMap(({ rgb }, i) => ((i === 0 || isPlain) && rgb === USUAL[keys[i] as string]?.rgb ? [] : [`color ${keys[i]} ${rgb}`]));
  const side = (clues: Puzzle["rows"]) => clues.map((clue) => clue.map(({ length, colour }) => `${length}${keys[colour] === FILLED ? "" : keys[colour]}`).join(",") || "0");
  return `${[
    ...text("title", puzzle.title),
    ...text("by", puzzle.author),
    ...text("catalogue", puzzle.source),
    ...(/^[A-Za-z0-9.+-]+$/.test(licence) ? [`license ${licence}`] : text("license", licence)),
    ...colours,
    ...[`width ${columns.length}`, `height ${rows.length}`, "", "rows", ...side(rows), "", "columns", ...side(columns)],
    ...(goal ? ["", `goal "${Array.from(goal, (cell) => keys[cell]).join("")}"`] : []),
  ].join("\n")}\n`;
}
