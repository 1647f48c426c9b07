/** The heat map: entrants down, instances across, the time of each run as a colour. */
/** @import { Data } from "./data.js" */
/** @import { Plot } from "./plot.js" */
import { byId, choice, element, shape } from "./dom.js";
import { describeInstance, describeRun } from "./describe.js";
import { count, duration, plural } from "./format.js";
import { openRun } from "./run.js";
import { keepDrawn, sheet } from "./plot.js";
import { logTime } from "./scale.js";

const LEVELS = 10;
const ROW = 24;
const TOP = 6;
const BOTTOM = 26;
const NAME_LETTERS = 26;
const LETTER = 7;
const NAMES = /** @type {Record<string, string>} */ ({
  undecided: "ended by itself, undecided", limit: "cut off by a limit", broken: "crashed or killed",
  unsupported: "unsupported", none: "no run",
});
/** @type {Record<string, string>} */
const ENDINGS = {
  ok: "undecided", wall: "limit", cpu: "limit", memory: "limit", crashed: "broken", killed: "broken",
  unsupported: "unsupported",
};
/** @type {Record<string, string>} */
const ORDERS = { best: "easiest first (virtual best)", plan: "as in the campaign", size: "smallest first" };

/**
 * @typedef {object} Field  What an entrant did with one instance or several, at its upper left corner.
 * @property {number} x
 * @property {number} y
 * @property {number} side
 * @property {number} run  The run of the median time, or -1.
 * @property {number[]} bucket  The instances.
 */

/** @param {Data} data @param {import("./selection.js").Selection} selection */
export function showHeatMap(data, selection) {
  let order = "best";
  const scale = logTime(data.columns["run.wall_s"].filter((_, run) => data.isDecided(run)));
  const redraw = keepDrawn(byId("heat-plot"), (width) => draw(data, selection.shown, sorted(data, order), scale, width));
  selection.onChange(redraw);
  byId("heat-choices").append(choice("instances", Object.entries(ORDERS), order, (value) => {
    order = value;
    redraw();
  }));
  byId("heat-legend").append(...key(data, scale));
}

/** @param {Data} data @param {string} order @returns {number[]} The instances. */
function sorted(data, order) {
  const instances = Array.from({ length: data.instances }, (_, i) => i);
  /** @param {number} instance */
  const rank = (instance) => (order === "size" ? data.cells(data.columns["instance.puzzle"][instance])
    : Math.min(...data.best.map((times) => times[instance])));
  if (order === "plan") return instances;
  const ranks = instances.map(rank);
  return instances.sort((a, b) => (ranks[a] === ranks[b] ? a - b : ranks[a] - ranks[b]));
}

/**
 * @param {Data} data @param {number[]} shown @param {number[]} instances
 * @param {import("./scale.js").Scale} scale @param {number} width
 * @returns {Plot}
 */
function draw(data, shown, instances, scale, width) {
  const longest = Math.max(...shown.map((entrant) => data.entrants[entrant].label.length), 1);
  const letters = Math.min(longest, NAME_LETTERS, Math.floor(width / 3 / LETTER));
  const left = letters * LETTER + 12;
  const buckets = bucketsOf(instances, Math.floor(width - left));
  const side = (width - left) / buckets.length;
  const found = shown.flatMap((entrant, row) => buckets.map((bucket, i) => (
    { x: left + i * side, y: TOP + row * ROW, side, run: middle(data, entrant, bucket), bucket })));
  const svg = sheet(width, TOP + shown.length * ROW + BOTTOM);
  svg.append(
    ...shown.map((entrant, row) => shape("text",
      { x: left - 8, y: TOP + (row + 0.5) * ROW + 4, "text-anchor": "end" },
      shortened(data.entrants[entrant].label, letters))),
    ...coloured(data, found, scale),
    shape("text", { class: "title", x: width / 2, y: TOP + shown.length * ROW + 18, "text-anchor": "middle" },
      caption(instances.length, buckets.length)));
  return { svg, points: pointsOf(data, found) };
}

/** The instances in at most so many groups of neighbours, equally large.
 * @param {number[]} instances @param {number} most @returns {number[][]} */
function bucketsOf(instances, most) {
  const count = Math.max(1, Math.min(instances.length, most));
  return Array.from({ length: count }, (_, i) => instances.slice(
    Math.floor((i * instances.length) / count), Math.floor(((i + 1) * instances.length) / count)));
}

/** All fields, those of one colour as one path.
 * @param {Data} data @param {Field[]} fields @param {import("./scale.js").Scale} scale */
function coloured(data, fields, scale) {
  /** @type {Map<string, string>} */
  const paths = new Map();
  for (const { x, y, side, run } of fields) {
    const style = run < 0 ? "none" : styleOf(data, run, scale);
    const outline = `M${x.toFixed(2)} ${y}h${side.toFixed(2)}v${ROW - 2}h${(-side).toFixed(2)}z`;
    paths.set(style, (paths.get(style) ?? "") + outline);
  }
  return [...paths].map(([style, path]) => shape("path", { class: `heat ${style}`, d: path }));
}

/** @param {Data} data @param {Field[]} fields @returns {import("./plot.js").Points} */
function pointsOf(data, fields) {
  return {
    count: fields.length,
    reach: Infinity,
    place: (point) => [fields[point].x + fields[point].side / 2, fields[point].y + ROW / 2 - 1],
    describe: (point) => {
      const { run, bucket } = fields[point];
      const said = run < 0 ? [...describeInstance(data, bucket[0]), "no run"] : describeRun(data, run);
      return bucket.length > 1 ? [`the median of ${bucket.length} instances:`, ...said] : said;
    },
    open: (point) => { if (fields[point].run >= 0) openRun(data, fields[point].run); },
  };
}

/** @param {number} instances @param {number} cells @returns {string} */
function caption(instances, cells) {
  const each = Math.ceil(instances / cells);
  return plural(instances, "instance") + (each > 1 ? `; a column is the median of about ${count(each)}` : "");
}

/** The run of the median time, undecided ones last. @param {Data} data @param {number} entrant
 * @param {number[]} bucket @returns {number} A run, or -1. */
function middle(data, entrant, bucket) {
  const runs = bucket.map((instance) => data.runOf(entrant, instance)).filter((run) => run >= 0);
  if (runs.length < 2) return runs[0] ?? -1;
  const times = new Map(runs.map((run) => [run, data.decidedIn(run)]));
  runs.sort((a, b) => ((times.get(a) ?? 0) < (times.get(b) ?? 0) ? -1 : 1));
  return runs[Math.floor((runs.length - 1) / 2)];
}

/** @param {Data} data @param {number} run @param {import("./scale.js").Scale} scale @returns {string} */
function styleOf(data, run, scale) {
  if (!data.isDecided(run)) return ENDINGS[data.termination(run)] ?? "broken";
  return `h${Math.min(LEVELS - 1, Math.floor(scale.share(data.wall(run)) * LEVELS))}`;
}

/** What the colours mean. @param {Data} data @param {import("./scale.js").Scale} scale */
function key(data, scale) {
  const ramp = Array.from({ length: LEVELS }, (_, i) => box(`h${i}`));
  const met = new Set();
  for (let run = 0; run < data.runs; run++) if (!data.isDecided(run)) met.add(ENDINGS[data.termination(run)]);
  if (data.matrix.includes(-1)) met.add("none");
  return [
    element("span", {}, duration(scale.low), " ", ...ramp, " ", duration(scale.high)),
    ...Object.keys(NAMES).filter((style) => met.has(style))
      .map((style) => element("span", {}, box(style), " ", NAMES[style])),
  ];
}

/** @param {string} style @returns {SVGElement} */
function box(style) {
  return shape("svg", { viewBox: "0 0 12 12", class: "box", "aria-hidden": "true" },
    shape("rect", { class: `heat ${style}`, width: 12, height: 12 }));
}

/** @param {string} text @param {number} letters @returns {string} */
function shortened(text, letters) {
  return text.length <= letters ? text : `${text.slice(0, Math.max(1, letters - 1))}…`;
}
