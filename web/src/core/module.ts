/**
 * The C++ core as a WebAssembly module: typed calls of the functions in `nonocsp/cpp/web/api.cpp`.
 *
 * Cells are colours row by row, 0 for the background. Everything that a call allocates is freed before it
 * returns; a `Judge` or `Repairs` is freed by `close`.
 */

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

export type Solutions = "unknown" | "none" | "one" | "several";
const SOLUTIONS: Solutions[] = ["unknown", "none", "one", "several"];

/** What a single changed cell does: `unique` leaves one solution, `simple` makes it line-solvable as well. */
export type Effect = "none" | "undecided" | "unique" | "simple";
export const EFFECTS: Effect[] = ["none", "undecided", "unique", "simple"];

export interface Change {
  row: number;
  column: number;
  colour: number;
}

export interface Hint {
  /** For each cell 1 + the colour that a line decides, or 0. */
  next: Uint8Array;
  /** 1 for each cell that is wrong. */
  wrong: Uint8Array;
  /** Lines that no placement fits. */
  broken: number;
}

type Pointer = number;

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  nono_allocate(bytes: number): Pointer;
  nono_free(memory: Pointer): void;
  nono_error(): Pointer;
  nono_judge_image(cells: Pointer, rows: number, columns: number, colours: number): Pointer;
  nono_judge_clues(
    rows: number,
    columns: number,
    colours: number,
    rowCounts: Pointer,
    rowBlocks: Pointer,
    columnCounts: Pointer,
    columnBlocks: Pointer,
  ): Pointer;
  nono_judge_delete(judge: Pointer): void;
  nono_judge_advance(judge: Pointer, conflicts: number): number;
  nono_judge_solutions(judge: Pointer): number;
  nono_judge_sweeps(judge: Pointer): number;
  nono_judge_known(judge: Pointer, out: Pointer): void;
  nono_judge_ambiguous(judge: Pointer, out: Pointer): void;
  nono_judge_solution(judge: Pointer, other: number, out: Pointer): number;
  nono_repairs_new(judge: Pointer): Pointer;
  nono_repairs_delete(repairs: Pointer): void;
  nono_repairs_advance(repairs: Pointer, changes: number): number;
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
  nono_hint(judge: Pointer, grid: Pointer, next: Pointer, wrong: Pointer): number;
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

  /** Judges the puzzle of a drawing, by line solving so far. */
  judge({ rows, columns, colours, cells }: Drawing): Judge {
    return this.scratch((keep) => {
      const made = this.exports.nono_judge_image(keep(cells), rows, columns, colours);
      return new Judge(this, this.checked(made), rows * columns, colours);
    });
  }

  /** Judges a puzzle by its clues, by line solving so far. */
  judgeClues({ rows, columns, colours }: Clues): Judge {
    const counts = (lines: Block[][]) => Int32Array.from(lines, (blocks) => blocks.length);
    const blocks = (lines: Block[][]) =>
      Int32Array.from(lines.flat().flatMap(({ length, colour }) => [length, colour]));
    return this.scratch((keep) => {
      const made = this.exports.nono_judge_clues(
        rows.length,
        columns.length,
        colours,
        keep(counts(rows)),
        keep(blocks(rows)),
        keep(counts(columns)),
        keep(blocks(columns)),
      );
      return new Judge(this, this.checked(made), rows.length * columns.length, colours);
    });
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

  checked(made: Pointer): Pointer {
    if (!made) throw this.error();
    return made;
  }

  counted(result: number): number {
    if (result < 0) throw this.error();
    return result;
  }

  private error(): CoreError {
    const text = new Uint8Array(this.exports.memory.buffer, this.exports.nono_error());
    return new CoreError(new TextDecoder().decode(text.subarray(0, text.indexOf(0))));
  }
}

/** A puzzle, and what is known of its solutions so far. */
export class Judge {
  readonly core: Core;
  readonly handle: Pointer;
  readonly size: number;
  readonly colours: number;

  constructor(core: Core, handle: Pointer, size: number, colours: number) {
    this.core = core;
    this.handle = handle;
    this.size = size;
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

  /** What the lines of a partial grid decide, and its mistakes; bit c of a cell for colour c. */
  hint(grid: BigUint64Array): Hint {
    let broken = 0;
    let wrong: Uint8Array = new Uint8Array(0);
    const next = this.core.written(this.size, (out) => {
      wrong = this.core.written(this.size, (outWrong) => {
        broken = this.core.scratch((keep) =>
          this.core.counted(this.core.exports.nono_hint(this.handle, keep(grid), out, outWrong)),
        );
      });
    });
    return { next, wrong, broken };
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
