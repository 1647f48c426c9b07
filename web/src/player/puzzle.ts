/** A puzzle as a player gets it: clues without a solution, in the JSON of format `json`; hints; and what the browser keeps of it. */

import type { Block, Clues } from "../core/module.ts";
import { type Colour, INKS, isPlain, WHITE } from "../model/picture.ts";
import { type Line, OPEN, readLine } from "../board/lines.ts";
import { useState } from "preact/hooks";
import { store, stored } from "../shared/data.ts";

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
  /** The language of the page if it is neither that of its steps nor the browser's. */
  language?: string;
  puzzles: { puzzle: PuzzleJson; level?: string; steps?: Step[]; stepsLanguage?: string }[];
}

const PLAIN: Colour[] = [WHITE, ...INKS.slice(0, 1)];
/** More rows or columns are more cells than a page shows smoothly. */
const MOST_PLAYED = 100;
export const isPlayable = (rows: number, columns: number) => Math.max(rows, columns) <= MOST_PLAYED;

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
  const lines = (side: Block[][]) => side.map((blocks) => blocks.map(({ length, colour }) => (palette.length === 2 ? length : [length, palette[colour]?.name])));
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
    wrong: async (marks) => [...colours].filter(([place, colour]) => marks[place] !== OPEN && marks[place] !== colour).map(([place]) => place),
  };
}

export interface Save {
  cells: Uint8Array;
  seconds: number;
  /** How often something was found wrong that was not before, however many cells or lines. */
  mistakes: number;
  /** Cells and lines that the last check found wrong, so that they count once. */
  counted: (string | number)[];
  hints: number;
  isSolved: boolean;
}

const CHARS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";

/** The key of a puzzle: a checksum of its clues and colours (two times 32 bits of FNV-1a), not of its texts. */
export function keyOf(puzzle: Puzzle): string {
  const { rows, columns, palette } = writePuzzle(puzzle);
  const text = JSON.stringify([rows, columns, palette]);
  const digits = [0x811c9dc5, 0x9e3779b9].map((start) => {
    let hash = start;
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    return (hash >>> 0).toString(36);
  });
  return `nonocsp.play.${digits.join("")}`;
}

export function keepSave(puzzle: Puzzle, { cells, ...rest }: Save): void {
  const text = Array.from(cells, (cell) => (cell === OPEN ? "?" : (CHARS[cell] ?? "?"))).join("");
  store(keyOf(puzzle), JSON.stringify({ ...rest, cells: text }));
}

export function keptSave(puzzle: Puzzle): Save | undefined {
  try {
    const read = JSON.parse(stored(keyOf(puzzle)) ?? "null");
    const { rows, columns, colours } = puzzle.clues;
    if (typeof read?.cells !== "string" || read.cells.length !== rows.length * columns.length) return undefined;
    const cells = Uint8Array.from(read.cells as string, (char) => {
      const colour = CHARS.indexOf(char);
      return colour >= 0 && colour < colours ? colour : OPEN;
    });
    const number = (value: unknown) => (typeof value === "number" && value >= 0 ? Math.floor(value) : 0);
    return { cells, seconds: number(read.seconds), mistakes: number(read.mistakes), counted: Array.isArray(read.counted) ? read.counted : [], hints: number(read.hints), isSolved: read.isSolved === true };
  } catch {
    return undefined;
  }
}

/** The number of the next puzzle of a list that is not solved, counted from 1; 0 if there is none. */
export function nextUnsolved(number: number, count: number, at: (number: number) => Puzzle | undefined): number {
  const others = Array.from({ length: count - 1 }, (_, i) => ((number + i) % count) + 1);
  const isWaiting = (puzzle: Puzzle | undefined) => puzzle && isPlayable(puzzle.clues.rows.length, puzzle.clues.columns.length) && !keptSave(puzzle)?.isSolved;
  return others.find((other) => isWaiting(at(other))) ?? 0;
}

/** An option that a player switches on and off, for all puzzles. */
export function useOption(option: string): [isOn: boolean, set: (isOn: boolean) => void] {
  const key = `nonocsp.option.${option}`;
  const [isOn, setOn] = useState(() => stored(key) === "on");
  return [
    isOn,
    (next) => {
      setOn(next);
      store(key, next ? "on" : "off");
    },
  ];
}
