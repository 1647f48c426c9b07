/**
 * Does the work of requests in portions, so that a newer request ends an older one between two of them. Apart
 * from the worker, so that tests run it without one.
 */

import type { Answer, Request, Verdict } from "./messages.ts";
import type { Core, Judge } from "./module.ts";

/** How long a portion should take, in ms: the page stays below one frame behind. */
const PORTION = 12;
/** How often unfinished answers are sent, in ms. */
const REPORT = 150;

export class Work {
  private readonly core: Core;
  private readonly send: (answer: Answer) => void;
  private readonly pause: () => Promise<void>;
  private latest = -1;

  constructor(core: Core, send: (answer: Answer) => void, pause: () => Promise<void>) {
    this.core = core;
    this.send = send;
    this.pause = pause;
  }

  /** Ends the work on every request before a generation at its next pause. */
  stopBefore(generation: number): void {
    this.latest = generation;
  }

  /** Answers a request unless a newer one comes. */
  async take(request: Request): Promise<void> {
    const { generation } = request;
    this.latest = Math.max(this.latest, generation);
    try {
      if (request.kind === "judge") await this.judge(request);
      else await this.solve(request);
    } catch (error) {
      this.send({ kind: "failed", generation, message: error instanceof Error ? error.message : String(error) });
    }
  }

  private async judge({ generation, drawing, wantsRepairs }: Request & { kind: "judge" }): Promise<void> {
    const judge = this.core.judge(drawing);
    try {
      const report = () => this.send({ kind: "verdict", generation, verdict: verdictOf(judge) });
      if (!(await this.inPortions(generation, (size) => judge.advance(4 * size), report))) return;
      report();
      if (!wantsRepairs || verdictOf(judge).open === 0) return;
      const repairs = judge.repairs();
      try {
        let left = 0;
        const tell = () => this.send({ kind: "repairs", generation, effects: repairs.effects, left });
        const advance = (size: number) => {
          left = repairs.advance(size);
          return left === 0;
        };
        if (await this.inPortions(generation, advance, tell)) tell();
      } finally {
        repairs.close();
      }
    } finally {
      judge.close();
    }
  }

  private async solve({ generation, clues }: Request & { kind: "solve" }): Promise<void> {
    const judge = this.core.judgeClues(clues);
    try {
      const advance = (size: number) => judge.advance(4 * size) || judge.solution() !== undefined;
      if (!(await this.inPortions(generation, advance, () => {}))) return;
      this.send({ kind: "solved", generation, solutions: judge.solutions, cells: judge.solution() });
    } finally {
      judge.close();
    }
  }

  /** Calls `advance` with sizes that take about a portion each until it is done; false if it became stale. */
  private async inPortions(
    generation: number,
    advance: (size: number) => boolean,
    report: () => void,
  ): Promise<boolean> {
    let size = 4;
    let reported = performance.now();
    for (;;) {
      const start = performance.now();
      if (advance(size)) return true;
      const end = performance.now();
      size = Math.max(1, Math.min(4096, end - start < PORTION / 2 ? 2 * size : end - start > PORTION ? size >> 1 : size));
      if (end - reported > REPORT) {
        report();
        reported = end;
      }
      await this.pause();
      if (this.latest !== generation) return false;
    }
  }
}

function verdictOf(judge: Judge): Verdict {
  const open = judge.known.reduce((count, candidates) => count + ((candidates & (candidates - 1n)) !== 0n ? 1 : 0), 0);
  const { solutions, sweeps, ambiguous } = judge;
  const isComplete = judge.advance(0);
  return { solutions, isComplete, sweeps, open, ambiguous };
}
