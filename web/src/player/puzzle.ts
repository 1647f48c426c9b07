/** A puzzle as a player gets it: clues without a solution, in the JSON of format `json`. */

import type { Block, Clues } from "../core/module.ts";
import { type Colour, INKS, isPlain, WHITE } from "../model/picture.ts";
import { type Line, OPEN, readLine } from "../board/lines.ts";

export interface Puzzle {
  title: string;
  author: string;
  licence: string;
  /** The background first. */
  palette: Colour[];
  clues: Clues;
}

export type PuzzleJson = Record<string, unknown>;

/** A step of an explanation. */
export interface Step {
  /** Such as `row 3`; counted from 1, like rows and columns of cells. */
  line?: string;
  /** Row, column, and the characters of the colours that are left. */
  cells: [number, number, string][];
  text: string;
}

/** What `nonocsp play` and the studio write into the page. */
export interface PageData {
  /** The language of the page if it is not the browser's. */
  language?: string;
  puzzles: { puzzle: PuzzleJson; level?: string; steps?: Step[]; stepsLanguage?: string }[];
}

const PLAIN: Colour[] = [WHITE, ...INKS.slice(0, 1)];
/** More rows or columns are more cells than a page shows smoothly. */
export const MOST_PLAYED = 100;

/** Returns the puzzle of a document; throws an Error that says what is wrong. */
export function readPuzzle(json: PuzzleJson): Puzzle {
  const text = (key: string) => (typeof json[key] === "string" ? json[key] : "");
  const palette = (json.palette ?? PLAIN) as Colour[];
  if (!Array.isArray(palette) || palette.length < 2 || !palette.every((colour) => /^#[0-9a-f]{6}$/i.test(colour?.rgb)))
    throw new Error("palette: expected a background and colours, each with name, rgb and char");
  const indices = new Map(palette.map(({ name }, i) => [name, i]));
  const side = (key: string): Block[][] => {
    const lines = json[key];
    if (!Array.isArray(lines) || !lines.length || lines.length > MOST_PLAYED || !lines.every(Array.isArray))
      throw new Error(`${key}: expected 1 to ${MOST_PLAYED} clues, each a list`);
    return (lines as unknown[][]).map((clue) =>
      clue.filter((block) => block !== 0).map((block) => {
        const [length, name] = Array.isArray(block) ? block : [block, palette[1]?.name];
        const colour = indices.get(name);
        if (!Number.isInteger(length) || length < 1 || !colour)
          throw new Error(`${key}: ${JSON.stringify(block)} is no block: expected a length, or a length and a colour`);
        return { length, colour };
      }),
    );
  };
  const clues = { colours: palette.length, rows: side("rows"), columns: side("columns") };
  return { title: text("title"), author: text("author"), licence: text("licence"), palette, clues };
}

export function writePuzzle(puzzle: Puzzle): PuzzleJson {
  const { title, author, licence, palette, clues } = puzzle;
  const lines = (side: Block[][]) =>
    side.map((blocks) =>
      blocks.map(({ length, colour }) => (palette.length === 2 ? length : [length, palette[colour]?.name])),
    );
  return {
    ...(title && { title }),
    ...(author && { author }),
    ...(licence && { licence }),
    ...(!isPlain(palette) && { palette }),
    rows: lines(clues.rows),
    columns: lines(clues.columns),
  };
}

export interface Advice {
  text: string;
  /** Of the text. */
  language: string;
  line?: Line;
  /** The cells that follow, with their colours. */
  cells: { place: number; colour: number }[];
}

export interface Adviser {
  /** The next step; undefined if there is none. */
  hint(cells: Uint8Array): Promise<Advice | undefined>;
  /** The places of the marks that are wrong in every solution. */
  wrong(cells: Uint8Array): Promise<number[]>;
}

export function readStep({ line, cells, text }: Step, { palette, clues }: Puzzle, language: string): Advice {
  const chars = palette.map(({ char }) => char);
  const decided = cells.map(([row, column, candidates]) => ({
    place: (row - 1) * clues.columns.length + column - 1,
    colour: chars.indexOf(candidates),
  }));
  return { text, language, line: readLine(line), cells: decided.filter(({ colour }) => colour >= 0) };
}

/** Advises by the steps of an explanation: the first that tells an open cell. */
export function adviserOf(puzzle: Puzzle, steps: Step[], language: string): Adviser {
  const all = steps.map((step) => readStep(step, puzzle, language));
  const colours = new Map(all.flatMap(({ cells }) => cells.map(({ place, colour }) => [place, colour])));
  return {
    hint: async (marks) => all.find(({ cells }) => cells.some(({ place }) => marks[place] === OPEN)),
    wrong: async (marks) =>
      [...colours].filter(([place, colour]) => marks[place] !== OPEN && marks[place] !== colour).map(([place]) => place),
  };
}
