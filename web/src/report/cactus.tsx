/** The cactus plot: how many runs each entrant decides within a given time. */

import { line } from "@observablehq/plot";
import { useCallback, useMemo } from "preact/hooks";
import { linear, logTime } from "./axes.ts";
import type { Data } from "./data.ts";
import { Figure } from "./figure.tsx";
import { describeRun, draw, type Drawn, HEIGHT, marks } from "./plot.ts";
import { openRun } from "./run.tsx";
import { entrantStyle, Legend, type Selection, useShown } from "./selection.tsx";

/** Marks of a curve, the last one at its end. */
const MARKED = 8;

export function Cactus({ data, selection }: { data: Data; selection: Selection }) {
  const shown = useShown(data, selection);
  const runs = useMemo(() => data.entrants.map(({ first, last }) => decidedRuns(data, first, last)), [data]);
  const best = useMemo(() => data.best.map((times) => times.filter(Number.isFinite).sort()), [data]);
  return (
    <Figure
      id="cactus"
      label="Cactus plot: how many runs each backend decides within a given time."
      draw={useCallback((width: number) => cactus(data, runs, best, shown, width), [shown.join()])}
      legend={<Legend data={data} selection={selection} note={(entrant) => `(${runs[entrant]!.length})`} />}
      sampled={data}
    >
      A point shows how many runs a backend decides within a time. Further right is more decided; lower is faster. The
      dotted line is the virtual best, which picks the fastest backend for each instance.
    </Figure>
  );
}

/** The fastest first. */
function decidedRuns(data: Data, first: number, last: number): number[] {
  const runs = Array.from({ length: last - first }, (_, i) => first + i).filter(data.isDecided);
  return runs.sort((a, b) => data.wall(a) - data.wall(b));
}

function cactus(data: Data, runs: number[][], best: Float64Array[], shown: number[], width: number): Drawn {
  const drawn = shown.map((entrant) => sampled(runs[entrant]!, width));
  const points = drawn.flat();
  const most = Math.max(1, ...shown.map((entrant) => runs[entrant]!.length), ...best.map((times) => times.length));
  const time = logTime(points.map(([, run]) => data.wall(run)));
  const at = ([count, run]: [number, number]) => ({ x: count, y: time.at(data.wall(run)) });
  const curves = shown.map((entrant, i) => {
    const style = entrantStyle(data, entrant);
    const places = drawn[i]!.map(at);
    const step = Math.ceil(places.length / MARKED);
    const marked = places.filter((_, place) => (places.length - 1 - place) % step === 0);
    return [line(places, { x: "x", y: "y", className: "curve", strokeWidth: 2, ...style }), marks(marked, style)];
  });
  const virtual = best.map((times) =>
    line(sampled(Array.from(times), width), {
      x: "0",
      y: ([, seconds]: [number, number]) => time.at(seconds),
      className: "virtual-best",
    }),
  );
  const [across, up] = [{ axis: linear(most), title: "runs decided" }, { axis: time, title: "wall time of a run" }];
  const { svg, place } = draw(width, HEIGHT, across, up, [...virtual, ...curves.flat()]);
  return {
    svg,
    points: {
      count: points.length,
      place: (point) => place(points[point]![0], data.wall(points[point]![1])),
      describe: (point) => {
        const [count, run] = points[point]!;
        const { lines, picture } = describeRun(data, run);
        const said = `${data.entrant(run).label} decides ${count} within this time; the last:`;
        return { lines: [said, ...lines], picture };
      },
      open: (point) => openRun(data, points[point]![1]),
    },
  };
}

/** As many of the values as there are pixels, each with its place counted from 1; the last one always. */
function sampled(values: number[], pixels: number): [number, number][] {
  const step = Math.max(1, Math.floor(values.length / pixels));
  const all = values.map((value, i): [number, number] => [i + 1, value]);
  return all.filter(([place]) => (place - 1) % step === 0 || place === values.length);
}
