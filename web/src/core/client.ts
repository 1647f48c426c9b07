/** The page's end of the worker: numbers requests and drops answers to older ones. */

import type { Answer, Request, Verdict } from "./messages.ts";
import type { Clues, Drawing, Solutions } from "./module.ts";

export interface Listener {
  verdict(verdict: Verdict): void;
  repairs(effects: Uint8Array, left: number): void;
  failed(message: string): void;
}

export class CoreClient {
  private readonly worker: Pick<Worker, "postMessage" | "onmessage">;
  private readonly listener: Listener;
  private generation = 0;
  private solved: ((solutions: Solutions, cells: Uint8Array | undefined) => void) | undefined;

  constructor(worker: Pick<Worker, "postMessage" | "onmessage">, listener: Listener) {
    this.worker = worker;
    this.listener = listener;
    worker.onmessage = ({ data }: MessageEvent<Answer>) => this.take(data);
  }

  /** Asks for the verdict of a drawing, and for its repair map if wanted; ends what was asked before. */
  judge(drawing: Drawing, wantsRepairs: boolean): void {
    this.ask({ kind: "judge", generation: ++this.generation, drawing, wantsRepairs });
  }

  /** Returns a solution of clues, undefined if there is none. */
  solve(clues: Clues): Promise<Uint8Array | undefined> {
    return new Promise((resolve) => {
      this.solved = (_, cells) => resolve(cells);
      this.ask({ kind: "solve", generation: ++this.generation, clues });
    });
  }

  private ask(request: Request): void {
    this.worker.postMessage(request);
  }

  private take(answer: Answer): void {
    if (answer.generation !== this.generation) return;
    if (answer.kind === "verdict") this.listener.verdict(answer.verdict);
    else if (answer.kind === "repairs") this.listener.repairs(answer.effects, answer.left);
    else if (answer.kind === "solved") this.solved?.(answer.solutions, answer.cells);
    else this.listener.failed(answer.message);
  }
}
