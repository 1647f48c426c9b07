/**
 * The page's end of the worker: numbers requests and drops answers to older ones. A new question ends the work
 * on the one before, which is never answered then.
 */

import type { Answer, PartialGrid, Request, Verdict } from "./messages.ts";
import type { Change, Clues, Drawing, ListRecord } from "./module.ts";
import type { Ending, Grade, HintRecord, MendRecord, StepRecord } from "./records.ts";

export interface Listener {
  verdict(verdict: Verdict): void;
  repairs(effects: Uint8Array, left: number): void;
  failed(message: string): void;
  /** The worker died, and another one began; whether it works on the last question again. */
  died(isAsking: boolean): void;
}

type CoreWorker = Pick<Worker, "postMessage" | "onmessage" | "onerror" | "terminate">;

type Question = Request extends infer R ? (R extends Request ? Omit<R, "generation"> : never) : never;

/** Takes an answer; whether it is the last one. */
type Taker = (answer: Answer) => boolean;

export class CoreClient {
  private readonly make: () => CoreWorker;
  /** Undefined after a death, until the next question. */
  private worker: CoreWorker | undefined;
  private deaths = 0;
  private last: Question = { kind: "stop" };
  private readonly listener: Listener;
  private generation = 0;
  private taker: Taker | undefined;
  /** Who waits for texts that are read; their numbers are below zero, so that they end no other question. */
  private reads = 0;
  private readonly readers = new Map<number, (answer: Answer) => void>();

  constructor(make: () => CoreWorker, listener: Listener) {
    this.make = make;
    this.listener = listener;
    this.worker = this.started();
  }

  private started(): CoreWorker {
    const worker = this.make();
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      this.deaths = 0;
      this.take(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.replace(event.message);
    };
    return worker;
  }

  /** Goes on with a new worker: who waits for the dead one gets an error, and a drawing is judged again, once. */
  private replace(message: string): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.deaths++;
    const { generation, taker, last } = this;
    this.taker = undefined;
    taker?.({ kind: "failed", generation, message });
    for (const [read, reader] of this.readers) reader({ kind: "failed", generation: read, message });
    this.readers.clear();
    const isAsking = this.deaths === 1 && last.kind === "judge";
    this.listener.died(isAsking);
    if (isAsking) this.ask(last);
  }

  /** The number of the latest question. */
  get latest(): number {
    return this.generation;
  }

  /** Asks for the verdict of a drawing, and for its repair map if wanted. */
  judge(drawing: Drawing, wantsRepairs: boolean): void {
    this.ask({ kind: "judge", drawing, wantsRepairs });
  }

  /** Returns the changes that make a drawing unique, undefined if none are found; calls `report` after each step. */
  adapt(drawing: Drawing, report: (changes: number, open: number) => void): Promise<Change[] | undefined> {
    return this.promised({ kind: "adapt", drawing }, (answer, resolve) => {
      if (answer.kind === "adapting") report(answer.changes, answer.open);
      if (answer.kind !== "adapted") return false;
      resolve(answer.changes);
      return true;
    });
  }

  /** Reads a text as each of these dialects of number lists, beside whatever else is asked. */
  read(text: string, head: number, dialects: readonly string[]): Promise<ListRecord[]> {
    return new Promise((resolve, reject) => {
      const generation = -1 - this.reads++;
      this.readers.set(generation, (answer) => (answer.kind === "read" ? resolve(answer.records) : reject(new Error(answer.kind === "failed" ? answer.message : answer.kind))));
      this.post({ kind: "read", text, head, dialects, generation });
    });
  }

  /** Returns a solution of clues, undefined if there is none. */
  solve(clues: Clues): Promise<Uint8Array | undefined> {
    return this.promised({ kind: "solve", clues }, (answer, resolve) => {
      if (answer.kind !== "solved") return false;
      resolve(answer.cells);
      return true;
    });
  }

  /** Returns the changes of clues that leave one solution; the clues need not fit. */
  mend(clues: Clues): Promise<MendRecord> {
    return this.promised({ kind: "mend", clues }, (answer, resolve) => {
      if (answer.kind !== "mended") return false;
      resolve(answer.found);
      return true;
    });
  }

  /** Returns the grade of a puzzle, and calls `report` with what is known before. */
  grade(clues: Clues, report: (grade: Grade) => void = () => {}): Promise<Grade> {
    return this.promised({ kind: "grade", clues }, (answer, resolve) => {
      if (answer.kind !== "graded") return false;
      if (answer.isComplete) resolve(answer.grade);
      else report(answer.grade);
      return answer.isComplete;
    });
  }

  /** Returns the next step from a grid, or its mistakes. */
  hint(clues: Clues, grid: PartialGrid): Promise<HintRecord> {
    return this.promised({ kind: "hint", clues, grid }, (answer, resolve) => {
      if (answer.kind !== "hinted") return false;
      resolve(answer.hint);
      return true;
    });
  }

  /** Explains a puzzle from a grid on, the empty one by default: calls `report` with step after step. */
  explain(clues: Clues, report: (steps: StepRecord[]) => void, grid?: PartialGrid): Promise<Ending> {
    return this.promised({ kind: "explain", clues, grid }, (answer, resolve) => {
      if (answer.kind !== "steps") return false;
      report(answer.steps);
      if (answer.ending) resolve(answer.ending);
      return answer.ending !== undefined;
    });
  }

  /** Ends the work on the last question, which is never answered then. */
  stop(): void {
    this.ask({ kind: "stop" });
  }

  private promised<T>(
    question: Question,
    take: (answer: Answer, resolve: (value: T) => void) => boolean,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      this.ask(question);
      this.taker = (answer) => {
        if (answer.kind !== "failed") return take(answer, resolve);
        reject(new Error(answer.message));
        return true;
      };
    });
  }

  private ask(question: Question): void {
    this.taker = undefined;
    this.last = question;
    this.post({ ...question, generation: ++this.generation } as Request);
  }

  private post(request: Request): void {
    this.worker ??= this.started();
    this.worker.postMessage(request);
  }

  private take(answer: Answer): void {
    const reader = this.readers.get(answer.generation);
    if (reader) {
      this.readers.delete(answer.generation);
      return reader(answer);
    }
    if (answer.generation !== this.generation) return;
    if (this.taker) {
      if (this.taker(answer)) this.taker = undefined;
    } else if (answer.kind === "verdict") this.listener.verdict(answer.verdict);
    else if (answer.kind === "repairs") this.listener.repairs(answer.effects, answer.left);
    else if (answer.kind === "failed") this.listener.failed(answer.message);
  }
}
