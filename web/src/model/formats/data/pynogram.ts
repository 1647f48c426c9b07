/**
 * The text files of Tsionskiy's pynogram: an INI file whose section `[clues]` has `columns` and `rows`, a clue a line or
 * between commas, and `[colors]` has lines such as `r = (ff0000) %`. Capitals do not count.
 */

import { certain, type Format, no, weak } from "../base.ts";
import { type ColouredBlock, colouredPuzzle, numberedHead } from "../lines.ts";
import { rgbOf, type Sketch, sketch, uniqueChars, WHITE } from "../palettes.ts";
import { BLACK, MAX_LINES } from "../puzzle.ts";
import { type NumberedLine, quoted, type Source, withoutEnd } from "../source.ts";

const COMMENT = /(^|(?<=\s))[#;].*/;
const NOT_FOR_COLOURS = " #;";

type Sections = Map<string, Map<string, NumberedLine[]>>;

export const pynogram: Format = {
  name: "pynogram",
  suffixes: [".txt"],
  holdsColours: true,
  sniff(head) {
    const lines = numberedHead(head)
      .map(([number, text]): NumberedLine => [number, text.replace(COMMENT, "").trim()])
      .filter(([, text]) => text);
    const first = lines[0];
    if (!first || !["[clues]", "[colors]"].includes(first[1])) return no("the first line is neither [clues] nor [colors]", 1);
    const keys = new Set(lines.flatMap(([, text]) => /^(columns|rows)\s*[=:]/i.exec(text)?.[1]?.toLowerCase() ?? []));
    const quotes = lines.find(([, text]) => /"{3}|'{3}/.test(text));
    if (quotes) return no(`line ${quotes[0]} has triple quotes, as TOML has`, quotes[0]);
    if (keys.size === 2 || (head.isCut && keys.size)) return certain("the section [clues] with columns and rows");
    return weak(`columns = or rows = is missing below line ${first[0]}`, lines.at(-1)?.[0]);
  },
  *read(source) {
    const sections = sectionsOf(source);
    const colours = new Map([...(sections.get("colors") ?? [])].map(([key, lines]) => [key, sketchOf(source, key, lines)]));
    const inks = [...new Set([BLACK.name, ...colours.keys()])].filter((ink) => ink !== WHITE.name);
    const clues = (key: string) => cluesOf(source, sections, key, inks);
    yield colouredPuzzle(clues("rows"), clues("columns"), { colours, usual: BLACK.name, background: [WHITE.name, WHITE] });
  },
  write({ palette, rows, columns }) {
    const keys = palette.map(({ name }, i) => (i === 0 ? WHITE.name : name !== WHITE.name && /^[a-z]+[0-9]*$/.test(name) ? name : `ink-${i}`));
    const chars = uniqueChars(palette.map(({ char }) => char), NOT_FOR_COLOURS);
    const isUsual = (i: number) => [WHITE, BLACK].some(({ name, rgb, char }) => keys[i] === name && palette[i]?.rgb === rgb && palette[i]?.char === char);
    const declared = palette.flatMap(({ rgb }, i) => (isUsual(i) ? [] : [`${keys[i]} = (${rgb.slice(1)}) ${chars[i]}`]));
    const side = (clues: typeof rows) => clues.map((clue) => `    ${clue.map(({ length, colour }) => `${length}${keys[colour] === BLACK.name ? "" : keys[colour]}`).join(" ") || "0"}`);
    return `${[...(declared.length ? ["[colors]", ...declared] : []), "[clues]", "columns =", ...side(columns), "rows =", ...side(rows)].join("\n")}\n`;
  },
};

function sectionsOf(source: Source): Sections {
  const sections: Sections = new Map();
  let [section, depth]: [Map<string, NumberedLine[]> | undefined, number] = [undefined, -1];
  let lines: NumberedLine[] = [];
  for (const [line, raw] of source.lines) {
    const text = raw.replace(COMMENT, "").trimEnd();
    const bare = text.trimStart();
    const indent = text.length - bare.length;
    if (!text) continue;
    const title = /^\[([^\]]+)\]$/.exec(bare)?.[1];
    const option = /^([^=:]+)[=:](.*)$/.exec(bare);
    let twice = "";
    if (depth >= 0 && indent > depth) {
      if (lines.length > MAX_LINES) throw source.error("too many clues", { line, expected: `at most ${MAX_LINES}` });
      lines.push([line, text]);
    } else if (title !== undefined) {
      if (sections.has(title)) twice = bare;
      depth = -1;
      sections.set(title, (section = new Map()));
    } else if (section && option) {
      const [key, value] = [option[1]?.trim().toLowerCase() ?? "", option[2]?.trim() ?? ""];
      if (section.has(key)) twice = key;
      depth = indent;
      section.set(key, (lines = value ? [[line, value.padStart(text.length)]] : []));
    } else throw source.error(`${quoted(bare)} is out of place`, { line, expected: section ? "a key such as columns =, or deeper lines below it" : "[clues] or [colors]" });
    if (twice) throw source.error(`${quoted(twice)} a second time`, { line, expected: "one puzzle a file" });
  }
  return sections;
}

function cluesOf(source: Source, sections: Sections, key: string, inks: string[]): ColouredBlock[][] {
  const lines = sections.get("clues")?.get(key) ?? [];
  if (!lines.length) throw source.error(`no ${key}`, { line: source.lines.length, expected: `${key} = and its clues in the section [clues]` });
  const clues: ColouredBlock[][] = [];
  for (const [line, text] of lines) {
    let start = 0;
    for (const clue of withoutEnd(text.trimEnd(), ",").split(",")) {
      const bare = clue.replace(/['"]/g, " ");
      if (clues.length > MAX_LINES) throw source.error("too many clues", { line, expected: `at most ${MAX_LINES}` });
      clues.push(bare.trim() === "0" ? [] : blocksOf(source, inks, line, bare, start));
      start += clue.length + 1;
    }
  }
  return clues;
}

function blocksOf(source: Source, inks: string[], line: number, text: string, start: number): ColouredBlock[] {
  return [...text.matchAll(/\S+/g)].map((token, i) => {
    if (i === MAX_LINES) throw source.error("too many blocks", { line, expected: `at most ${MAX_LINES} in a line` });
    const found = /^([0-9]{1,9})([^0-9\s]\S*)?$/.exec(token[0].toLowerCase());
    const colour = found?.[2] ?? BLACK.name;
    if (found && inks.includes(colour)) return [Number(found[1]), colour];
    throw source.error(`${quoted(token[0])} is no block${found ? ` of ${inks.join(", ")}` : ""}`, {
      line,
      column: start + token.index + 1,
      expected: "a clue such as 3 1, or 3r 1b in the colours r and b, or 0 for an empty line",
    });
  });
}

function sketchOf(source: Source, key: string, [first]: NumberedLine[]): Sketch {
  const text = first?.[1].trim() ?? "";
  const found = /^\(([^)]+)\)\s*(\S*)$/.exec(text);
  const rgb = rgbOf(found?.[1] ?? "");
  if (found && rgb) return sketch({ name: key, rgb, char: found[2] ?? "" });
  throw source.error(`${quoted(`${key} = ${text}`)}`, { line: first?.[0], expected: "a colour and a character such as (red) %, (ff0000) % or (255, 0, 0) %" });
}
