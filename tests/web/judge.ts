/**
 * Judges puzzles with the core for browsers: `node judge.ts MODULE < PUZZLES`. A puzzle is a line of JSON, either
 * `{rows, columns, colours, cells}` or `{clues: {rows, columns, colours}}`; so is an answer. `--repeat N` judges
 * all puzzles N times and answers with the memory after a tenth and at the end; `--time N` answers with the
 * milliseconds that each puzzle takes, the least of N, to judge and, if it is a drawing, to repair; from the clues to
 * a hint and to the first step; and for the whole explanation and the effort.
 */

import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { type Block, Core, type Judge } from "../../web/src/core/module.ts";
import type { StepRecord } from "../../web/src/core/records.ts";
import { type Tongue, Words } from "../../web/src/core/words.ts";

const [path, option, times = 1] = process.argv.slice(2);
if (!path) throw new Error("usage: node judge.ts MODULE [--repeat N | --time N] < PUZZLES");
const core = await Core.load(await readFile(path));

interface Given {
  rows: number;
  columns: number;
  colours: number;
  /** Conflicts that the search may have. */
  conflicts: number;
  cells?: number[];
  clues?: { rows: [number, number][][]; columns: [number, number][][] };
  grid?: number[];
  /** The names and characters of the colours: the puzzle is explained in words. */
  palette?: { name: string; char: string }[];
  language?: Tongue;
}

function opened({ rows, columns, colours, cells, clues }: Given): Judge {
  if (cells) return core.judge({ rows, columns, colours, cells: Uint8Array.from(cells) });
  return core.judgeClues({ colours, rows: lines(clues?.rows ?? []), columns: lines(clues?.columns ?? []) });
}

function lines(side: [number, number][][]): Block[][] {
  return side.map((blocks) => blocks.map(([length, colour]) => ({ length, colour })));
}

function answer(given: Given): object {
  if (given.palette) return explained(given);
  let judge: Judge;
  try {
    judge = opened(given);
  } catch (error) {
    return { error: String(error) };
  }
  try {
    const after = { lines: judge.solutions };
    const found = {
      isComplete: judge.advance(given.conflicts),
      ...after,
      solutions: judge.solutions,
      sweeps: judge.sweeps,
      known: Array.from(judge.known, Number),
      ambiguous: Array.from(judge.ambiguous),
      solution: Array.from(judge.solution() ?? []),
      other: Array.from(judge.solution(true) ?? []),
    };
    const shown = given.grid && hinted(judge, BigUint64Array.from(given.grid, BigInt));
    if (!given.cells) return { ...found, hint: shown };
    const repairs = judge.repairs();
    try {
      while (repairs.advance(10) > 0);
      return { ...found, hint: shown, effects: Array.from(repairs.effects()), best: bestChange(given) };
    } finally {
      repairs.close();
    }
  } finally {
    judge.close();
  }
}

function hinted(judge: Judge, grid: BigUint64Array): object {
  const hint = judge.hint(grid);
  try {
    while (!hint.advance(10));
    return hint.record();
  } finally {
    hint.close();
  }
}

/** Explains a puzzle in words, in portions of a trial: the steps, the end, and what it asks of a person. */
function explained(given: Given): object {
  const { clues, palette = [], language = "en" } = given;
  const words = new Words({ rows: lines(clues?.rows ?? []), columns: lines(clues?.columns ?? []), palette }, language);
  const judge = opened(given);
  const walk = judge.steps();
  const effort = judge.effort();
  try {
    const steps: StepRecord[] = [];
    let open = judge.size;
    for (let next = walk.next(1); next !== "none"; next = walk.next(1)) {
      if (next === "paused") continue;
      steps.push(next);
      open -= next.changes.filter(([, , before, after]) => before.length > 1 && after.length === 1).length;
    }
    const line = walk.contradiction();
    while (!effort.advance(1));
    return {
      steps: steps.map((step, i) => words.step(step, i + 1)),
      titles: steps.map((step) => words.title(step)),
      ending: words.ending({ verdict: line ? "contradiction" : open ? "stuck" : "solved", line }, steps, open),
      effort: effort.record(),
      reasons: words.reasons(effort.record(), steps.length),
    };
  } finally {
    walk.close();
    effort.close();
    judge.close();
  }
}

function timed(given: Given, times: number): object {
  const least = { judging: Infinity, repairing: Infinity, hint: Infinity, first: Infinity, explaining: Infinity, effort: Infinity };
  const measure = (what: keyof typeof least, work: () => void) => {
    const start = performance.now();
    work();
    least[what] = Math.min(least[what], performance.now() - start);
  };
  for (let i = 0; i < times; i++) {
    let judge = opened(given);
    judge.close();
    measure("judging", () => {
      judge = opened(given);
      judge.advance(given.conflicts);
    });
    measure("repairing", () => {
      const repairs = given.cells && judge.repairs();
      while (repairs && repairs.advance(100) > 0);
      repairs?.close();
    });
    judge.close();
    const open = new BigUint64Array(judge.size).fill((1n << BigInt(given.colours)) - 1n);
    const asked = () => {
      judge = opened(given);
      return judge;
    };
    measure("hint", () => hinted(asked(), open));
    judge.close();
    measure("first", () => asked().steps().next(1000));
    const walk = judge.steps();
    measure("explaining", () => {
      while (walk.next(1000) !== "none");
    });
    walk.close();
    const effort = judge.effort();
    measure("effort", () => {
      while (!effort.advance(1000));
    });
    effort.close();
    judge.close();
  }
  return { ...least, repairing: given.cells ? least.judging + least.repairing : null };
}

/** The change of a background cell to colour 1 that leaves the fewest cells open. */
function bestChange({ rows, columns, colours, cells = [] }: Given): number {
  const changes = cells.flatMap((colour, i) =>
    colour ? [] : [{ row: Math.floor(i / columns), column: i % columns, colour: 1 }],
  );
  if (!changes.length) return -1;
  const costs = Float64Array.from(changes, ({ column }) => column / columns);
  return core.bestChange({ rows, columns, colours, cells: Uint8Array.from(cells) }, changes, costs, 1);
}

const puzzles: Given[] = (await text(process.stdin))
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line));
if (option === "--time") {
  for (const puzzle of puzzles) console.log(JSON.stringify(timed(puzzle, Number(times))));
} else if (option === "--repeat") {
  let early = 0;
  for (let i = 0; i < Number(times); i++) {
    for (const puzzle of puzzles) answer(puzzle);
    if (i === Math.floor(Number(times) / 10)) early = core.memory;
  }
  console.log(JSON.stringify({ early, late: core.memory }));
} else {
  for (const puzzle of puzzles) console.log(JSON.stringify(answer(puzzle)));
}
