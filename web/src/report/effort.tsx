/** Time against difficulty and size: every run a dot, and the median of each entrant as a line. */

import { line } from "@observablehq/plot";
import { useCallback, useMemo, useState } from "preact/hooks";
import { Choice } from "../shared/controls.tsx";
import { type Axis, logCount, logTime, sharesByRank, withUndecided } from "./axes.ts";
import type { Data } from "./data.ts";
import { Figure } from "./figure.tsx";
import { count } from "./format.ts";
import { describeRun, dots, draw, type Drawn, HEIGHT, marks, type Place } from "./plot.ts";
import { openRun } from "./run.tsx";
import { entrantStyle, Legend, type Selection, useShown } from "./selection.tsx";

const MAX_DOTS = 1500;
const BINS = 10;
const SPREAD = 40;
const GOLDEN = 0.618034;

/** What puzzles are ranked by: a value for each instance, NaN where it is not known. */
interface Measure {
  name: string;
  values: Float64Array;
  axis(values: number[]): Axis;
}

/** The measures that differ between the puzzles. */
export function measures(data: Data): Measure[] {
  const finite = (value: number) => (value === Infinity ? NaN : value);
  const all: [string, (instance: number) => number, Measure["axis"]][] = [
    ["cells open after line solving", data.open, sharesByRank],
    ["cells of the puzzle", data.cells, logCount],
    ["time of the virtual best", (instance) => finite(data.bestTime(instance)), logTime],
  ];
  return all
    .map(([name, of, axis]) => ({ name, values: Float64Array.from({ length: data.instances }, (_, i) => of(i)), axis }))
    .filter(({ values }) => new Set(values.filter((value) => !Number.isNaN(value))).size > 1);
}

export function Effort({ data, selection, usable }: { data: Data; selection: Selection; usable: Measure[] }) {
  const [measure, setMeasure] = useState(usable[0]!);
  const shown = useShown(data, selection);
  const most = useMemo(() => Math.max(...data.entrants.map(({ first, last }) => last - first)), [data]);
  return (
    <Figure
      id="effort"
      label="Time of each run against the difficulty or the size of its puzzle."
      draw={useCallback((width: number) => effort(data, measure, shown, width), [measure, shown.join()])}
      controls={
        <Choice
          label="across"
          options={usable.map(({ name }) => [name, name])}
          value={measure.name}
          onChange={(name) => setMeasure(usable.find((one) => one.name === name) ?? measure)}
        />
      }
      legend={<Legend data={data} selection={selection} />}
      sampled={data}
    >
      Each dot is a run. Each line is a backend's median over similar puzzles, where undecided runs count as longest.
      "Cells open after line solving" are those that backend settle leaves undecided. They are known if settle has run,
      or a backend that reports them in its statistics.
      {most > MAX_DOTS &&
        ` Of ${count(most)} runs of a backend, every ${Math.ceil(most / MAX_DOTS)}th is a dot; the lines are over all.`}
    </Figure>
  );
}

function effort(data: Data, { name, values, axis }: Measure, shown: number[], width: number): Drawn {
  const valueOf = (run: number) => values[data.instanceOf[run]!]!;
  const known = shown.map((entrant) => {
    const { first, last } = data.entrants[entrant]!;
    const own = Array.from({ length: last - first }, (_, i) => first + i);
    return own.filter((run) => !Number.isNaN(valueOf(run)));
  });
  const all = known.flatMap((runs) => runs.map(valueOf));
  const [x, y] = [axis(all), withUndecided(logTime(data.times()))];
  const isDiscrete = new Set(all).size <= BINS;
  /** How far a dot stands beside its value, so that those of different entrants can be told apart. */
  const beside = (run: number) => {
    const share = (shown.indexOf(data.entrantOf[run]!) + ((run * GOLDEN) % 1)) / shown.length;
    return isDiscrete ? Math.min(SPREAD, width / 28) * (share - 0.5) : 0;
  };
  const drawn = known.map(thinned);
  const clouds = shown.map((entrant, i) => {
    const places = drawn[i]!.map((run) => ({ x: x.at(valueOf(run)), y: y.at(data.decidedIn(run)), dx: beside(run) }));
    return dots(places, entrantStyle(data, entrant).stroke, true);
  });
  const lines = shown.flatMap((entrant, i) => {
    const medians = mediansOf(known[i]!.map((run) => [valueOf(run), data.decidedIn(run)]));
    const places = medians.map(([value, time]) => [x.at(value), y.at(time)]);
    const style = entrantStyle(data, entrant);
    const curve = line(places, { x: "0", y: "1", className: "curve", strokeWidth: 2, ...style });
    return medians.length > 1 ? [curve, marks(places.map(([x, y]) => ({ x: x!, y: y! })), style)] : [];
  });
  const titled = { axis: y, title: "wall time" };
  const { svg, place } = draw(width, HEIGHT, { axis: x, title: name }, titled, [...clouds, ...lines]);
  const points = drawn.flat();
  return {
    svg,
    points: {
      count: points.length,
      place: (point) => {
        const run = points[point]!;
        const [across, up] = place(valueOf(run), data.decidedIn(run));
        return [across + beside(run), up];
      },
      describe: (point) => describeRun(data, points[point]!),
      open: (point) => openRun(data, points[point]!),
    },
  };
}

/** Evenly chosen runs, if they are too many. */
function thinned(runs: number[]): number[] {
  const step = Math.ceil(runs.length / MAX_DOTS) || 1;
  return runs.filter((_, i) => i % step === 0);
}

/** The median value and the median time of each bin. */
function mediansOf(pairs: Place[]): Place[] {
  pairs.sort((a, b) => a[0] - b[0]);
  return binned(pairs).map((bin) => [bin[bin.length >> 1]![0], median(bin.map(([, time]) => time))]);
}

/** Bins of equally many sorted pairs, or one for each value where those are few; equal values stay together. */
function binned(pairs: Place[]): Place[][] {
  const isFew = new Set(pairs.map(([value]) => value)).size <= BINS;
  const bins: Place[][] = [];
  for (const pair of pairs) {
    const bin = bins.at(-1);
    const isFull = !bin || isFew || bin.length >= pairs.length / BINS;
    if (isFull && bin?.at(-1)?.[0] !== pair[0]) bins.push([pair]);
    else bin?.push(pair);
  }
  return bins;
}

/** The lower one of the two in the middle. */
function median(times: number[]): number {
  return Float64Array.from(times).sort()[(times.length - 1) >> 1]!;
}
