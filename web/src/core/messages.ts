/** What the page and its worker say to each other. Every answer carries the generation of its request. */

import type { Clues, Drawing, Solutions } from "./module.ts";

export type Request =
  | { kind: "judge"; generation: number; drawing: Drawing; wantsRepairs: boolean }
  | { kind: "solve"; generation: number; clues: Clues };

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

export type Answer =
  | { kind: "verdict"; generation: number; verdict: Verdict }
  | { kind: "repairs"; generation: number; effects: Uint8Array; left: number }
  | { kind: "solved"; generation: number; solutions: Solutions; cells: Uint8Array | undefined }
  | { kind: "failed"; generation: number; message: string };
