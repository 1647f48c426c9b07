/** Everything about one run, in a dialog. */
/** @import { Data } from "./data.js" */
import { byId, element } from "./dom.js";
import { outcome } from "./describe.js";
import { count, duration, figure, mebibytes } from "./format.js";
import { captioned } from "./picture.js";

/** @typedef {[string, Node | string][]} Entries  Terms and what is said of them. */

/** @param {Data} data @param {number} run */
export function openRun(data, run) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("run"));
  byId("run-title").textContent = `${data.instanceName(data.instance(run))}: ${data.entrant(run).label}`;
  byId("run-content").replaceChildren(...content(data, run));
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

/** Make the dialog close on its button and on a click beside it. */
export function prepareDialog() {
  const dialog = /** @type {HTMLDialogElement} */ (byId("run"));
  byId("run-close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
}

/** @param {Data} data @param {number} run @returns {HTMLElement[]} */
function content(data, run) {
  const message = data.message(run);
  return [
    ...(message ? [element("p", { class: data.isDecided(run) ? "" : "bad" }, message)] : []),
    pictures(data, run),
    section("Outcome", outcomeOf(data, run)),
    section("Statistics", data.facts(run, "stats").map(([key, value]) => [key, shown(value)])),
    section("Measured", measured(data, run)),
    others(data, run),
  ];
}

/** @param {Data} data @param {number} run @returns {Entries} */
function outcomeOf(data, run) {
  const request = data.request(run);
  const most = request.bound === null ? "all" : `at most ${count(request.bound)}`;
  const bound = request.task === "count" ? `, ${most}` : "";
  return [
    ["answer", data.answer(run)],
    ["ended by", data.termination(run)],
    ["wall time", `${duration(data.wall(run))}${claimed(data, run)}${limited(request.wall, duration)}`],
    ["CPU time", `${duration(data.columns["run.cpu_s"][run])}${limited(request.cpu, duration)}`],
    ["peak memory", `${mebibytes(data.columns["run.peak_rss_bytes"][run])}${limited(request.memory, mebibytes)}`],
    ["solutions found", count(data.columns["run.solutions"][run])],
    ["task", request.task + bound],
  ];
}

/** @param {number | null} limit @param {(limit: number) => string} text @returns {string} */
function limited(limit, text) {
  return limit === null ? ", no limit" : `, limit ${text(limit)}`;
}

/** What the run's own process said, if that reads otherwise. @param {Data} data @param {number} run
 * @returns {string} */
function claimed(data, run) {
  const seconds = data.columns["run.claimed_wall_s"][run];
  const text = duration(seconds);
  return Number.isNaN(seconds) || text === duration(data.wall(run)) ? "" : ` (${text} by its own account)`;
}

/** @param {Data} data @param {number} run @returns {Entries} */
function measured(data, run) {
  const instance = data.instance(run);
  const conditions = data.facts(run, "conditions");
  const { executor, machine, versions, code } = data.setting(run);
  const left = data.left(run);
  return [
    ["campaign", data.document.campaigns[data.entrant(run).campaign]],
    ["seed", String(data.columns["instance.seed"][instance])],
    ["repeat", String(data.columns["instance.repeat"][instance])],
    ["times reliable", data.columns["run.reliable"][run] ? "yes" : "no: the run shared its core"],
    ...conditions.map(([key, value]) => /** @type {[string, string]} */ ([key, condition(key, value)])),
    ["executor", executor],
    ["machine", machine],
    ["versions", Object.entries(versions).map((entry) => entry.join(" ")).join(", ")],
    ...(code ? [/** @type {[string, Node]} */ (["code", element("code", {}, code)])] : []),
    ...(left ? [/** @type {[string, string]} */ (["left behind", left])] : []),
    ["run", element("code", {}, `${data.id(run)}…`)],
  ];
}

/** @param {string} key @param {number | string} value @returns {string} */
function condition(key, value) {
  return key === "started" ? new Date(1000 * Number(value)).toISOString() : shown(value);
}

/** @param {number | string} value @returns {string} */
function shown(value) {
  return typeof value === "number" ? figure(value) : value;
}

/** @param {string} title @param {Entries} entries */
function section(title, entries) {
  const list = element("dl", {});
  for (const [term, said] of entries) list.append(element("dt", {}, term), element("dd", {}, said));
  return element("section", {}, element("h3", {}, title), entries.length ? list : element("p", { class: "soft" }, "none"));
}

/** @param {Data} data @param {number} run */
function pictures(data, run) {
  const numbers = data.pictures(run);
  const partial = data.columns["run.partial"][run] ? numbers.length - 1 : -1;
  const total = data.columns["run.solutions"][run];
  const drawn = numbers.map((picture, i) => captioned(data, picture,
    i === partial ? "where it got stuck" : `solution ${i + 1} of ${total}`));
  return element("div", { class: "pictures large" }, ...drawn);
}

/** What the other entrants say about the same instance. @param {Data} data @param {number} run */
function others(data, run) {
  const instance = data.instance(run);
  const runs = data.entrants.map((_, entrant) => data.runOf(entrant, instance))
    .filter((other) => other >= 0 && other !== run);
  const items = runs.map((other) => element("li", {},
    element("button", { type: "button", class: "link", click: () => openRun(data, other) }, data.entrant(other).label),
    ` ${outcome(data, other)}`));
  return element("section", {}, element("h3", {}, "The same puzzle"),
    items.length ? element("ul", {}, ...items) : element("p", { class: "soft" }, "no other runs"));
}
