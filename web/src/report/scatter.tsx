/** The scatter plot: the times of any two entrants on the same instances. */

import { link } from "@observablehq/plot";
import { useCallback, useMemo, useState } from "preact/hooks";
import { Choice } from "../shared/controls.tsx";
import { styleOf } from "../shared/series.tsx";
import { logTime, withUndecided } from "./axes.ts";
import type { Data } from "./data.ts";
import { Figure } from "./figure.tsx";
import { count, plural } from "./format.ts";
import { describeInstance, dots, draw, type Drawn, outcome } from "./plot.ts";
import { openRun } from "./run.tsx";

const MAX_HEIGHT = 620;

/** An instance that both entrants ran, with their runs and times. */
interface Pair {
  instance: number;
  runs: [number, number];
  x: number;
  y: number;
}

export function Scatter({ data }: { data: Data }) {
  const [axes, setAxes] = useState(() => firstTwo(data));
  const pairs = useMemo(() => common(data, axes), [data, axes]);
  const [across, upwards] = axes.map((entrant) => data.entrants[entrant]!.label) as [string, string];
  const options = data.entrants.map(({ label }, entrant): [string, string] => [`${entrant}`, label]);
  return (
    <Figure
      id="scatter"
      label="Scatter plot: the times of two backends on the same instances."
      draw={useCallback((width: number) => scatter(data, pairs, across, upwards, width), [pairs])}
      controls={
        <>
          <Choice label="across" options={options} value={`${axes[0]}`} onChange={(to) => setAxes([Number(to), axes[1]])} />
          <Choice label="upwards" options={options} value={`${axes[1]}`} onChange={(to) => setAxes([axes[0], Number(to)])} />
        </>
      }
      sampled={data}
    >
      <span id="scatter-tally" role="status">{tally(pairs, across, upwards)}</span>
    </Figure>
  );
}

/** The first backend in the first and the last campaign, or else the two that decide most. */
function firstTwo({ entrants, runs }: Data): [number, number] {
  const again = entrants.findLastIndex(({ backend, campaign }) => campaign && backend === entrants[0]!.backend);
  if (again >= 0) return [0, again];
  const decided = entrants.map(({ first, last }) => runs.decided.slice(first, last).reduce((sum, one) => sum + one, 0));
  const [x, y] = entrants.map((_, entrant) => entrant).sort((a, b) => decided[b]! - decided[a]!);
  return [x!, y!];
}

function common(data: Data, [x, y]: [number, number]): Pair[] {
  const pairs: Pair[] = [];
  for (let instance = 0; instance < data.instances; instance++) {
    const [a, b] = [data.runOf(x, instance), data.runOf(y, instance)];
    if (a >= 0 && b >= 0) pairs.push({ instance, runs: [a, b], x: data.decidedIn(a), y: data.decidedIn(b) });
  }
  return pairs;
}

function scatter(data: Data, pairs: Pair[], across: string, upwards: string, width: number): Drawn {
  const shown = pairs.filter(({ x, y }) => Math.min(x, y) < Infinity);
  const axis = withUndecided(logTime(shown.flatMap(({ x, y }) => [x, y])));
  const ends = [axis.ticks[0]!.value, axis.ticks.at(-2)!.value];
  const at = ({ x, y }: Pair) => ({ x: axis.at(x), y: axis.at(y) });
  const both = shown.filter(({ x, y }) => Math.max(x, y) < Infinity);
  const one = shown.filter(({ x, y }) => Math.max(x, y) === Infinity);
  const [x, y] = [{ axis, title: `wall time of ${across}` }, { axis, title: `wall time of ${upwards}` }];
  const { svg, place } = draw(width, Math.min(MAX_HEIGHT, Math.max(320, width)), x, y, [
    link([ends], { x1: "0", y1: "0", x2: "1", y2: "1", className: "diagonal" }),
    dots(both.map(at), styleOf(0).stroke),
    dots(one.map(at), styleOf(1).stroke),
  ]);
  return {
    svg,
    points: {
      count: shown.length,
      place: (point) => place(shown[point]!.x, shown[point]!.y),
      describe: (point) => {
        const { instance, runs } = shown[point]!;
        const [a, b] = [`${across}: ${outcome(data, runs[0])}`, `${upwards}: ${outcome(data, runs[1])}`];
        return describeInstance(data, instance, a, b);
      },
      open: (point) => openRun(data, shown[point]!.runs[0]),
    },
  };
}

/** How often each is faster, or decides alone. */
function tally(pairs: Pair[], across: string, upwards: string): string {
  const number = (counts: (pair: Pair) => boolean) => count(pairs.filter(counts).length);
  return (
    `${plural(pairs.length, "instance")} in common. Below the line ${upwards} is faster (` +
    `${number(({ x, y }) => y < x && x < Infinity)}), above it ${across} (` +
    `${number(({ x, y }) => x < y && y < Infinity)}). Only ${across} decides ` +
    `${number(({ x, y }) => x < Infinity && y === Infinity)}, only ${upwards} ` +
    `${number(({ x, y }) => y < Infinity && x === Infinity)}, neither ` +
    `${number(({ x, y }) => x === Infinity && y === Infinity)}.`
  );
}
