/** What the core says of steps, hints, efforts and mends (`nonocsp/cpp/web/records.cpp`), all counted from 0, and what the page and its worker say to each other. */

import type { Change as Repaint, Clues, Drawing, ListRecord } from "./module.ts";

export type Solutions = "unknown" | "none" | "one" | "several";
export type Line = ["row" | "column", number];
/** Row, column, and the colours that the cell could have before and can have now. */
export type Change = [row: number, column: number, before: number[], after: number[]];

/** A sentence of the table of texts, and what it tells of (`nonocsp/cpp/grading/catalogue.hpp`). */
export interface Reason {
  why: string;
  first: number;
  last: number;
  other_first: number;
  other_last: number;
  blocks: number[];
  block_count: number;
  length: number;
  is_least: number;
  colour: number;
  count: string;
}

export interface StepRecord {
  technique: string;
  /** How hard the technique is for people, 1 to 5. */
  grade: number;
  /** The line that shows it; for a what-if question the contradicting one. */
  line: Line | null;
  changes: Change[];
  /** Blocks of the line's clue that the reasons are about. */
  blocks: number[];
  reasons: Reason[];
  /** Reasons besides. */
  more: number;
  /** The lines from a what-if question to its contradiction. */
  trail: Line[];
}

export interface HintRecord {
  /** Cells that have another colour in every solution, as far as is known. */
  wrong: [row: number, column: number][];
  /** Lines that no placement fits, and the cells each of which would mend one if opened. */
  broken: { line: Line; suspects: number[] }[];
  /** The line where line solving from here ends in a contradiction, if nothing else is wrong. */
  clash: Line | null;
  /** The next step; in several colours, steps that narrow cells and then one that decides some. */
  steps: StepRecord[];
}

/** A change of clues that leaves exactly one solution (`nonocsp/cpp/judging/clue_draft.hpp`). */
export interface Mend {
  kind: "number" | "swap" | "extra" | "missing" | "colour" | "exchange" | "sizes";
  /** The lines with other clues; none if rows and columns exchange their numbers. */
  lines: { line: Line; clue: { length: number; colour: number }[] }[];
}

export interface MendRecord {
  /** Whether every change was tried. */
  isComplete: boolean;
  /** The likeliest first. */
  mends: Mend[];
  /** Lines that contradict each other. */
  contradiction: Line[];
}

export type Level = "easy" | "medium" | "hard" | "expert";

export interface EffortRecord {
  /** The lowest level that the walk allows, provided that there is one solution. */
  least: Level;
  /** Whether the walk ended; it stops once the level is expert for sure. */
  isComplete: boolean;
  /** Whether it filled the grid: there is one solution. */
  isFull: boolean;
  /** A line that no placement fits: there is no solution. */
  contradiction: Line | null;
  /** How often each technique tells something new. */
  techniques: Record<string, number>;
  /** The highest grade that a line needs, 0 if what-if questions are needed at once; its techniques. */
  grade: number;
  hardest: string[];
  /** How often nothing easier than grade 1, 2, 3, 4 and 5 helps anywhere. */
  rounds: number[];
  /** Sweeps from the assumption of the longest what-if question to its contradiction; 0 without one. */
  chain: number;
  /** Cells that stay open where lines alone get stuck for the first time. */
  openCells: number;
  /** The grade of each round. */
  grades: number[];
  /** For each cell the round that decides it, from 1; 0 if none does. */
  decidedIn: number[];
}

/** The grade of a puzzle. */
export interface Grade {
  solutions: Solutions;
  /** The level for people; undefined without exactly one solution, or as long as that is not known. */
  level: Level | undefined;
  /** The numbers behind it, and where people get stuck (`decidedIn`, `grades`). */
  effort: EffortRecord;
}

/** How an explanation ends. */
export interface Ending {
  verdict: "solved" | "stuck" | "contradiction";
  /** The line that no placement fits. */
  line: Line | undefined;
}

/** A grid that is filled in part: for each cell the set of its candidates, bit c for colour c. */
export type PartialGrid = BigUint64Array;

export type Request = { generation: number } & (
  | { kind: "judge"; drawing: Drawing; wantsRepairs: boolean }
  | { kind: "adapt"; drawing: Drawing }
  | { kind: "solve"; clues: Clues }
  | { kind: "mend"; clues: Clues }
  | { kind: "grade"; clues: Clues }
  | { kind: "hint"; clues: Clues; grid: PartialGrid }
  | { kind: "explain"; clues: Clues; grid: PartialGrid | undefined }
  | { kind: "certify"; clues: Clues }
  | { kind: "read"; text: string; head: number; dialects: readonly string[] }
  | { kind: "stop" }
);

/** What proves that a puzzle has one solution: a formula in DIMACS without that solution, and binary DRAT. */
export interface Certificate {
  formula: Uint8Array<ArrayBuffer>;
  proof: Uint8Array<ArrayBuffer>;
}

export interface Verdict {
  solutions: Solutions;
  /** Whether all ambiguous cells are known. */
  isComplete: boolean;
  /** Sweeps of line solving until nothing changes. */
  sweeps: number;
  /** Cells that line solving leaves open. */
  open: number;
  /** 1 for each ambiguous cell. */
  ambiguous: Uint8Array;
}

export type Answer = { generation: number } & (
  | { kind: "verdict"; verdict: Verdict }
  | { kind: "repairs"; effects: Uint8Array; left: number }
  | { kind: "adapting"; changes: number; open: number }
  | { kind: "adapted"; changes: Repaint[] | undefined }
  | { kind: "solved"; solutions: Solutions; cells: Uint8Array | undefined }
  | { kind: "mended"; found: MendRecord }
  | { kind: "graded"; grade: Grade; isComplete: boolean }
  | { kind: "hinted"; hint: HintRecord }
  | { kind: "steps"; steps: StepRecord[]; ending: Ending | undefined }
  | { kind: "certified"; certificate: Certificate }
  | { kind: "read"; records: ListRecord[] }
  | { kind: "failed"; message: string }
);
