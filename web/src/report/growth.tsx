/** Growth: lines with bands over sizes, densities or the values of an option, as growth/charts.py computes them. */

import { areaY, line } from "@observablehq/plot";
import { useCallback, useState } from "preact/hooks";
import { Choice } from "../shared/controls.tsx";
import { logTime, marked, shares, withUndecided } from "./axes.ts";
import type { Chart, ChartPoint, Data, Series } from "./data.ts";
import { Figure } from "./figure.tsx";
import { duration, percent, plural } from "./format.ts";
import { type Drawn, dots, draw, HEIGHT, marks } from "./plot.ts";
import { type Style, styleOf, Swatch } from "../shared/series.tsx";
import { entrantStyle, Legend, type Selection, useShown } from "./selection.tsx";

const NOTES = {
  time:
    "A line joins the medians; its band holds the middle half of the runs. A run that hit a limit is not dropped: " +
    'it counts as longer than every decided one. A dot under "not decided" marks a value where some runs were not decided.',
  share: "A line joins the shares; its band is their 95 % interval, wider where not every puzzle is known.",
};
const SCORE_NOTE =
  "PAR-2 is the mean time, where an undecided run counts twice its limit. Each line is one setting of the other options.";

export function Growth({ data, selection }: { data: Data; selection: Selection }) {
  const charts = data.contents.growth;
  const [chart, setChart] = useState(() => middleOf(charts, charts[0]!.kind));
  const shown = useShown(data, selection);
  const kinds = [...new Set(charts.map(({ kind }) => kind))];
  const own = charts.filter(({ kind }) => kind === chart.kind);
  const isOfBackends = chart.series.every(({ entrant }) => entrant !== null);
  return (
    <Figure
      id="growth"
      label="Time or share against size, density or an option."
      draw={useCallback((width: number) => growth(data, chart, shown, width), [chart, shown.join()])}
      controls={
        <>
          <Choice label="show" options={kinds.map((kind) => [kind, kind])} value={chart.kind} onChange={(kind) => setChart(middleOf(charts, kind))} />
          <Choice
            label="of"
            options={own.map(({ of }) => [of, of])}
            value={chart.of}
            onChange={(of) => setChart(own.find((one) => one.of === of) ?? chart)}
          />
        </>
      }
      legend={isOfBackends ? <Legend data={data} selection={selection} /> : <Key data={data} chart={chart} />}
    >
      <span id="growth-note" role="status">{chart.score ? SCORE_NOTE : NOTES[chart.unit]}</span>
    </Figure>
  );
}

/** Of the charts of a kind the one in the middle. */
function middleOf(charts: Chart[], kind: string): Chart {
  const own = charts.filter((chart) => chart.kind === kind);
  return own[own.length >> 1]!;
}

function Key({ data, chart }: { data: Data; chart: Chart }) {
  return (
    <div class="key">
      {chart.series.map((series, i) => (
        <span key={i}>
          <Swatch {...seriesStyle(data, series, i)} />
          {series.label}
        </span>
      ))}
    </div>
  );
}

function seriesStyle(data: Data, { entrant }: Series, number: number): Style {
  return entrant === null ? styleOf(number) : entrantStyle(data, entrant);
}

function growth(data: Data, chart: Chart, shown: number[], width: number): Drawn {
  const isTime = chart.unit === "time";
  const every = chart.series.flatMap(({ points }) => points);
  const texts = new Map(every.map(([x, text]) => [x, text]));
  const x = marked([...texts].sort(([a], [b]) => a - b).map(([value, text]) => ({ value, text })));
  const hasCut = isTime && !chart.score && every.some(([, , , , , , undecided]) => undecided);
  const time = logTime(every.flatMap(([, , low, middle, high]) => [low, middle, high].filter((one) => one !== null)));
  const y = isTime ? (hasCut ? withUndecided(time) : time) : shares;
  const at = (value: number | null) => y.at(value ?? Infinity);
  const series = chart.series
    .map((one, number) => ({ ...one, style: seriesStyle(data, one, number) }))
    .filter(({ entrant }) => entrant === null || shown.includes(entrant));
  const bands = series
    .filter(({ points }) => points.some(([, , low, , high]) => low !== high))
    .map(({ points, style }) =>
      areaY(points, {
        x: "0",
        y1: ([, , low]: ChartPoint) => at(low),
        y2: ([, , , , high]: ChartPoint) => at(high),
        fill: style.stroke,
        fillOpacity: 0.13,
      }),
    );
  const lines = series.flatMap(({ points, style }) => {
    const known = points.filter(([, , , middle]) => isTime || middle !== null);
    const middles = known.map(([x, , , middle]) => ({ x, y: at(middle) }));
    const cut = hasCut ? points.filter(([, , , , , , undecided]) => undecided) : [];
    return [
      line(middles, { x: "x", y: "y", className: "curve", strokeWidth: 2, ...style }),
      marks(middles, style),
      dots(cut.map(([x]) => ({ x, y: at(null) })), style.stroke, true),
    ];
  });
  const title = chart.score ? "PAR-2" : chart.unit;
  const titled = { axis: y, title };
  const { svg, place } = draw(width, HEIGHT, { axis: x, title: chart.axis }, titled, [...bands, ...lines]);
  const all = series.flatMap(({ label, points }) => points.map((point) => ({ label, point })));
  return {
    svg,
    points: {
      count: all.length,
      place: (i) => {
        const [x, , , middle] = all[i]!.point;
        return place(x, middle ?? (isTime ? Infinity : 0));
      },
      describe: (i) => ({ lines: described(chart, all[i]!.label, all[i]!.point) }),
    },
  };
}

function described(chart: Chart, label: string, [, text, low, middle, high, runs, undecided]: ChartPoint): string[] {
  const isTime = chart.unit === "time";
  const unknown = isTime ? "not decided" : "not known";
  const written = (value: number | null) => (value === null ? unknown : isTime ? duration(value) : percent(value));
  const range = low === high ? "" : ` (${written(low)} to ${written(high)})`;
  const what = chart.kind.startsWith("puzzles") ? "puzzle" : "run";
  const cut = undecided ? `, ${undecided} ${unknown}` : "";
  return [label, `${chart.axis} ${text}: ${written(middle)}${range}`, `${plural(runs, what)}${cut}`];
}
