/** Growth: lines with bands over sizes, densities or the values of an option, as growth/charts.py computes them. */
/** @import { Chart, ChartPoint, Data, Series } from "./data.js" */
/** @import { Plot } from "./plot.js" */
import { byId, choice, element } from "./dom.js";
import { duration, percent, plural } from "./format.js";
import { band, curve, dots, ground, keepDrawn } from "./plot.js";
import { logTime, marked, shares, withUndecided } from "./scale.js";
import { dash, legend, stroke } from "./selection.js";

const HEIGHT = 420;
const COLOURS = 8;
const DASHES = 4;
/** @type {Record<string, string>} */
const NOTES = {
  time: "A line joins the medians; its band holds the middle half of the runs. A run that hit a limit is not dropped: "
    + "it counts as longer than every decided one. A dot under \"not decided\" marks a value where some runs were not decided.",
  share: "A line joins the shares; its band is their 95 % interval, wider where not every puzzle is known.",
};

/** @param {Data} data @param {import("./selection.js").Selection} selection */
export function showGrowth(data, selection) {
  const charts = data.document.growth;
  if (!charts.length) return;
  let [chart] = charts;
  const redraw = keepDrawn(byId("growth-plot"), (width) => draw(data, chart, selection.shown, width));
  const backends = legend(data, selection, () => "");
  const others = element("div", { class: "key" });
  byId("growth-legend").append(backends, others);
  selection.onChange(redraw);
  /** @param {Chart} chosen */
  const show = (chosen) => {
    chart = chosen;
    const isOfBackends = chart.series.every(({ entrant }) => entrant !== null);
    backends.hidden = !isOfBackends;
    others.hidden = isOfBackends;
    others.replaceChildren(...(isOfBackends ? [] : chart.series.map(({ label }, i) => key(label, i))));
    byId("growth-note").textContent = chart.score
      ? "PAR-2 is the mean time, where an undecided run counts twice its limit. Each line is one setting of the other options."
      : NOTES[chart.unit];
    redraw();
  };
  const kinds = [...new Set(charts.map(({ kind }) => kind))];
  /** @param {string} kind */
  const among = (kind) => {
    const own = charts.filter((one) => one.kind === kind);
    const middle = own[own.length >> 1];
    const options = own.map(({ of }) => /** @type {[string, string]} */ ([of, of]));
    places.replaceChildren(choice("of", options, middle.of, (of) => show(own.find((one) => one.of === of) ?? middle)));
    show(middle);
  };
  const places = element("span");
  byId("growth-choices").append(
    choice("show", kinds.map((kind) => /** @type {[string, string]} */ ([kind, kind])), kinds[0], among), places);
  among(kinds[0]);
}

/** @param {Data} data @param {Series} series @param {number} number  Of the series. */
function styleOf(data, { entrant }, number) {
  if (entrant !== null) return { colour: stroke(data, entrant), dashes: dash(data, entrant) };
  return { colour: `s${number % COLOURS}`, dashes: `d${number % DASHES}` };
}

/** @param {string} label @param {number} number */
function key(label, number) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 34 10");
  svg.setAttribute("class", "swatch");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
  line.setAttribute("class", `curve s${number % COLOURS} d${number % DASHES}`);
  line.setAttribute("d", "M0 5h34");
  svg.append(line);
  return element("span", {}, svg, label);
}

/** @param {Data} data @param {Chart} chart @param {number[]} shown @param {number} width @returns {Plot} */
function draw(data, chart, shown, width) {
  const series = chart.series.map((one, number) => ({ ...one, ...styleOf(data, one, number) }))
    .filter(({ entrant }) => entrant === null || shown.includes(entrant));
  const every = chart.series.flatMap(({ points }) => points);
  const texts = new Map(every.map(([x, text]) => [x, text]));
  const x = marked([...texts].sort(([a], [b]) => a - b).map(([value, text]) => ({ value, text })));
  const isTime = chart.unit === "time";
  const times = every.flatMap(([, , low, middle, high]) => [low, middle, high].filter((value) => value !== null));
  const hasCut = !chart.score && every.some(([, , , , , , undecided]) => undecided);
  const scale = logTime(times);
  const y = isTime ? (hasCut ? withUndecided(scale) : scale) : shares;
  const title = chart.score ? "PAR-2" : isTime ? "time" : "share";
  const { svg, place } = ground(width, HEIGHT, { scale: x, title: chart.axis }, { scale: y, title });
  /** @param {number} at @param {number | null} value */
  const at = (at, value) => place(at, value ?? Infinity);
  for (const { points, colour } of series) {
    if (points.some(([, , low, , high]) => low !== high)) {
      svg.append(band(points.map(([p, , low]) => at(p, low)), points.map(([p, , , , high]) => at(p, high)), colour));
    }
  }
  for (const { points, colour, dashes } of series) {
    const known = points.filter(([, , , middle]) => isTime || middle !== null);
    const middles = known.map(([p, , , middle]) => at(p, middle));
    svg.append(curve(middles, `${colour} ${dashes}`), dots(middles, colour));
    if (isTime) {
      const cut = points.filter(([, , , , , , undecided]) => hasCut && undecided).map(([p]) => at(p, null));
      svg.append(dots(cut, `${colour} faint`));
    }
  }
  const all = series.flatMap(({ label, points }) => points.map((point) => ({ label, point })));
  return {
    svg,
    points: {
      count: all.length,
      place: (i) => at(all[i].point[0], isTime ? all[i].point[3] : all[i].point[3] ?? 0),
      describe: (i) => describe(chart, all[i].label, all[i].point),
    },
  };
}

/** @param {Chart} chart @param {string} label @param {ChartPoint} point @returns {string[]} */
function describe(chart, label, [, text, low, middle, high, runs, undecided]) {
  const isTime = chart.unit === "time";
  /** @param {number | null} value */
  const written = (value) => {
    if (value === null) return isTime ? "not decided" : "not known";
    return isTime ? duration(value) : percent(value);
  };
  const range = low === high ? "" : ` (${written(low)} to ${written(high)})`;
  const what = chart.kind.startsWith("puzzles") ? "puzzle" : "run";
  const cut = undecided ? `, ${undecided} ${isTime ? "not decided" : "not known"}` : "";
  return [label, `${chart.axis} ${text}: ${written(middle)}${range}`, `${plural(runs, what)}${cut}`];
}
