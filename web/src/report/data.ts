/** The campaigns as the page carries them (nonocsp/bench/report/page_data.py). Runs, instances, puzzles and entrants are numbers. */

export type Value = number | string | boolean | null;

/** One statistic or condition, with a value for each of the entrant's runs. */
export interface Fact {
  key: string;
  values: Value[] | Float64Array;
}

/** A backend of a campaign; its runs are those from `first` to before `last`. */
export interface Entrant {
  label: string;
  backend: string;
  campaign: number;
  first: number;
  last: number;
  stats: Fact[];
  conditions: Fact[];
}

/** What the codes of a picture's cells mean: bits a cell, and a colour for each code ("" is unknown). */
export interface Ink {
  bits: number;
  colours: string[];
}

export interface Picture {
  rows: number;
  columns: number;
  ink: Ink;
  /** Base64 of bits, which are the codes row by row. */
  cells: string;
}

export interface Limits {
  task: string;
  bound: number | null;
  wall: number | null;
  cpu: number | null;
  memory: number | null;
}

export interface Setting {
  executor: string;
  machine: string;
  /** A hash, or nothing. */
  code: string;
  versions: Record<string, string>;
}

/** Place on the axis and text there; low, middle and high (null: beyond the limit); runs, and undecided ones. */
export type ChartPoint = [number, string, number | null, number | null, number | null, number, number];

export interface Series {
  label: string;
  /** Null if it is not about one. */
  entrant: number | null;
  points: ChartPoint[];
}

/** A chart of nonocsp/bench/report/growth.py. */
export interface Chart {
  kind: string;
  of: string;
  axis: string;
  unit: "time" | "share";
  /** Whether values are scores, not medians. */
  score: boolean;
  series: Series[];
}

/** Whole numbers were stored as steps, and a value that all runs have only once. */
interface Packed extends Fact {
  steps?: number[];
  same?: Value;
}

/** What the page contains, as it was packed. */
export interface Contents {
  /** How many runs the campaigns have; the page may show fewer. */
  total: number;
  campaigns: string[];
  entrants: Entrant[];
  answers: string[];
  terminations: string[];
  inks: Ink[];
  /** Pictures that there was no room for. */
  left_out: number;
  growth: Chart[];
  messages: string[];
  requests: Limits[];
  settings: Setting[];
  runs: {
    id: string;
    instance: number[];
    request: number[];
    setting: number[];
    decided: number[];
    answer: number[];
    termination: number[];
    reliable: number[];
    wall_s: number[];
    cpu_s: (number | null)[];
    claimed_wall_s: (number | null)[];
    peak_rss_bytes: (number | null)[];
    solutions: number[];
    message: number[];
    left: number[];
    partial: number[];
    /** How many. */
    pictures: number[];
  };
  /** The pictures of all runs, one run after the other, by their numbers among those of the puzzle. */
  shown: number[];
  instances: { puzzle: number[]; seed: number[]; repeat: number[] };
  puzzles: {
    name: string[];
    rows: number[];
    columns: number[];
    open: (number | null)[];
    pictures: string[][];
    inks: number[][];
  };
}

const ID_DIGITS = 10;

export class Data {
  readonly contents: Contents;
  readonly entrants: Entrant[];
  readonly runs: Contents["runs"];
  /** How many. */
  readonly count: number;
  readonly instances: number;
  readonly instanceOf: Float64Array;
  readonly entrantOf: Uint16Array;
  /** For each campaign, each instance's shortest time of a decided run: the virtual best. */
  readonly best: Float64Array[];
  private readonly puzzleOf: Float64Array;
  private readonly matrix: Int32Array;
  /** The end of each run's pictures in `shown`. */
  private readonly ends: Float64Array;

  constructor(contents: Contents) {
    this.contents = contents;
    this.entrants = contents.entrants;
    for (const { first, last, stats, conditions } of this.entrants) {
      for (const fact of [...stats, ...conditions] as Packed[]) {
        if (fact.steps) fact.values = sums(fact.steps);
        else fact.values ??= new Array<Value>(last - first).fill(fact.same ?? null);
      }
    }
    this.runs = contents.runs;
    this.instanceOf = sums(contents.runs.instance);
    this.puzzleOf = sums(contents.instances.puzzle);
    this.ends = sums(contents.runs.pictures);
    this.count = this.instanceOf.length;
    this.instances = this.puzzleOf.length;
    this.entrantOf = new Uint16Array(this.count);
    this.matrix = new Int32Array(this.entrants.length * this.instances).fill(-1);
    this.best = contents.campaigns.map(() => new Float64Array(this.instances).fill(Infinity));
    this.entrants.forEach(({ first, last, campaign }, entrant) => {
      this.entrantOf.fill(entrant, first, last);
      const best = this.best[campaign]!;
      for (let run = first; run < last; run++) {
        const instance = this.instanceOf[run]!;
        this.matrix[entrant * this.instances + instance] = run;
        best[instance] = Math.min(best[instance]!, this.decidedIn(run));
      }
    });
  }

  entrant = (run: number) => this.entrants[this.entrantOf[run]!]!;
  answer = (run: number) => this.contents.answers[this.runs.answer[run]!]!;
  termination = (run: number) => this.contents.terminations[this.runs.termination[run]!]!;
  message = (run: number) => this.contents.messages[this.runs.message[run]!]!;
  /** What the run left behind; empty for nothing. */
  left = (run: number) => this.contents.messages[this.runs.left[run]!]!;
  limits = (run: number) => this.contents.requests[this.runs.request[run]!]!;
  setting = (run: number) => this.contents.settings[this.runs.setting[run]!]!;
  isDecided = (run: number) => this.runs.decided[run] === 1;
  /** Seconds. */
  wall = (run: number) => this.runs.wall_s[run]!;
  /** Seconds; infinite if the run is not decided. */
  decidedIn = (run: number) => (this.isDecided(run) ? this.wall(run) : Infinity);
  /** The times of all decided runs. */
  times = () => this.runs.wall_s.filter((_, run) => this.isDecided(run));
  /** The first digits of the id in runs.jsonl. */
  id = (run: number) => this.runs.id.slice(run * ID_DIGITS, (run + 1) * ID_DIGITS).trimEnd();

  puzzle = (instance: number) => this.puzzleOf[instance]!;
  seed = (instance: number) => this.contents.instances.seed[instance]!;
  repeat = (instance: number) => this.contents.instances.repeat[instance]!;
  rows = (instance: number) => this.contents.puzzles.rows[this.puzzle(instance)]!;
  columns = (instance: number) => this.contents.puzzles.columns[this.puzzle(instance)]!;
  cells = (instance: number) => this.rows(instance) * this.columns(instance);
  /** Rows x columns. */
  size = (instance: number) => `${this.rows(instance)}x${this.columns(instance)}`;
  /** The share of cells that line solving leaves open; NaN where it is not known. */
  open = (instance: number) => this.contents.puzzles.open[this.puzzle(instance)] ?? NaN;
  /** The time of the virtual best over all campaigns; infinite if no run is decided. */
  bestTime = (instance: number) => Math.min(...this.best.map((times) => times[instance]!));

  /** The puzzle, and seed and repeat where campaigns have several. */
  name(instance: number): string {
    const [seed, repeat] = [this.seed(instance), this.repeat(instance)];
    const name = this.contents.puzzles.name[this.puzzle(instance)]!;
    return name + (seed ? `, seed ${seed}` : "") + (repeat ? `, repeat ${repeat}` : "");
  }

  /** The run of an entrant on an instance, or -1. */
  runOf = (entrant: number, instance: number) => this.matrix[entrant * this.instances + instance]!;

  /** Whether an entrant has no run on some instance. */
  lacks = (entrant: number) => this.matrix.subarray(entrant * this.instances, (entrant + 1) * this.instances).includes(-1);

  /** All runs on an instance. */
  runsOn = (instance: number) =>
    this.entrants.map((_, entrant) => this.runOf(entrant, instance)).filter((run) => run >= 0);

  /** The pictures of a run's solutions, then of its partial grid. */
  pictures(run: number): Picture[] {
    const { puzzles, inks } = this.contents;
    const instance = this.instanceOf[run]!;
    const puzzle = this.puzzle(instance);
    const end = this.ends[run]!;
    return this.contents.shown.slice(end - this.runs.pictures[run]!, end).map((number) => ({
      rows: this.rows(instance),
      columns: this.columns(instance),
      ink: inks[puzzles.inks[puzzle]![number]!]!,
      cells: puzzles.pictures[puzzle]![number]!,
    }));
  }

  /** A picture of the solution of an instance, if there is one. */
  solution(instance: number): Picture | undefined {
    const solved = this.runsOn(instance).filter((run) => this.runs.solutions[run]);
    return solved.map((run) => this.pictures(run)[0]).find((picture) => picture);
  }

  /** The statistics or conditions of a run that are known. */
  facts(run: number, group: "stats" | "conditions"): [string, number | string | boolean][] {
    const { first, [group]: facts } = this.entrant(run);
    return facts.flatMap(({ key, values }) => {
      const value = values[run - first] ?? null;
      return value === null ? [] : [[key, value] as [string, number | string | boolean]];
    });
  }
}

/** The numbers that were stored as steps. */
function sums(steps: number[]): Float64Array {
  const numbers = Float64Array.from(steps);
  for (let i = 1; i < numbers.length; i++) numbers[i]! += numbers[i - 1]!;
  return numbers;
}

/** Unpack base64 of gzip of JSON. */
export async function unpack(text: string): Promise<Data> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Data((await new Response(stream).json()) as Contents);
}
