/**
 * The `.g` files of Petr and Mirek Olšák's solver, in colour: comments, `#d` and a colour a line (letter, `:`, character,
 * colour, comment), then `:`, row clues, `:`, column clues, `:`. An empty line is an empty clue. Triddlers and triangles are
 * refused by name.
 */

import { certain, type Format, no, strong } from "../base.ts";
import { type ColouredBlock, colouredClues } from "../lines.ts";
import { complete, rgbOf, type Sketch, sketch, uniqueChars, WHITE } from "../palettes.ts";
import { BLACK, isOneColour, MAX_LINES, puzzleOf } from "../puzzle.ts";
import { type NumberedLine, quoted, type Source, words } from "../source.ts";

const BACKGROUND = "0";
const USUAL = "1";
const COLOUR = /^([^\s2-9,:]):(\S?)\s+(\S+)\s*(.*)$/u;
const BLOCK = /^([0-9]{1,9})([^0-9]?)$/u;
const NOT_FOR_COLOURS = " 0123456789,:#\t";

interface Draft {
  colours: Map<string, Sketch>;
  isInColour: boolean;
  sections: [NumberedLine[], NumberedLine[]];
}

export const olsak: Format = {
  name: "olsak",
  suffixes: [".g"],
  holdsColours: true,
  sniff({ text }) {
    const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
    for (const [i, line] of lines.entries()) {
      const rest = lines.slice(i + 1);
      if (/^#t/i.test(line)) return (rest.some((other) => /^(#d|#D|:)/.test(other)) ? strong : no)(`line ${i + 1} starts triddlers`, i + 1);
      if (!/^(#d|:)/i.test(line)) continue;
      const below = rest.find((other) => other.trim()) ?? "";
      if (line.startsWith(":")) {
        const isClue = below.startsWith(":") || words(below).every((word) => BLOCK.test(word));
        if (isClue && rest.some((other) => other.startsWith(":"))) return strong(`line ${i + 1} starts with : and clues follow`);
        return no("no two lines that start with : with clues between them", i + 1);
      }
      if (COLOUR.test(below.trim())) return certain(`line ${i + 1} is #d, and a colour follows`);
    }
    return no("no line starts with : or #d", 1);
  },
  *read(source) {
    const { colours, isInColour, sections } = draftOf(source);
    const background = colours.get(BACKGROUND) ?? WHITE;
    colours.delete(BACKGROUND);
    if (!isInColour) colours.set(USUAL, BLACK);
    const index = new Map([...colours.keys()].map((letter, i) => [letter, i + 1]));
    const known = [...colours.keys()].filter((letter) => letter !== USUAL).join(" ");
    const [rows, columns] = sections.map((section) => colouredClues(section.map((line) => blocksOf(source, line, index, known)), index));
    yield puzzleOf({ rows: rows ?? [], columns: columns ?? [], palette: complete([background, ...colours.values()]) });
  },
  write(puzzle) {
    const { palette, rows, columns } = puzzle;
    const isPlain = isOneColour(puzzle) && palette[0]?.rgb === WHITE.rgb && palette[1]?.rgb === BLACK.rgb;
    const letters = isOneColour(puzzle) ? [USUAL] : uniqueChars(palette.slice(1).map(({ char }) => char), NOT_FOR_COLOURS);
    const colours = palette.map(({ name, rgb, char }, i) => `   ${[BACKGROUND, ...letters][i]}:${char.trim()}  ${rgb.toUpperCase()}   ${words(name).join(" ")}`);
    const side = (clues: typeof rows) => clues.map((clue) => clue.map(({ length, colour }) => `${length}${letters[colour - 1] === USUAL ? "" : letters[colour - 1]}`).join(" "));
    return `${[...(isPlain ? [] : ["#d", ...colours]), ": rows", ...side(rows), ": columns", ...side(columns), ": end"].join("\n")}\n`;
  },
};

function draftOf(source: Source): Draft {
  const draft: Draft = { colours: new Map(), isInColour: false, sections: [[], []] };
  let part = 0; // 0: comments, 1: colours, 2: rows, 3: columns
  let last = 0;
  for (const [line, text] of source.lines) {
    last = line;
    if (text.startsWith(":")) {
      part = Math.max(part, 1) + 1;
      if (part === 4) return draft;
    } else if (part >= 2) {
      const section = draft.sections[part - 2] as NumberedLine[];
      if (section.length >= MAX_LINES) throw source.error("too many clues", { line, expected: `at most ${MAX_LINES}, then :` });
      section.push([line, text]);
    } else if (part === 1 && text.trim()) takeColour(source, draft, line, text.trim());
    else if (/^#t/i.test(text)) throw source.error("a triddler, which is no rectangular nonogram", { line, expected: "a puzzle of rows and columns" });
    else if (/^#d/i.test(text)) {
      part = 1;
      draft.isInColour = true;
    }
  }
  if (part < 3) throw source.error("the file ends", { line: last, expected: part < 2 ? ": before the row clues" : ": between row and column clues" });
  if (draft.sections[1].length && !draft.sections[1].at(-1)?.[1].trim())
    throw source.error("the file ends with empty lines", { line: last, expected: ": below the last clue, so that it is clear which empty lines are empty clues" });
  return draft;
}

function takeColour(source: Source, { colours }: Draft, line: number, text: string): void {
  const found = COLOUR.exec(text);
  const [, letter = "", char = "", word = "", comment = ""] = found ?? [];
  if (!found || colours.has(letter))
    throw source.error(found ? `${quoted(letter)} a second time` : `${quoted(text)} is no colour`, {
      line,
      expected: "a letter, :, a character and a colour, such as m:% blue or m:% #0000FF",
    });
  if (/[/\\]/.test(word)) throw source.error(`triangles (${quoted(word)})`, { line, expected: "cells of one colour" });
  const name = word.startsWith("#") ? comment : word;
  const rgb = rgbOf(word);
  if (!rgb && word.startsWith("#")) throw source.error(`${quoted(word)} is no colour`, { line, expected: "#RRGGBB, such as #0000FF" });
  const isTaken = [...colours.values()].some((other) => other.name === name);
  colours.set(letter, sketch({ name: isTaken ? "" : name, rgb, char }));
}

function blocksOf(source: Source, [line, text]: NumberedLine, index: Map<string, number>, known: string): ColouredBlock[] {
  if (text.trim() === "0") return [];
  return [...text.matchAll(/[^\s,]+/g)].map((token, i) => {
    const found = BLOCK.exec(token[0]);
    const letter = found?.[2] || USUAL;
    if (found && index.has(letter) && i < MAX_LINES) return [Number(found[1]), letter];
    const letters = known ? `, with one of the letters ${known} behind each length` : "";
    throw source.error(`${quoted(token[0])} is no block`, { line, column: token.index + 1, expected: `a clue such as 3 1${letters}; an empty line for the empty clue` });
  });
}
