/**
 * The C++ core as a WebAssembly module: typed calls of the functions in `nonocsp/cpp/web/api.cpp`.
 *
 * Cells are colours row by row, 0 for the background. Everything that a call allocates is freed before it
 * returns; a `Judge`, and what it begins, is freed by `close`, the judge last.
 */

import type { Certificate, EffortRecord, HintRecord, Line, MendRecord, Solutions, StepRecord } from "./records.ts";

export interface Drawing {
  rows: number;
  columns: number;
  /** Number of colours, the background included. */
  colours: number;
  /** Colours row by row. */
  cells: Uint8Array;
}

/** A block of a clue. */
export interface Block {
  length: number;
  colour: number;
}

export interface Clues {
  colours: number;
  rows: Block[][];
  columns: Block[][];
}

const SOLUTIONS: Solutions[] = ["unknown", "none", "one", "several"];

/** What a single changed cell does: `unique` leaves one solution, `simple` makes it line-solvable as well. */
export type Effect = "none" | "undecided" | "unique" | "simple";
export const EFFECTS: Effect[] = ["none", "undecided", "unique", "simple"];

export interface Change {
  row: number;
  column: number;
  colour: number;
}

type Pointer = number;

/** Functions of `nonocsp/cpp/web/api.cpp`, which takes and returns numbers alone. */
type Work = "mend" | "hint" | "effort";
type Names =
  | `${Work | "judge" | "repairs" | "steps"}_${"new" | "delete"}`
  | `${Work}_${"advance" | "record"}`
  | `judge_${"image" | "clues" | "advance" | "solutions" | "sweeps" | "known" | "ambiguous" | "solution"}`
  | `repairs_${"advance" | "effects"}`
  | `steps_${"next" | "record" | "contradiction"}`
  | `certificate_${"new" | "delete" | "advance" | "bytes" | "size"}`
  | "allocate" | "free" | "error" | "read" | "best_change";
type Exports = Record<`nono_${Names}`, (...given: number[]) => number> & { memory: WebAssembly.Memory; _initialize(): void };

/** What a text is in a dialect of number lists: how much speaks for it, and what was read of it. */
export interface ListRecord {
  sureness: number;
  why: string;
  line: number;
  puzzles: {
    title: string;
    /** What might be meant if the clues describe no puzzle. */
    advice: string;
    /** What clues call a colour, its character, its name or #RRGGBB, and a remark. */
    colours: [key: string, char: string, word: string, remark: string][];
    /** Of each clue its line in the text, then length and colour of each block. */
    rows: number[][];
    columns: number[][];
    /** The rows of the solution, a character a cell; none if the text has none. */
    goal: string[];
  }[];
  notes: [message: string, line: number][];
  fault: [message: string, expected: string, line: number, column: number] | null;
}

/** Thrown for a drawing or puzzle that the core refuses; the message says why. */
export class CoreError extends Error {}

export class Core {
  readonly exports: Exports;

  private constructor(exports: Exports) {
    this.exports = exports;
  }

  /** Starts the module from its bytes. */
  static async load(bytes: BufferSource): Promise<Core> {
    let memory: WebAssembly.Memory | undefined;
    // The module asks the system for the time alone; the rest is what a C library would print.
    const refuse = () => 8;
    const system = {
      clock_time_get(_clock: number, _precision: bigint, out: Pointer): number {
        if (memory) {
          const now = BigInt(Math.round(performance.now() * 1e6));
          new DataView(memory.buffer).setBigUint64(out, now, true);
        }
        return 0;
      },
      fd_close: refuse,
      fd_seek: refuse,
      fd_write: refuse,
    };
    const compiled = await WebAssembly.compile(bytes);
    const instance = await WebAssembly.instantiate(compiled, { wasi_snapshot_preview1: system });
    const exports = instance.exports as unknown as Exports;
    memory = exports.memory;
    exports._initialize();
    return new Core(exports);
  }

  /** Reads a text as each of these dialects; its first `head` characters say how much speaks for one. */
  read(text: string, head: number, dialects: readonly string[]): ListRecord[] {
    const encoded = new TextEncoder();
    const [bytes, start] = [encoded.encode(text), encoded.encode(text.slice(0, head)).length];
    return this.scratch((keep) => {
      const at = keep(bytes);
      return JSON.parse(this.text(this.checked(this.exports.nono_read(at, bytes.length, start, keep(encoded.encode(`${dialects.join(" ")}\0`))))));
    });
  }

  /** Judges the puzzle of a drawing, by line solving so far. */
  judge({ rows, columns, colours, cells }: Drawing): Judge {
    return this.scratch((keep) => {
      const made = this.exports.nono_judge_image(keep(cells), rows, columns, colours);
      return new Judge(this, this.checked(made), rows, columns, colours);
    });
  }

  /** Judges a puzzle by its clues, by line solving so far. */
  judgeClues(clues: Clues): Judge {
    const made = this.ofClues(clues, (...flat) => this.exports.nono_judge_clues(...flat));
    return new Judge(this, made, clues.rows.length, clues.columns.length, clues.colours);
  }

  /** Begins to look for the clue that is wrong, for at most some seconds. */
  mend(clues: Clues, seconds: number): Portions<MendRecord> {
    return this.portions("mend", this.ofClues(clues, (...flat) => this.exports.nono_mend_new(...flat, seconds)));
  }

  /** What goes on with begun work. */
  portions<T>(work: Work, made: Pointer): Portions<T> {
    const { exports } = this;
    const handle = this.checked(made);
    return {
      advance: (size) => this.counted(exports[`nono_${work}_advance`](handle, size)) === 1,
      record: () => JSON.parse(this.text(exports[`nono_${work}_record`](handle))),
      close: () => void exports[`nono_${work}_delete`](handle),
    };
  }

  /** The index of the change with the least `alpha * cells left open + cost`, the first of several. */
  bestChange({ rows, columns, colours, cells }: Drawing, changes: Change[], costs: Float64Array, alpha: number): number {
    const flat = Int32Array.from(changes.flatMap(({ row, column, colour }) => [row, column, colour]));
    return this.scratch((keep) => this.counted(this.exports.nono_best_change(keep(cells), rows, columns, colours, keep(flat), keep(costs), changes.length, alpha)));
  }

  /** Bytes of the module's memory, which never shrinks. */
  get memory(): number {
    return this.exports.memory.buffer.byteLength;
  }

  /** Calls a function with a way to copy arrays into the module's memory, and frees the copies. */
  scratch<T>(use: (keep: (array: Uint8Array | Int32Array | Float64Array | BigUint64Array) => Pointer) => T): T {
    const kept: Pointer[] = [];
    try {
      return use((array) => {
        const at = this.exports.nono_allocate(array.byteLength || 1);
        if (!at) throw new CoreError("out of memory");
        kept.push(at);
        const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
        new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
        return at;
      });
    } finally {
      for (const at of kept) this.exports.nono_free(at);
    }
  }

  /** Has a function of the core write bytes, and returns them. */
  written(bytes: number, write: (out: Pointer) => void): Uint8Array<ArrayBuffer> {
    return this.scratch((keep) => {
      const out = keep(new Uint8Array(bytes));
      write(out);
      return new Uint8Array(this.exports.memory.buffer, out, bytes).slice() as Uint8Array<ArrayBuffer>;
    });
  }

  /** Makes an object of clues in flat arrays: sizes and colours; then the numbers of blocks, and the blocks. */
  private ofClues({ rows, columns, colours }: Clues, make: (...flat: number[]) => Pointer): Pointer {
    const counts = (lines: Block[][]) => Int32Array.from(lines, (blocks) => blocks.length);
    const blocks = (lines: Block[][]) => Int32Array.from(lines.flat().flatMap(({ length, colour }) => [length, colour]));
    return this.scratch((keep) =>
      this.checked(make(rows.length, columns.length, colours, keep(counts(rows)), keep(blocks(rows)), keep(counts(columns)), keep(blocks(columns)))),
    );
  }

  checked(made: Pointer): Pointer {
    if (!made) throw this.error();
    return made;
  }

  counted(result: number): number {
    if (result < 0) throw this.error();
    return result;
  }

  /** The text at a place of the module's memory, up to the zero at its end. */
  text(at: Pointer): string {
    const bytes = new Uint8Array(this.exports.memory.buffer, at);
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
  }

  private error(): CoreError {
    return new CoreError(this.text(this.exports.nono_error()));
  }
}

/** A puzzle, and what is known of its solutions so far. */
export class Judge {
  readonly core: Core;
  readonly handle: Pointer;
  readonly rows: number;
  readonly size: number;
  readonly colours: number;

  constructor(core: Core, handle: Pointer, rows: number, columns: number, colours: number) {
    this.core = core;
    this.handle = handle;
    this.rows = rows;
    this.size = rows * columns;
    this.colours = colours;
  }

  /** Goes on for about so many conflicts; whether all is known. */
  advance(conflicts: number): boolean {
    return this.core.counted(this.core.exports.nono_judge_advance(this.handle, conflicts)) === 1;
  }

  get solutions(): Solutions {
    return SOLUTIONS[this.core.exports.nono_judge_solutions(this.handle)] ?? "unknown";
  }

  /** Sweeps of line solving until nothing changes. */
  get sweeps(): number {
    return this.core.exports.nono_judge_sweeps(this.handle);
  }

  /** What line solving leaves of each cell: bit c for colour c. */
  get known(): BigUint64Array {
    const bytes = this.core.written(8 * this.size, (out) => this.core.exports.nono_judge_known(this.handle, out));
    return new BigUint64Array(bytes.buffer);
  }

  /** 1 for each cell in which two known solutions differ. */
  get ambiguous(): Uint8Array {
    return this.core.written(this.size, (out) => this.core.exports.nono_judge_ambiguous(this.handle, out));
  }

  /** A known solution, or another one that differs from it; undefined if there is none yet. */
  solution(other = false): Uint8Array | undefined {
    let isKnown = false;
    const cells = this.core.written(this.size, (out) => {
      isKnown = this.core.counted(this.core.exports.nono_judge_solution(this.handle, other ? 1 : 0, out)) === 1;
    });
    return isKnown ? cells : undefined;
  }

  /** Begins to explain the puzzle from a grid on, the empty one by default; bit c of a cell for colour c. */
  steps(grid?: BigUint64Array) {
    const { core, rows } = this;
    const { nono_steps_new, nono_steps_next, nono_steps_record, nono_steps_contradiction, nono_steps_delete } = core.exports;
    const handle = core.checked(core.scratch((keep) => nono_steps_new(this.handle, grid ? keep(grid) : 0, 1)));
    return {
      /** Takes the next step; `paused` after about so many trials of a what-if question, `none` at the end. */
      next(trials: number): StepRecord | "none" | "paused" {
        const progressed = core.counted(nono_steps_next(handle, trials));
        return progressed === 1 ? "none" : progressed === 2 ? "paused" : JSON.parse(core.text(nono_steps_record(handle)));
      },
      /** The line that no placement fits. */
      contradiction(): Line | undefined {
        const number = nono_steps_contradiction(handle);
        if (number < 0) return undefined;
        return number < rows ? ["row", number] : ["column", number - rows];
      },
      close: () => nono_steps_delete(handle),
    };
  }

  /** Begins to look for the next step from a grid, or its mistakes, as far as the judge knows the solution. */
  hint(grid: BigUint64Array): Portions<HintRecord> {
    return this.core.portions("hint", this.core.scratch((keep) => this.core.exports.nono_hint_new(this.handle, keep(grid))));
  }

  /** Begins to measure what the puzzle asks of a person. */
  effort(): Portions<EffortRecord> {
    return this.core.portions("effort", this.core.exports.nono_effort_new(this.handle));
  }

  /** Begins to prove that the judged puzzle has one solution, which must be known. */
  certificate(): Portions<Certificate> {
    const { core } = this;
    const { nono_certificate_new, nono_certificate_delete, nono_certificate_advance, nono_certificate_bytes, nono_certificate_size } = core.exports;
    const handle = core.checked(nono_certificate_new(this.handle));
    const part = (isProof: number) => new Uint8Array(core.exports.memory.buffer, nono_certificate_bytes(handle, isProof), nono_certificate_size(handle, isProof)).slice();
    return {
      advance: (conflicts) => core.counted(nono_certificate_advance(handle, conflicts)) === 1,
      record: () => ({ formula: part(0), proof: part(1) }),
      close: () => void nono_certificate_delete(handle),
    };
  }

  /** Begins to look for the changes of one cell that leave the judged drawing one solution. */
  repairs() {
    const { core, size, colours } = this;
    const { nono_repairs_new, nono_repairs_advance, nono_repairs_effects, nono_repairs_delete } = core.exports;
    const handle = core.checked(nono_repairs_new(this.handle));
    return {
      /** Tries so many more changes; the number of those that are left. */
      advance: (changes: number): number => core.counted(nono_repairs_advance(handle, changes)),
      /** For each cell and colour the index of the effect in `EFFECTS`, as far as it was tried. */
      effects: () => core.written(size * colours, (out) => nono_repairs_effects(handle, out)),
      close: () => nono_repairs_delete(handle),
    };
  }

  close(): void {
    this.core.exports.nono_judge_delete(this.handle);
  }
}

/** Work that goes in portions and has a result. */
export interface Portions<T> {
  /** Goes on with about so many trials of what-if questions, or probes; whether it is over. */
  advance(size: number): boolean;
  record(): T;
  close(): void;
}

/** Uses an object of the core, and frees it. */
export async function closing<T extends { close(): void }, R>(object: T, use: (object: T) => Promise<R>): Promise<R> {
  try {
    return await use(object);
  } finally {
    object.close();
  }
}
