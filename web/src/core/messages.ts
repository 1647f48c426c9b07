/** What the page and its worker say to each other. Every answer carries the generation of its request. */

import type { Change, Clues, Drawing, ListRecord } from "./module.ts";
import type { Ending, Grade, HintRecord, MendRecord, Solutions, StepRecord } from "./records.ts";

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
  | { kind: "read"; text: string; head: number; dialects: readonly string[] }
  | { kind: "stop" }
);

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
  | { kind: "adapted"; changes: Change[] | undefined }
  | { kind: "solved"; solutions: Solutions; cells: Uint8Array | undefined }
  | { kind: "mended"; found: MendRecord }
  | { kind: "graded"; grade: Grade; isComplete: boolean }
  | { kind: "hinted"; hint: HintRecord }
  | { kind: "steps"; steps: StepRecord[]; ending: Ending | undefined }
  | { kind: "read"; records: ListRecord[] }
  | { kind: "failed"; message: string }
);
