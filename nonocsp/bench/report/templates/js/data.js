/**
 * The campaigns as the page carries them: columns of numbers, texts once each (see page_data.py).
 *
 * @typedef {Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array} Column
 *
 * @typedef {object} Fact  One statistic or condition of an entrant's runs.
 * @property {string} key
 * @property {string} column  Its column: one entry for each of the entrant's runs.
 * @property {(string | null)[]} [texts]  If the column numbers texts.
 *
 * @typedef {object} Entrant  A backend of a campaign; its runs are those from `first` to before `last`.
 * @property {string} label
 * @property {string} backend
 * @property {number} campaign
 * @property {number} first
 * @property {number} last
 * @property {Fact[]} stats
 * @property {Fact[]} conditions
 *
 * @typedef {object} Ink  What a picture's codes mean: bits a cell, a colour for each code ("" is unknown).
 * @property {number} bits
 * @property {string} chars
 * @property {string[]} colours
 *
 * @typedef {object} Request
 * @property {string} task
 * @property {number | null} bound
 * @property {number | null} wall
 * @property {number | null} cpu
 * @property {number | null} memory
 *
 * @typedef {object} Setting
 * @property {string} executor
 * @property {string} machine
 * @property {string} code  A hash, or nothing.
 * @property {Record<string, string>} versions
 *
 * @typedef {[number, string, number | null, number | null, number | null, number, number]} ChartPoint
 *   Place on the axis and text there; low, middle and high (null: beyond the limit); runs, and undecided ones.
 *
 * @typedef {object} Series
 * @property {string} label
 * @property {number | null} entrant  Null if it is not about one.
 * @property {ChartPoint[]} points
 *
 * @typedef {object} Chart  See growth/charts.py.
 * @property {string} kind
 * @property {string} of
 * @property {string} axis
 * @property {"time" | "share"} unit
 * @property {boolean} score  Whether values are scores, not medians.
 * @property {Series[]} series
 *
 * @typedef {object} Document
 * @property {string[]} campaigns
 * @property {Entrant[]} entrants
 * @property {string[]} puzzles
 * @property {string[]} answers
 * @property {string[]} terminations
 * @property {string[]} messages
 * @property {Request[]} requests
 * @property {Setting[]} settings
 * @property {Ink[]} inks
 * @property {Chart[]} growth
 * @property {number} left_out  Pictures that there was no room for.
 */

const TYPES = {
  u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, i4: Int32Array, f4: Float32Array, f8: Float64Array,
};
const ID_DIGITS = 10;
const ALIGNMENT = 8;

/** All campaigns of the page. Runs, instances, puzzles and entrants are numbers. */
export class Data {
  /**
   * @param {Document} document
   * @param {Record<string, Column>} columns
   */
  constructor(document, columns) {
    this.document = document;
    this.columns = columns;
    this.entrants = document.entrants;
    this.runs = columns["run.instance"].length;
    this.instances = columns["instance.puzzle"].length;
    this.entrantOf = this.#entrants();
    this.matrix = this.#matrix();
    this.best = this.#bestTimes();
  }

  /** @param {number} run @returns {number} */
  instance(run) { return this.columns["run.instance"][run]; }

  /** @param {number} run @returns {number} */
  puzzle(run) { return this.columns["instance.puzzle"][this.instance(run)]; }

  /** @param {number} run @returns {Entrant} */
  entrant(run) { return this.entrants[this.entrantOf[run]]; }

  /** @param {number} run @returns {string} */
  answer(run) { return this.document.answers[this.columns["run.answer"][run]]; }

  /** @param {number} run @returns {string} */
  termination(run) { return this.document.terminations[this.columns["run.termination"][run]]; }

  /** @param {number} run @returns {string} */
  message(run) { return this.document.messages[this.columns["run.message"][run]]; }

  /** @param {number} run @returns {string} What the run left behind; empty for nothing. */
  left(run) { return this.document.messages[this.columns["run.left"][run]]; }

  /** @param {number} run @returns {Request} */
  request(run) { return this.document.requests[this.columns["run.request"][run]]; }

  /** @param {number} run @returns {Setting} */
  setting(run) { return this.document.settings[this.columns["run.setting"][run]]; }

  /** @param {number} run @returns {boolean} */
  isDecided(run) { return this.columns["run.decided"][run] === 1; }

  /** @param {number} run @returns {number} Seconds. */
  wall(run) { return this.columns["run.wall_s"][run]; }

  /** @param {number} run @returns {number} Seconds; infinite if the run is not decided. */
  decidedIn(run) { return this.isDecided(run) ? this.wall(run) : Infinity; }

  /** @param {number} puzzle @returns {string} Rows x columns. */
  size(puzzle) { return `${this.columns["puzzle.rows"][puzzle]}x${this.columns["puzzle.columns"][puzzle]}`; }

  /** @param {number} puzzle @returns {number} */
  cells(puzzle) { return this.columns["puzzle.rows"][puzzle] * this.columns["puzzle.columns"][puzzle]; }

  /** @param {number} run @returns {string} The first digits of the id in runs.jsonl. */
  id(run) {
    const digits = this.columns["run.id"].subarray(run * ID_DIGITS, (run + 1) * ID_DIGITS);
    return String.fromCharCode(...digits).trimEnd();
  }

  /** The name of an instance: its puzzle, and seed and repeat where campaigns have several.
   * @param {number} instance @returns {string} */
  instanceName(instance) {
    const puzzle = this.columns["instance.puzzle"][instance];
    const seed = this.columns["instance.seed"][instance];
    const repeat = this.columns["instance.repeat"][instance];
    return this.document.puzzles[puzzle] + (seed ? `, seed ${seed}` : "") + (repeat ? `, repeat ${repeat}` : "");
  }

  /** @param {number} entrant @param {number} instance @returns {number} The run, or -1. */
  runOf(entrant, instance) { return this.matrix[entrant * this.instances + instance]; }

  /** @param {number} run @returns {number[]} The pictures of its solutions, then of its partial grid. */
  pictures(run) {
    const ends = this.columns["run.pictures"];
    return Array.from(this.columns["shown.picture"].subarray(ends[run], ends[run + 1]));
  }

  /** @param {number} instance @returns {number} A picture of its solution, or -1. */
  solution(instance) {
    for (let entrant = 0; entrant < this.entrants.length; entrant++) {
      const run = this.runOf(entrant, instance);
      if (run < 0 || !this.columns["run.solutions"][run]) continue;
      const [first] = this.pictures(run);
      if (first !== undefined) return first;
    }
    return -1;
  }

  /** @param {number} run @param {"stats" | "conditions"} group @returns {[string, number | string][]} */
  facts(run, group) {
    const { first, [group]: facts } = this.entrant(run);
    /** @type {[string, number | string | null][]} */
    const all = facts.map(({ key, column, texts }) => {
      const value = this.columns[column][run - first];
      return [key, texts ? texts[value] : value];
    });
    return /** @type {[string, number | string][]} */ (
      all.filter(([, value]) => value !== null && !Number.isNaN(value))
    );
  }

  #entrants() {
    const numbers = new Uint16Array(this.runs);
    this.entrants.forEach(({ first, last }, number) => numbers.fill(number, first, last));
    return numbers;
  }

  #matrix() {
    const matrix = new Int32Array(this.entrants.length * this.instances).fill(-1);
    for (let run = 0; run < this.runs; run++) {
      matrix[this.entrantOf[run] * this.instances + this.instance(run)] = run;
    }
    return matrix;
  }

  /** For each campaign, each instance's shortest time of a decided run: the virtual best. */
  #bestTimes() {
    const best = this.document.campaigns.map(() => new Float64Array(this.instances).fill(Infinity));
    for (let run = 0; run < this.runs; run++) {
      const times = best[this.entrant(run).campaign];
      times[this.instance(run)] = Math.min(times[this.instance(run)], this.decidedIn(run));
    }
    return best;
  }
}

/**
 * Unpack what container.py packed.
 *
 * @param {string} text
 * @returns {Promise<Data>}
 */
export async function unpack(text) {
  const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
  const buffer = await new Response(stream).arrayBuffer();
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const start = Math.ceil((4 + length) / ALIGNMENT) * ALIGNMENT;
  /** @type {Record<string, Column>} */
  const columns = {};
  for (const [name, [type, offset, count]] of Object.entries(header.columns)) {
    columns[name] = new TYPES[/** @type {keyof TYPES} */ (type)](buffer, start + offset, count);
  }
  return new Data(header.document, columns);
}

/** @param {string} base64 @returns {Uint8Array<ArrayBuffer>} */
function bytesOf(base64) {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
