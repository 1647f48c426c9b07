/**
 * The page's end of the worker: numbers requests and drops answers to older ones. A new question ends the work
 * on the one before, which is never answered then.
 */

import type { Change, Clues, Drawing, ListRecord } from "./module.ts";
import type { Answer, Certificate, Ending, Grade, HintRecord, MendRecord, PartialGrid, Request, StepRecord, Verdict } from "./records.ts";

export interface Listener {
  verdict(verdict: Verdict): void;
  repairs(effects: Uint8Array, left: number): void;
  failed(message: string): void;
  /** The worker died, and another one began; whether it works on the last question again. */
  died(isAsking: boolean): void;
}

type CoreWorker = Pick<Worker, "postMessage" | "onmessage" | "onerror" | "terminate">;

type Question = Request extends infer R ? (R extends Request ? Omit<R, "generation"> : never) : never;

type AnswerOf<K extends Answer["kind"]> = Extract<Answer, { kind: K }>;

export class CoreClient {
  private readonly make: () => CoreWorker;
  /** Undefined after a death, until the next question. */
  private worker: CoreWorker | undefined;
  private deaths = 0;
  private last: Question = { kind: "stop" };
  private readonly listener: Listener;
  private generation = 0;
  private taker: ((answer: Answer) => void) | undefined;
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
  async adapt(drawing: Drawing, report: (changes: number, open: number) => void): Promise<Change[] | undefined> {
    const before = (answer: Answer) => answer.kind === "adapting" && report(answer.changes, answer.open);
    return (await this.asked({ kind: "adapt", drawing }, "adapted", () => true, before)).changes;
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
  async solve(clues: Clues): Promise<Uint8Array | undefined> {
    return (await this.asked({ kind: "solve", clues }, "solved")).cells;
  }

  /** Returns the changes of clues that leave one solution; the clues need not fit. */
  async mend(clues: Clues): Promise<MendRecord> {
    return (await this.asked({ kind: "mend", clues }, "mended")).found;
  }

  /** Returns the grade of a puzzle, and calls `report` with what is known before. */
  async grade(clues: Clues, report: (grade: Grade) => void = () => {}): Promise<Grade> {
    const before = (answer: Answer) => answer.kind === "graded" && report(answer.grade);
    return (await this.asked({ kind: "grade", clues }, "graded", ({ isComplete }) => isComplete, before)).grade;
  }

  /** Returns the next step from a grid, or its mistakes. */
  async hint(clues: Clues, grid: PartialGrid): Promise<HintRecord> {
    return (await this.asked({ kind: "hint", clues, grid }, "hinted")).hint;
  }

  /** Returns what proves that a puzzle has one solution. */
  async certify(clues: Clues): Promise<Certificate> {
    return (await this.asked({ kind: "certify", clues }, "certified")).certificate;
  }

  /** Explains a puzzle from a grid on, the empty one by default: calls `report` with step after step. */
  async explain(clues: Clues, report: (steps: StepRecord[]) => void, grid?: PartialGrid): Promise<Ending> {
    const isLast = ({ steps, ending }: AnswerOf<"steps">) => {
      report(steps);
      return ending !== undefined;
    };
    return (await this.asked({ kind: "explain", clues, grid }, "steps", isLast)).ending as Ending;
  }

  /** Ends the work on the last question, which is never answered then. */
  stop(): void {
    this.ask({ kind: "stop" });
  }

  /** Asks, and returns the last answer of a kind; those before it go to `before`. */
  private asked<K extends Answer["kind"]>(question: Question, kind: K, isLast: (answer: AnswerOf<K>) => boolean = () => true, before: (answer: Answer) => unknown = () => {}): Promise<AnswerOf<K>> {
    return new Promise((resolve, reject) => {
      this.ask(question);
      this.taker = (answer) => {
        if (answer.kind === "failed") reject(new Error(answer.message));
        else if (answer.kind === kind && isLast(answer as AnswerOf<K>)) resolve(answer as AnswerOf<K>);
        else return void before(answer);
        this.taker = undefined;
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
    if (this.taker) this.taker(answer);
    else if (answer.kind === "verdict") this.listener.verdict(answer.verdict);
    else if (answer.kind === "repairs") this.listener.repairs(answer.effects, answer.left);
    else if (answer.kind === "failed") this.listener.failed(answer.message);
  }
}
