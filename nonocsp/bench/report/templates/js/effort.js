/** Time against difficulty and size: every run a dot, and the median of each entrant as a line. */
/** @import { Data } from "./data.js" */
/** @import { Plot } from "./plot.js" */
/** @import { Scale } from "./scale.js" */
import { byId, choice, leaveOut } from "./dom.js";
import { describeRun } from "./describe.js";
import { count } from "./format.js";
import { openRun } from "./run.js";
import { curve, dots, ground, keepDrawn } from "./plot.js";
import { logCount, logTime, sharesByRank, withUndecided } from "./scale.js";
import { dash, legend, stroke } from "./selection.js";

const HEIGHT = 420;
const MAX_DOTS = 1500;
const BINS = 10;
const SPREAD = 40;
const GOLDEN = 0.618034;

/**
 * @typedef {object} Measure  What a puzzle is ranked by.
 * @property {string} name
 * @property {(instance: number) => number} of  NaN where it is not known.
 * @property {(values: number[]) => Scale} scale
 */

/** @param {Data} data @param {import("./selection.js").Selection} selection */
export function showEffort(data, selection) {
  const usable = measures(data).filter(({ of }) => isVaried(data, of));
  if (!usable.length) {
    leaveOut("effort");
    return;
  }
  let [measure] = usable;
  const redraw = keepDrawn(byId("effort-plot"), (width) => draw(data, measure, selection.shown, width));
  selection.onChange(redraw);
  const options = usable.map(({ name }) => /** @type {[string, string]} */ ([name, name]));
  byId("effort-choices").append(choice("across", options, measure.name, (value) => {
    measure = usable.find(({ name }) => name === value) ?? measure;
    redraw();
  }));
  byId("effort-legend").append(legend(data, selection, () => ""));
  tellSampling(data);
}

/** @param {Data} data @returns {Measure[]} */
function measures(data) {
  const puzzleOf = data.columns["instance.puzzle"];
  return [
    { name: "cells open after line solving", of: (i) => data.columns["puzzle.open"][puzzleOf[i]], scale: sharesByRank },
    { name: "cells of the puzzle", of: (i) => data.cells(puzzleOf[i]), scale: logCount },
    { name: "time of the virtual best", of: (i) => finite(Math.min(...data.best.map((times) => times[i]))), scale: logTime },
  ];
}

/** @param {number} value @returns {number} */
function finite(value) {
  return value === Infinity ? NaN : value;
}

/** @param {Data} data @param {(instance: number) => number} of */
function isVaried(data, of) {
  let first = NaN;
  for (let instance = 0; instance < data.instances; instance++) {
    const value = of(instance);
    if (Number.isNaN(first)) first = value;
    else if (value !== first && !Number.isNaN(value)) return true;
  }
  return false;
}

/** @param {Data} data @param {Measure} measure @param {number[]} shown @param {number} width @returns {Plot} */
function draw(data, measure, shown, width) {
  const known = shown.map((entrant) => runsWith(data, measure, entrant));
  const values = known.flatMap((runs) => runs.map((run) => measure.of(data.instance(run))));
  const x = measure.scale(values);
  const y = withUndecided(logTime(data.columns["run.wall_s"].filter((_, run) => data.isDecided(run))));
  const { svg, place } = ground(width, HEIGHT, { scale: x, title: measure.name }, { scale: y, title: "wall time" });
  /** @param {number} run */
  const placeOf = (run) => {
    const [across, up] = place(measure.of(data.instance(run)), data.decidedIn(run));
    return /** @type {[number, number]} */ ([across + beside(run), up]);
  };
  const drawn = known.map((runs) => thinned(runs));
  const isDiscrete = new Set(values).size <= BINS;
  /** How far a dot stands beside its value, so that those of different entrants can be told apart.
   * @param {number} run */
  const beside = (run) => {
    const column = (shown.indexOf(data.entrantOf[run]) + ((run * GOLDEN) % 1)) / shown.length;
    return isDiscrete ? Math.min(SPREAD, width / 28) * (column - 0.5) : 0;
  };
  shown.forEach((entrant, i) => svg.append(dots(drawn[i].map(placeOf), `${stroke(data, entrant)} faint`)));
  shown.forEach((entrant, i) => {
    const medians = mediansOf(data, measure, known[i]).map(([value, time]) => place(value, time));
    if (medians.length > 1) svg.append(curve(medians, `${stroke(data, entrant)} ${dash(data, entrant)}`));
  });
  const points = drawn.flat();
  return {
    svg,
    points: {
      count: points.length,
      place: (point) => placeOf(points[point]),
      describe: (point) => describeRun(data, points[point]),
      open: (point) => openRun(data, points[point]),
    },
  };
}

/** @param {Data} data @param {Measure} measure @param {number} entrant @returns {number[]} */
function runsWith(data, measure, entrant) {
  const { first, last } = data.entrants[entrant];
  const runs = [];
  for (let run = first; run < last; run++) {
    if (!Number.isNaN(measure.of(data.instance(run)))) runs.push(run);
  }
  return runs;
}

/** @param {number[]} runs @returns {number[]} Evenly chosen ones, if they are too many. */
function thinned(runs) {
  const step = Math.ceil(runs.length / MAX_DOTS) || 1;
  return runs.filter((_, i) => i % step === 0);
}

/**
 * Runs in bins of equally many by the measure (one for each value where those are few): the median value and
 * the median time of each, undecided counting as longest.
 *
 * @param {Data} data @param {Measure} measure @param {number[]} runs
 * @returns {[number, number][]}
 */
function mediansOf(data, measure, runs) {
  const pairs = runs.map((run) => /** @type {[number, number]} */ ([measure.of(data.instance(run)), data.decidedIn(run)]));
  pairs.sort((a, b) => a[0] - b[0]);
  return binned(pairs).map((bin) => [bin[bin.length >> 1][0], median(bin.map(([, time]) => time))]);
}

/** Equal values stay together. @param {[number, number][]} pairs  Sorted. @returns {[number, number][][]} */
function binned(pairs) {
  const values = [...new Set(pairs.map(([value]) => value))];
  if (values.length <= BINS) return values.map((wanted) => pairs.filter(([value]) => value === wanted));
  /** @type {[number, number][][]} */
  const bins = [];
  for (const pair of pairs) {
    const bin = bins[bins.length - 1];
    const isFull = !bin || bin.length >= pairs.length / BINS;
    if (isFull && bin?.[bin.length - 1][0] !== pair[0]) bins.push([pair]);
    else bin.push(pair);
  }
  return bins;
}

/** @param {number[]} times @returns {number} The lower one of the two in the middle. */
function median(times) {
  return times.sort((a, b) => (a < b ? -1 : Number(a > b)))[(times.length - 1) >> 1];
}

/** @param {Data} data */
function tellSampling(data) {
  const most = Math.max(...data.entrants.map(({ first, last }) => last - first));
  if (most <= MAX_DOTS) return;
  byId("effort-note").textContent += ` Of ${count(most)} runs of a backend, every `
    + `${Math.ceil(most / MAX_DOTS)}th is a dot; the lines are over all.`;
}
