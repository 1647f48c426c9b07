/**
 * The TOML files of Tsionskiy's nonogrid: `[clues]` has `columns` and `rows` as strings of several lines, `[colors]` a list
 * `defs` of strings such as `r = (red) %`. Commas separate clues as line ends do; here capitals count.
 */

import { parse, TomlError } from "smol-toml";
import { certain, type Format, no } from "../base.ts";
import { type ColouredBlock, colouredPuzzle } from "../lines.ts";
import { rgbOf, type Sketch, sketch, uniqueChars, WHITE } from "../palettes.ts";
import { BLACK, MAX_LINES } from "../puzzle.ts";
import { type Fields, isRecord, lineOf, quoted, type Source, words } from "../source.ts";

const BACKGROUND = "W";
const USUAL = "B";
const MAX_CHARACTERS = 1 << 20;
const NOT_FOR_COLOURS = " #;()\"'\\=,";

export const nonogrid: Format = {
  name: "nonogrid",
  suffixes: [".toml"],
  holdsColours: true,
  sniff({ text }) {
    if (!/^\s*\[(clues|colors)\]\s*(#.*)?$/m.test(text)) return no("neither [clues] nor [colors] stands in a line");
    if (!/^\s*(columns|rows)\s*=\s*("""|''')|^\s*defs\s*=/m.test(text)) return no("rows and columns are not strings of several lines");
    return certain("[clues] or [colors] with TOML's strings");
  },
  *read(source) {
    const document = parsed(source);
    const colours = coloursOf(source, document);
    const clues = (axis: string) => cluesOf(source, document, axis, colours);
    yield colouredPuzzle(clues("rows"), clues("columns"), { colours, usual: USUAL, background: [BACKGROUND, { ...WHITE, name: "" }] });
  },
  write({ palette, rows, columns }) {
    const chars = uniqueChars(palette.map(({ char }) => char), NOT_FOR_COLOURS);
    const keys = palette.map(({ name }, i) => (i === 0 ? BACKGROUND : name === BLACK.name ? USUAL : /^[a-z]+$/.test(name) ? name : `ink-${i}`));
    const isUsual = (i: number) => [BACKGROUND, USUAL].includes(keys[i] as string) && [WHITE.rgb, BLACK.rgb].includes(palette[i]?.rgb as string);
    const defs = palette.flatMap(({ rgb }, i) => (isUsual(i) ? [] : [`    "${keys[i]} = (${rgb.slice(1)}) ${chars[i]}",`]));
    const side = (name: string, clues: typeof rows) => [
      `${name} = """`,
      ...clues.map((clue) => `    ${clue.map(({ length, colour }) => `${length}${keys[colour] === USUAL ? "" : keys[colour]}`).join(" ") || "0"}`),
      '"""',
    ];
    return `${[...(defs.length ? ["[colors]", "defs = [", ...defs, "]", ""] : []), "[clues]", ...side("columns", columns), ...side("rows", rows)].join("\n")}\n`;
  },
};

function parsed(source: Source): Fields {
  const text = source.checkLength(MAX_CHARACTERS, "too much text");
  try {
    return parse(text, { maxDepth: 50 }) as Fields;
  } catch (error) {
    if (!(error instanceof TomlError)) throw source.error("the TOML cannot be read", { expected: "a puzzle in TOML" });
    const message = error.message.split("\n", 1)[0]?.replace(/^Invalid TOML document: /, "") ?? "";
    throw source.error(message, { line: error.line, column: error.column, expected: "TOML" });
  }
}

function coloursOf(source: Source, document: Fields): Map<string, Sketch> {
  const section = document.colors ?? {};
  const defs = isRecord(section) ? (section.defs ?? []) : undefined;
  if (!Array.isArray(defs) || !defs.every((line) => typeof line === "string"))
    throw source.error("[colors] without a list of strings", { expected: 'defs = ["r = (red) %"]' });
  return new Map(
    defs.map((def: string) => {
      const [, key = "", value = "", char = ""] = /^\s*([^=\s]+)\s*=\s*\(?([^()]*)\)?\s*(\S)\s*$/u.exec(def.slice(0, 200)) ?? [];
      const rgb = rgbOf(value);
      if (rgb) return [key, sketch({ name: key === BACKGROUND ? "" : key, rgb, char })];
      throw source.error(`${quoted(def)} is no colour`, {
        line: startOf(source, def),
        expected: "a key, a colour and a character, such as r = (red) % or r = (ff0000) %",
      });
    }),
  );
}

function cluesOf(source: Source, document: Fields, axis: string, colours: Map<string, Sketch>): ColouredBlock[][] {
  const value = isRecord(document.clues) ? document.clues[axis] : undefined;
  if (typeof value !== "string") throw source.error(`no ${axis}`, { expected: `${axis} = """ and clues in the section [clues]` });
  const known = [...new Set([USUAL, ...colours.keys()])].filter((key) => key !== BACKGROUND);
  const first = startOf(source, value);
  return value.split("\n").flatMap((text, i) => {
    const line = first + i;
    return text.replace(/[#;].*/, "").split(",").flatMap((clue): ColouredBlock[][] => {
      const said = words(clue.replace(/['"]/g, " "));
      if (said.length > MAX_LINES) throw source.error("too many blocks", { line, expected: `at most ${MAX_LINES} in a line` });
      if (!said.length) return [];
      if (said.join(" ") === "0") return [[]];
      return [
        said.map((word) => {
          const found = /^([0-9]{1,9})([^0-9].*)?$/.exec(word);
          const colour = found?.[2] ?? USUAL;
          if (found && known.includes(colour)) return [Number(found[1]), colour];
          throw source.error(`${quoted(word)} is no block`, { line, expected: `a length, or a length and one of the colours ${known.join(", ")}` });
        }),
      ];
    });
  });
}

/** The line that a string of the file starts in; 1 if it is written with escapes. */
function startOf({ text }: Source, value: string): number {
  const whole = text.replaceAll("\r\n", "\n");
  const at = whole.indexOf(value);
  return at < 0 ? 1 : lineOf(whole, at);
}
