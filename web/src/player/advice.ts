/** Hints, and cells that are wrong: from an explanation in the page, or from the core in the studio. */

import { type Line, OPEN, readLine } from "../board/lines.ts";
import type { Puzzle, Step } from "./puzzle.ts";

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
