/**
 * Does the work of requests in portions, so that a newer request ends an older one between two of them. Apart
 * from the worker, so that tests run it without one.
 */

import { adapt } from "./adapt.ts";
import { closing, type Core, type Judge, type Portions } from "./module.ts";
import type { Answer, EffortRecord, Ending, Grade, PartialGrid, Request, StepRecord, Verdict } from "./records.ts";

/** How long a portion should take, in ms: the page stays below one frame behind. */
const PORTION = 12;
/** How often unfinished answers are sent, in ms. */
const REPORT = 150;
/** How long the wrong clue is looked for, in seconds. */
const MENDING = 2;

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
    try {
      if (request.kind === "read") return this.send({ kind: "read", generation, records: this.core.read(request.text, request.head, request.dialects) });
      this.latest = Math.max(this.latest, generation);
      if (request.kind === "judge") await this.judge(request);
      else if (request.kind === "adapt") await this.adapt(request);
      else if (request.kind === "mend") await this.mend(request);
      else if (request.kind !== "stop") await this.ofClues(request);
    } catch (error) {
      // What a trap leaves behind is not to be trusted: the page begins anew.
      if (error instanceof WebAssembly.RuntimeError) return reportError(error);
      this.send({ kind: "failed", generation, message: error instanceof Error ? error.message : String(error) });
    }
  }

  private judge({ generation, drawing, wantsRepairs }: Request & { kind: "judge" }): Promise<void> {
    return closing(this.core.judge(drawing), async (judge) => {
      const report = () => this.send({ kind: "verdict", generation, verdict: verdictOf(judge) });
      if (!(await this.inPortions(generation, (size) => judge.advance(4 * size), report))) return;
      report();
      if (!wantsRepairs || verdictOf(judge).open === 0) return;
      await closing(judge.repairs(), async (repairs) => {
        let left = 0;
        const tell = () => this.send({ kind: "repairs", generation, effects: repairs.effects(), left });
        const advance = (size: number) => (left = repairs.advance(size)) === 0;
        if (await this.inPortions(generation, advance, tell)) tell();
      });
    });
  }

  private async adapt({ generation, drawing }: Request & { kind: "adapt" }): Promise<void> {
    const superseded = new Error("a newer request came");
    const run = async (advance: (size: number) => boolean) => {
      if (!(await this.inPortions(generation, advance))) throw superseded;
    };
    const report = (changes: number, open: number) => this.send({ kind: "adapting", generation, changes, open });
    try {
      this.send({ kind: "adapted", generation, changes: await adapt(this.core, drawing, run, report) });
    } catch (error) {
      if (error !== superseded) throw error;
    }
  }

  private async mend({ generation, clues }: Request & { kind: "mend" }): Promise<void> {
    const found = await this.finished(generation, this.core.mend(clues, MENDING), 1);
    if (found) this.send({ kind: "mended", generation, found });
  }

  /** What begun work finds; undefined if it became stale. */
  private finished<T>(generation: number, work: Portions<T>, speed: number): Promise<T | undefined> {
    return closing(work, async () => ((await this.inPortions(generation, (size) => work.advance(speed * size))) ? work.record() : undefined));
  }

  /** Answers a request about a puzzle that is given by its clues. */
  private ofClues(request: Exclude<Request, { kind: "judge" | "adapt" | "mend" | "read" | "stop" }>): Promise<void> {
    return closing(this.core.judgeClues(request.clues), async (judge) => {
      if (request.kind === "solve") await this.solve(request.generation, judge);
      else if (request.kind === "grade") await this.grade(request.generation, judge);
      else if (request.kind === "hint") await this.hint(request.generation, judge, request.grid);
      else if (request.kind === "certify") await this.certify(request.generation, judge);
      else await this.explain(request.generation, judge, request.grid);
    });
  }

  private async solve(generation: number, judge: Judge): Promise<void> {
    const advance = (size: number) => judge.advance(4 * size) || judge.solution() !== undefined;
    if (!(await this.inPortions(generation, advance))) return;
    this.send({ kind: "solved", generation, solutions: judge.solutions, cells: judge.solution() });
  }

  /** The effort first, which tells where people get stuck; then whether there is one solution, where that does not tell. */
  private grade(generation: number, judge: Judge): Promise<void> {
    return closing(judge.effort(), async (effort) => {
      const report = (isComplete: boolean) => this.send({ kind: "graded", generation, grade: gradeOf(judge, effort.record()), isComplete });
      if (!(await this.inPortions(generation, (size) => effort.advance(4 * size), () => report(false)))) return;
      const { isFull, contradiction } = effort.record();
      if (!isFull && !contradiction) {
        report(false);
        if (!(await this.inPortions(generation, (size) => judge.advance(4 * size) || judge.solutions === "several"))) return;
      }
      report(true);
    });
  }

  private async certify(generation: number, judge: Judge): Promise<void> {
    if (!(await this.inPortions(generation, (size) => judge.advance(4 * size)))) return;
    const certificate = await this.finished(generation, judge.certificate(), 4);
    if (certificate) this.send({ kind: "certified", generation, certificate });
  }

  private async hint(generation: number, judge: Judge, grid: PartialGrid): Promise<void> {
    const hint = await this.finished(generation, judge.hint(grid), 4);
    if (hint) this.send({ kind: "hinted", generation, hint });
  }

  private explain(generation: number, judge: Judge, grid: PartialGrid | undefined): Promise<void> {
    return closing(judge.steps(grid), async (walk) => {
      let steps: StepRecord[] = [];
      let isSent = false;
      let open = openCells(grid ?? new BigUint64Array(judge.size).fill((1n << BigInt(judge.colours)) - 1n));
      const tell = (ending?: Ending) => {
        if (steps.length || ending) this.send({ kind: "steps", generation, steps, ending });
        steps = [];
        isSent = true;
      };
      const advance = (size: number) => {
        for (let i = 0; i < size; i++) {
          const step = walk.next(4 * size);
          if (step === "none") return true;
          if (step === "paused") return false;
          open -= step.changes.filter(([, , before, after]) => before.length > 1 && after.length === 1).length;
          steps.push(step);
          if (!isSent) tell();
        }
        return false;
      };
      if (!(await this.inPortions(generation, advance, tell))) return;
      const line = walk.contradiction();
      tell({ verdict: line ? "contradiction" : open ? "stuck" : "solved", line });
    });
  }

  /** Calls `advance` with sizes that take about a portion each until it is done; false if it became stale. */
  private async inPortions(generation: number, advance: (size: number) => boolean, report = () => {}): Promise<boolean> {
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

function openCells(grid: BigUint64Array): number {
  return grid.reduce((count, candidates) => count + ((candidates & (candidates - 1n)) !== 0n ? 1 : 0), 0);
}

function verdictOf(judge: Judge): Verdict {
  const { solutions, sweeps, ambiguous } = judge;
  const isComplete = judge.advance(0);
  return { solutions, isComplete, sweeps, open: openCells(judge.known), ambiguous };
}

function gradeOf(judge: Judge, effort: EffortRecord): Grade {
  const solutions = effort.isFull ? "one" : effort.contradiction ? "none" : judge.solutions;
  const isCertain = effort.isComplete || effort.least === "expert";
  return { solutions, level: solutions === "one" && isCertain ? effort.least : undefined, effort };
}
