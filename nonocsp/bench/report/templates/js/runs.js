/** The table of all runs: filtered, sorted, a page at a time. */
/** @import { Data } from "./data.js" */
/** @import { Direction } from "./sorting.js" */
import { byId, choice, element, labelled } from "./dom.js";
import { count, duration, mebibytes, plural } from "./format.js";
import { openRun } from "./run.js";
import { compare, sortable } from "./sorting.js";

const PAGE = 50;
const ANY = "";

/**
 * @typedef {object} Filter  What is chosen; `ANY` is no choice.
 * @property {string} text  Part of the puzzle's name or the message, in lower case.
 * @property {string} entrant
 * @property {string} answer
 * @property {string} termination
 *
 * @typedef {object} RunColumn
 * @property {string} name
 * @property {(run: number) => string} text
 * @property {(run: number) => number | string} value  What it is sorted by.
 */

/** The runs that pass the filter, in their order, and the page of them that is shown. */
export class RunsTable {
  /** @param {Data} data */
  constructor(data) {
    this.data = data;
    /** @type {Filter} */
    this.filter = { text: "", entrant: ANY, answer: ANY, termination: ANY };
    this.columns = columnsOf(data);
    this.rank = Uint32Array.from({ length: data.runs }, (_, run) => run);
    this.page = 0;
    this.names = data.document.puzzles.map((name) => name.toLowerCase());
    this.messages = data.document.messages.map((message) => message.toLowerCase());
    this.matching = this.rank;
    this.#buildHead();
    this.#buildFilters();
    this.#buildPager();
    this.#showPage();
    const { left_out: leftOut } = data.document;
    if (leftOut) byId("runs-note").append(` ${plural(leftOut, "picture")} left out to keep the page small.`);
  }

  get pages() { return Math.max(1, Math.ceil(this.matching.length / PAGE)); }

  #buildHead() {
    const heads = this.columns.map((column) => {
      const head = element("th", { scope: "col" }, column.name);
      sortable(head, (direction) => this.#sort(column, direction));
      return head;
    });
    byId("runs-head").replaceChildren(element("tr", {}, ...heads));
  }

  #buildFilters() {
    const { entrants, document: { answers, terminations } } = this.data;
    /** @param {"entrant" | "answer" | "termination"} key @param {string} label @param {[string, string][]} options */
    const chooser = (key, label, options) => choice(label, [[ANY, "any"], ...options], ANY, (value) => {
      this.filter[key] = value;
      this.#select();
    });
    /** @param {string[]} names @returns {[string, string][]} */
    const byName = (names) => names.map((name) => [name, name]);
    byId("runs-filters").append(
      labelled("text", element("input", {
        type: "search", placeholder: "puzzle or message", input: (event) => {
          this.filter.text = event.target.value.toLowerCase();
          this.#select();
        },
      })),
      chooser("entrant", "backend", entrants.map(({ label }, number) => [`${number}`, label])),
      chooser("answer", "answer", byName(answers)),
      chooser("termination", "ended by", byName(terminations)));
  }

  #buildPager() {
    /** @param {string} text @param {() => number} target */
    const button = (text, target) => element("button", { type: "button", click: () => {
      this.page = Math.max(0, Math.min(target(), this.pages - 1));
      this.#showPage();
    } }, text);
    byId("runs-pager").append(button("first", () => 0), button("previous", () => this.page - 1),
      button("next", () => this.page + 1), button("last", () => this.pages - 1));
  }

  /** @param {RunColumn} column @param {Direction} direction */
  #sort(column, direction) {
    const sign = direction === "ascending" ? 1 : -1;
    const order = orderBy(column, this.data.runs);
    this.rank = this.rank.map((_, run) => run).sort((a, b) => sign * order(a, b) || a - b);
    this.#select();
  }

  #select() {
    this.matching = this.rank.filter(this.#test());
    this.page = 0;
    this.#showPage();
  }

  /** @returns {(run: number) => boolean} */
  #test() {
    const { data, filter: { text, entrant, answer, termination } } = this;
    const inName = this.names.map((name) => name.includes(text));
    const inMessage = this.messages.map((message) => message.includes(text));
    return (run) => (entrant === ANY || data.entrantOf[run] === Number(entrant))
      && (answer === ANY || data.answer(run) === answer)
      && (termination === ANY || data.termination(run) === termination)
      && (inName[data.puzzle(run)] || inMessage[data.columns["run.message"][run]]);
  }

  #showPage() {
    const first = this.page * PAGE;
    const runs = Array.from(this.matching.subarray(first, first + PAGE));
    byId("runs-body").replaceChildren(...runs.map((run) => this.#row(run)));
    byId("runs-count").textContent = runs.length
      ? `${count(first + 1)} to ${count(first + runs.length)} of ${plural(this.matching.length, "run")}`
      : "no run matches";
  }

  /** @param {number} run */
  #row(run) {
    const [puzzle, ...others] = this.columns;
    const button = element("button", { type: "button", class: "link", click: () => openRun(this.data, run) },
      puzzle.text(run));
    return element("tr", { class: this.data.isDecided(run) ? "" : "undecided" },
      element("th", { scope: "row" }, button), ...others.map(({ text }) => element("td", {}, text(run))));
  }
}

/** How two runs compare by a column: quickly for numbers, of which there may be a hundred thousand.
 * @param {RunColumn} column @param {number} runs @returns {(a: number, b: number) => number} */
function orderBy(column, runs) {
  const values = Array.from({ length: runs }, (_, run) => column.value(run));
  if (values.some((value) => typeof value === "string")) return (a, b) => compare(values[a], values[b]);
  const numbers = Float64Array.from(/** @type {number[]} */ (values));
  return (a, b) => numbers[a] - numbers[b];
}

/** @param {Data} data @returns {RunColumn[]} */
function columnsOf(data) {
  const { columns } = data;
  /** @param {string} name @param {(run: number) => string} text @returns {RunColumn} */
  const textual = (name, text) => ({ name, text, value: text });
  return [
    textual("puzzle", (run) => data.instanceName(data.instance(run))),
    { name: "size", text: (run) => data.size(data.puzzle(run)), value: (run) => data.cells(data.puzzle(run)) },
    { name: "backend", text: (run) => data.entrant(run).label, value: (run) => data.entrantOf[run] },
    textual("answer", (run) => data.answer(run)),
    textual("ended by", (run) => data.termination(run)),
    { name: "wall", text: (run) => duration(data.wall(run)), value: (run) => data.wall(run) },
    { name: "CPU", text: (run) => duration(columns["run.cpu_s"][run]), value: (run) => columns["run.cpu_s"][run] },
    { name: "memory", text: (run) => mebibytes(columns["run.peak_rss_bytes"][run]), value: (run) => columns["run.peak_rss_bytes"][run] || 0 },
  ];
}
