/** Lists of clues, which the core reads (`nonocsp.formats.codecs.clue_lists.lists`): here is what they are called and how they are written. */

import type { Block, ListRecord } from "../../../core/module.ts";
import { complete, rgbOf, sketch, WHITE } from "../palettes.ts";
import { FileError, type Puzzle, puzzleOf } from "../puzzle.ts";
import { type Format, lengthsText, type Lists, no, type Source, words } from "../source.ts";

interface Reader {
  read(text: string, head: number, dialects: readonly string[]): Promise<ListRecord[]> | ListRecord[];
}

const texts = (clues: Block[][]): string[] => clues.map((clue) => lengthsText(clue));

/** The lines of a puzzle, for the dialects that the page writes. */
const DIALECTS: { name: string; suffixes: string[]; write?: (puzzle: Puzzle) => string[]; holdsColours?: boolean; isAskedLast?: boolean }[] = [
  {
    name: "tournament",
    suffixes: [".tcga", ".txt"],
    write: ({ title, rows, columns }) => [`$${/^[0-9]+$/.test(title) ? title : 1}`, ...[...columns, ...rows].map((clue) => clue.map(({ length }) => length).join("\t"))],
  },
  { name: "nin", suffixes: [".nin"], write: ({ rows, columns }) => [`${columns.length} ${rows.length}`, ...texts(rows), ...texts(columns)] },
  { name: "mk", suffixes: [".mk"], write: ({ rows, columns }) => [`${rows.length} ${columns.length}`, ...texts(rows), "#", ...texts(columns)] },
  {
    name: "picross",
    suffixes: [".txt"],
    write: ({ title, rows, columns }) => {
      const section = (name: string, clues: Block[][]) => [name, ...texts(clues).map((text) => `[ ${text} ]`)];
      return [`GRID ${words(title).join(" ")}`.trimEnd(), ...section("ROWS", rows), ...section("COLUMNS", columns)];
    },
  },
  { name: "bosch", suffixes: [".lp"] },
  { name: "cwd", suffixes: [".cwd"], write: ({ rows, columns }) => [String(rows.length), String(columns.length), ...texts(rows), "", ...texts(columns)] },
  { name: "keen", suffixes: [".keen"], write: ({ rows, columns }) => [...texts(rows), "", ...texts(columns)] },
  { name: "olsak", suffixes: [".g"], holdsColours: true },
  { name: "counted", suffixes: [] },
  { name: "height-first", suffixes: [] },
  { name: "typed", suffixes: [], holdsColours: true, isAskedLast: true },
];

/** What the core says of a file in each dialect. */
export async function listsOf({ text, head }: Source, core: Reader): Promise<Lists> {
  const names = DIALECTS.map(({ name }) => name);
  const records = await core.read(text, head.text.length, names);
  return Object.fromEntries(names.map((name, i) => [name, records[i]]));
}

export const LISTS: readonly Format[] = DIALECTS.map(({ write, ...known }) => ({
  ...known,
  sniff: ({ lists }) => lists[known.name] ?? no("the core is not there"),
  *read(source) {
    const found = source.lists[known.name];
    if (!found) throw source.error("the core is not there", { expected: "the page as it was built" });
    for (const [message, line] of found.notes) source.note(message, line);
    for (const puzzle of found.puzzles) yield puzzleIn(puzzle);
    if (found.fault) {
      const [fault, expected, line, column] = found.fault;
      throw source.error(fault, { line, column, expected });
    }
  },
  ...(write && { write: (puzzle: Puzzle) => `${write(puzzle).join("\n")}\n` }),
}));

function puzzleIn({ title, advice, colours, rows, columns, goal }: ListRecord["puzzles"][number]): Puzzle {
  const palette = colours.length ? { palette: paletteOf(colours) } : {};
  try {
    return puzzleOf({ rows: rows.map(blocksOf), columns: columns.map(blocksOf), title, ...palette, ...(goal.length && { goal: cellsOf(goal, colours) }) });
  } catch (error) {
    throw error instanceof FileError && advice ? new FileError(`${error.fault}; ${advice}`, error.place) : error;
  }
}

/** The colours of the cells of a goal, row by row. */
function cellsOf(goal: string[], colours: ListRecord["puzzles"][number]["colours"]): Uint8Array {
  const chars = [".", ...(colours.length ? colours.map(([, char]) => char) : ["#"])];
  return Uint8Array.from(goal.flatMap((row) => [...row]), (char) => chars.indexOf(char));
}

function blocksOf([, ...numbers]: number[]): Block[] {
  return Array.from({ length: numbers.length / 2 }, (_, i) => ({ length: numbers[2 * i] as number, colour: numbers[2 * i + 1] as number }));
}

function paletteOf(colours: ListRecord["puzzles"][number]["colours"]): Puzzle["palette"] {
  const inks = colours.filter(([key]) => key !== "0");
  const ground = colours.find(([key]) => key === "0");
  const taken = new Set<string>();
  const sketchOf = ([, char, word, remark]: (typeof colours)[number]) => {
    const name = word.startsWith("#") ? remark : word;
    const isTaken = taken.has(name);
    taken.add(name);
    return sketch({ name: isTaken ? "" : name, rgb: rgbOf(word), char });
  };
  return complete([ground ? sketchOf(ground) : WHITE, ...inks.map(sketchOf)]);
}
