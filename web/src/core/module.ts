/**
 * The C++ core as a WebAssembly module: typed calls of the functions in `nonocsp/cpp/web/api.cpp`.
 *
 * Cells are colours row by row, 0 for the background. Everything that a call allocates is freed before it
 * returns; a `Judge`, and what it begins, is freed by `close`, the judge last.
 */

import type { EffortRecord, HintRecord, Line, MendRecord, Solutions, StepRecord } from "./records.ts";

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

type Deletes<Name extends string> = Record<`nono_${Name}_delete`, (object: Pointer) => void>;
type Advances<Name extends string> = Record<`nono_${Name}_advance`, (object: Pointer, portion: number) => number>;
type Records<Name extends string> = Record<`nono_${Name}_record`, (object: Pointer) => Pointer>;
type Work = "judge" | "mend" | "repairs" | "hint" | "effort";
type PassedClues = [rows: number, columns: number, colours: number, rowCounts: Pointer, rowBlocks: Pointer, columnCounts: Pointer, columnBlocks: Pointer];

interface Exports extends Deletes<Work | "steps">, Advances<Work>, Records<"mend" | "steps" | "hint" | "effort"> {
  memory: WebAssembly.Memory;
  _initialize(): void;
  nono_allocate(bytes: number): Pointer;
  nono_free(memory: Pointer): void;
  nono_error(): Pointer;
  nono_read(text: Pointer, bytes: number, head: number, dialect: Pointer): Pointer;
  nono_judge_image(cells: Pointer, rows: number, columns: number, colours: number): Pointer;
  nono_judge_clues(...clues: PassedClues): Pointer;
  nono_mend_new(...given: [...PassedClues, seconds: number]): Pointer;
  nono_judge_solutions(judge: Pointer): number;
  nono_judge_sweeps(judge: Pointer): number;
  nono_judge_known(judge: Pointer, out: Pointer): void;
  nono_judge_ambiguous(judge: Pointer, out: Pointer): void;
  nono_judge_solution(judge: Pointer, other: number, out: Pointer): number;
  nono_repairs_new(judge: Pointer): Pointer;
  nono_repairs_effects(repairs: Pointer, out: Pointer): void;
  nono_best_change(
    cells: Pointer,
    rows: number,
    columns: number,
    colours: number,
    changes: Pointer,
    costs: Pointer,
    count: number,
    alpha: number,
  ): number;
  nono_steps_new(judge: Pointer, grid: Pointer, asks: number): Pointer;
  nono_steps_next(steps: Pointer, trials: number): number;
  nono_steps_contradiction(steps: Pointer): number;
  nono_hint_new(judge: Pointer, grid: Pointer): Pointer;
  nono_effort_new(judge: Pointer): Pointer;
}

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
    const { nono_mend_new, nono_mend_advance, nono_mend_record, nono_mend_delete } = this.exports;
    const made = this.ofClues(clues, (...flat) => nono_mend_new(...flat, seconds));
    const record = (handle: Pointer) => JSON.parse(this.text(nono_mend_record(handle)));
    return new Portions(this, made, nono_mend_advance, record, nono_mend_delete);
  }

  /** The index of the change with the least `alpha * cells left open + cost`, the first of several. */
  bestChange({ rows, columns, colours, cells }: Drawing, changes: Change[], costs: Float64Array, alpha: number): number {
    const flat = Int32Array.from(changes.flatMap(({ row, column, colour }) => [row, column, colour]));
    return this.scratch((keep) =>
      this.counted(
        this.exports.nono_best_change(
          keep(cells),
          rows,
          columns,
          colours,
          keep(flat),
          keep(costs),
          changes.length,
          alpha,
        ),
      ),
    );
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
  private ofClues({ rows, columns, colours }: Clues, make: (...flat: [number, number, number, Pointer, Pointer, Pointer, Pointer]) => Pointer): Pointer {
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
  steps(grid?: BigUint64Array, asks = true): Steps {
    const { exports } = this.core;
    const made = this.core.scratch((keep) =>
      exports.nono_steps_new(this.handle, grid ? keep(grid) : 0, asks ? 1 : 0),
    );
    return new Steps(this.core, this.core.checked(made), this.rows);
  }

  /** Begins to look for the next step from a grid, or its mistakes, as far as the judge knows the solution. */
  hint(grid: BigUint64Array): Portions<HintRecord> {
    const { nono_hint_new, nono_hint_advance, nono_hint_record, nono_hint_delete } = this.core.exports;
    const made = this.core.scratch((keep) => nono_hint_new(this.handle, keep(grid)));
    const record = (handle: Pointer) => JSON.parse(this.core.text(nono_hint_record(handle)));
    return new Portions(this.core, this.core.checked(made), nono_hint_advance, record, nono_hint_delete);
  }

  /** Begins to measure what the puzzle asks of a person. */
  effort(): Portions<EffortRecord> {
    const { nono_effort_new, nono_effort_advance, nono_effort_record, nono_effort_delete } = this.core.exports;
    const made = this.core.checked(nono_effort_new(this.handle));
    const record = (handle: Pointer) => JSON.parse(this.core.text(nono_effort_record(handle)));
    return new Portions(this.core, made, nono_effort_advance, record, nono_effort_delete);
  }

  /** Begins to look for changes of one cell that repair the judged drawing. */
  repairs(): Repairs {
    const made = this.core.exports.nono_repairs_new(this.handle);
    return new Repairs(this.core, this.core.checked(made), this.size * this.colours);
  }

  close(): void {
    this.core.exports.nono_judge_delete(this.handle);
  }
}

/** The changes of one cell that leave a drawing one solution, as far as they were tried. */
export class Repairs {
  readonly core: Core;
  readonly handle: Pointer;
  readonly size: number;

  constructor(core: Core, handle: Pointer, size: number) {
    this.core = core;
    this.handle = handle;
    this.size = size;
  }

  /** Tries so many more changes; the number of those that are left. */
  advance(changes: number): number {
    return this.core.counted(this.core.exports.nono_repairs_advance(this.handle, changes));
  }

  /** For each cell and colour the index of the effect in `EFFECTS`. */
  get effects(): Uint8Array {
    return this.core.written(this.size, (out) => this.core.exports.nono_repairs_effects(this.handle, out));
  }

  close(): void {
    this.core.exports.nono_repairs_delete(this.handle);
  }
}

/** The steps of a person through a puzzle. */
export class Steps {
  private readonly core: Core;
  private readonly handle: Pointer;
  private readonly rows: number;

  constructor(core: Core, handle: Pointer, rows: number) {
    this.core = core;
    this.handle = handle;
    this.rows = rows;
  }

  /** Takes the next step; `paused` after about so many trials of a what-if question, `none` at the end. */
  next(trials: number): StepRecord | "none" | "paused" {
    const progressed = this.core.counted(this.core.exports.nono_steps_next(this.handle, trials));
    if (progressed === 1) return "none";
    if (progressed === 2) return "paused";
    return JSON.parse(this.core.text(this.core.exports.nono_steps_record(this.handle)));
  }

  /** The line that no placement fits. */
  get contradiction(): Line | undefined {
    const number = this.core.exports.nono_steps_contradiction(this.handle);
    if (number < 0) return undefined;
    return number < this.rows ? ["row", number] : ["column", number - this.rows];
  }

  close(): void {
    this.core.exports.nono_steps_delete(this.handle);
  }
}

/** Work that goes in portions and has a result. */
export class Portions<T> {
  private readonly core: Core;
  private readonly handle: Pointer;
  private readonly goOn: (handle: Pointer, size: number) => number;
  private readonly tell: (handle: Pointer) => T;
  private readonly free: (handle: Pointer) => void;

  constructor(
    core: Core,
    handle: Pointer,
    goOn: (handle: Pointer, size: number) => number,
    tell: (handle: Pointer) => T,
    free: (handle: Pointer) => void,
  ) {
    this.core = core;
    this.handle = handle;
    this.goOn = goOn;
    this.tell = tell;
    this.free = free;
  }

  /** Goes on with about so many trials of what-if questions, or probes; whether it is over. */
  advance(size: number): boolean {
    return this.core.counted(this.goOn(this.handle, size)) === 1;
  }

  get record(): T {
    return this.tell(this.handle);
  }

  close(): void {
    this.free(this.handle);
  }
}
