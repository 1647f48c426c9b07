/** The scatter plot: the times of any two entrants on the same instances. */
/** @import { Data } from "./data.js" */
/** @import { Plot } from "./plot.js" */
import { byId, choice, leaveOut, shape } from "./dom.js";
import { describeInstance, outcome } from "./describe.js";
import { count, plural } from "./format.js";
import { openRun } from "./run.js";
import { dots, ground, keepDrawn } from "./plot.js";
import { logTime, withUndecided } from "./scale.js";

const MAX_HEIGHT = 620;

/** @param {Data} data */
export function showScatter(data) {
  if (data.entrants.length < 2) {
    leaveOut("scatter");
    return;
  }
  const axes = firstTwo(data);
  const redraw = keepDrawn(byId("scatter-plot"), (width) => draw(data, axes, width));
  const options = data.entrants.map(({ label }, entrant) => /** @type {[string, string]} */ ([`${entrant}`, label]));
  /** @param {"x" | "y"} axis */
  const chooser = (axis) => choice(axis === "x" ? "across" : "upwards", options, `${axes[axis]}`, (value) => {
    axes[axis] = Number(value);
    redraw();
    tell();
  });
  const tell = () => byId("scatter-tally").replaceChildren(tally(data, axes));
  byId("scatter-choices").append(chooser("x"), chooser("y"));
  tell();
}

/** The first backend in the first and the last campaign, or else the two that decide most.
 * @param {Data} data @returns {{x: number, y: number}} */
function firstTwo({ entrants, columns }) {
  const again = entrants.findLastIndex(({ backend, campaign }) => campaign && backend === entrants[0].backend);
  if (again >= 0) return { x: 0, y: again };
  const decided = entrants.map(({ first, last }) => {
    let sum = 0;
    for (let run = first; run < last; run++) sum += columns["run.decided"][run];
    return sum;
  });
  const [x, y] = entrants.map((_, i) => i).sort((a, b) => decided[b] - decided[a]);
  return { x, y };
}

/** The instances that both entrants ran. @param {Data} data @param {{x: number, y: number}} axes */
function common(data, { x, y }) {
  const runs = [];
  for (let instance = 0; instance < data.instances; instance++) {
    const [a, b] = [data.runOf(x, instance), data.runOf(y, instance)];
    if (a >= 0 && b >= 0) runs.push({ instance, runs: [a, b], x: data.decidedIn(a), y: data.decidedIn(b) });
  }
  return runs;
}

/** @param {Data} data @param {{x: number, y: number}} axes @param {number} width @returns {Plot} */
function draw(data, axes, width) {
  const all = common(data, axes);
  const shown = all.filter(({ x, y }) => x < Infinity || y < Infinity);
  const scale = withUndecided(logTime(shown.flatMap(({ x, y }) => [x, y])));
  const [across, upwards] = [data.entrants[axes.x].label, data.entrants[axes.y].label];
  const { svg, place } = ground(width, Math.min(MAX_HEIGHT, Math.max(320, width)),
    { scale, title: `wall time of ${across}` }, { scale, title: `wall time of ${upwards}` });
  const [x1, y1] = place(scale.low, scale.low);
  const [x2, y2] = place(scale.high, scale.high);
  svg.append(shape("line", { class: "diagonal", x1, y1, x2, y2 }));
  const both = shown.filter(({ x, y }) => Math.max(x, y) < Infinity);
  const one = shown.filter(({ x, y }) => Math.max(x, y) === Infinity);
  svg.append(dots(both.map(({ x, y }) => place(x, y)), "s0"), dots(one.map(({ x, y }) => place(x, y)), "s1"));
  return {
    svg,
    points: {
      count: shown.length,
      place: (point) => place(shown[point].x, shown[point].y),
      describe: (point) => {
        const [name, ...picture] = describeInstance(data, shown[point].instance);
        const [a, b] = shown[point].runs;
        return [name, `${across}: ${outcome(data, a)}`, `${upwards}: ${outcome(data, b)}`, ...picture];
      },
      open: (point) => openRun(data, shown[point].runs[0]),
    },
  };
}

/** @param {Data} data @param {{x: number, y: number}} axes @returns {string} */
function tally(data, axes) {
  const all = common(data, axes);
  /** @param {(run: {x: number, y: number}) => boolean} counts */
  const number = (counts) => count(all.filter(counts).length);
  const [across, upwards] = [data.entrants[axes.x].label, data.entrants[axes.y].label];
  return `${plural(all.length, "instance")} in common. Below the line ${upwards} is faster (`
    + `${number(({ x, y }) => y < x && x < Infinity)}), above it ${across} (`
    + `${number(({ x, y }) => x < y && y < Infinity)}). Only ${across} decides `
    + `${number(({ x, y }) => x < Infinity && y === Infinity)}, only ${upwards} `
    + `${number(({ x, y }) => y < Infinity && x === Infinity)}, neither `
    + `${number(({ x, y }) => x === Infinity && y === Infinity)}.`;
}
