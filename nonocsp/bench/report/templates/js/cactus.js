/** The cactus plot: how many runs each entrant decides within a given time. */
/** @import { Data } from "./data.js" */
/** @import { Plot } from "./plot.js" */
import { byId } from "./dom.js";
import { describeRun } from "./describe.js";
import { openRun } from "./run.js";
import { curve, dots, ground, keepDrawn } from "./plot.js";
import { linear, logTime } from "./scale.js";
import { dash, legend, stroke } from "./selection.js";

const HEIGHT = 420;

/** @param {Data} data @param {import("./selection.js").Selection} selection */
export function showCactus(data, selection) {
  const runs = data.entrants.map(({ first, last }) => decidedRuns(data, first, last));
  const best = data.best.map((times) => Array.from(times).filter(Number.isFinite).sort((a, b) => a - b));
  const redraw = keepDrawn(byId("cactus-plot"), (width) => draw(data, runs, best, selection.shown, width));
  selection.onChange(redraw);
  byId("cactus-legend").append(legend(data, selection, (entrant) => `(${runs[entrant].length})`));
}

/** @param {Data} data @param {number} first @param {number} last @returns {number[]} The fastest first. */
function decidedRuns(data, first, last) {
  const runs = [];
  for (let run = first; run < last; run++) if (data.isDecided(run)) runs.push(run);
  return runs.sort((a, b) => data.wall(a) - data.wall(b));
}

/**
 * @param {Data} data @param {number[][]} runs @param {number[][]} best @param {number[]} shown
 * @param {number} width
 * @returns {Plot}
 */
function draw(data, runs, best, shown, width) {
  const drawn = shown.map((entrant) => sampled(runs[entrant], width));
  const most = Math.max(1, ...shown.map((entrant) => runs[entrant].length), ...best.map((times) => times.length));
  const every = drawn.flat().map(([, run]) => data.wall(run));
  const { svg, place } = ground(width, HEIGHT,
    { scale: linear(most), title: "runs decided" }, { scale: logTime(every), title: "wall time of a run" });
  for (const times of best) {
    svg.append(curve(sampled(times, width).map(([count, time]) => place(count, time)), "virtual-best"));
  }
  shown.forEach((entrant, i) => {
    const places = drawn[i].map(([count, run]) => place(count, data.wall(run)));
    svg.append(curve(places, `${stroke(data, entrant)} ${dash(data, entrant)}`),
      dots(places.slice(-1), stroke(data, entrant)));
  });
  const points = drawn.flat();
  return {
    svg,
    points: {
      count: points.length,
      place: (point) => place(points[point][0], data.wall(points[point][1])),
      describe: (point) => {
        const [count, run] = points[point];
        return [`${data.entrant(run).label} decides ${count} within this time; the last:`, ...describeRun(data, run)];
      },
      open: (point) => openRun(data, points[point][1]),
    },
  };
}

/**
 * As many of the values as there are pixels, each with its place counted from 1; the last one always.
 *
 * @template T
 * @param {T[]} values @param {number} pixels
 * @returns {[number, T][]}
 */
function sampled(values, pixels) {
  const step = Math.max(1, Math.floor(values.length / pixels));
  /** @type {[number, T][]} */
  const chosen = [];
  for (let i = 0; i < values.length; i += step) chosen.push([i + 1, values[i]]);
  if (values.length && (values.length - 1) % step) chosen.push([values.length, values[values.length - 1]]);
  return chosen;
}
