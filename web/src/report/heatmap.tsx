/** The heat map: entrants down, instances across, the time of each run as a colour. */

import { axisX, axisY, plot, type RenderFunction } from "@observablehq/plot";
import { useCallback, useMemo, useState } from "preact/hooks";
import { Choice } from "../shared/controls.tsx";
import { type Axis, logTime } from "./axes.ts";
import type { Data } from "./data.ts";
import { Figure } from "./figure.tsx";
import { count, duration, plural } from "./format.ts";
import { describeInstance, describeRun, type Drawn, shape } from "./plot.ts";
import { openRun } from "./run.tsx";
import { type Selection, useShown } from "./selection.tsx";

const LEVELS = 10;
const ROW = 24;
const TOP = 6;
const BOTTOM = 26;
const NAME_LETTERS = 26;
const LETTER = 7;
/** How runs end that decide nothing, by their termination. */
const ENDINGS: Record<string, string> = {
  ...{ ok: "undecided", wall: "limit", cpu: "limit", memory: "limit" },
  ...{ crashed: "broken", killed: "broken", unsupported: "unsupported" },
};
const NAMES: Record<string, string> = {
  undecided: "ended by itself, undecided",
  limit: "cut off by a limit",
  broken: "crashed or killed",
  unsupported: "unsupported",
  none: "no run",
};
const ORDERS = { best: "easiest first (virtual best)", plan: "as in the campaign", size: "smallest first" };
type Order = keyof typeof ORDERS;

/** What an entrant did with one instance or several. */
interface Cell {
  column: number;
  row: number;
  /** The run of the median time, or -1. */
  run: number;
  instances: number[];
}

export function HeatMap({ data, selection }: { data: Data; selection: Selection }) {
  const [order, setOrder] = useState<Order>("best");
  const shown = useShown(data, selection);
  const time = useMemo(() => logTime(data.times()), [data]);
  return (
    <Figure
      id="heat"
      label="Heat map: the time of each backend on each instance."
      draw={useCallback((width: number) => heatMap(data, shown, sorted(data, order), time, width), [shown.join(), order])}
      controls={
        <Choice label="instances" options={Object.entries(ORDERS)} value={order} onChange={(to) => setOrder(to as Order)} />
      }
      legend={<Key data={data} time={time} />}
      sampled={data}
    >
      Each column is a puzzle and each row a backend. The colour shows the time of the run, or why it did not decide.
    </Figure>
  );
}

function sorted(data: Data, order: Order): number[] {
  const instances = Array.from({ length: data.instances }, (_, i) => i);
  if (order === "plan") return instances;
  const ranks = instances.map(order === "size" ? data.cells : data.bestTime);
  return instances.sort((a, b) => (ranks[a] === ranks[b] ? a - b : ranks[a]! - ranks[b]!));
}

function heatMap(data: Data, shown: number[], instances: number[], time: Axis, width: number): Drawn {
  const labels = shown.map((entrant) => data.entrants[entrant]!.label);
  const longest = Math.max(...labels.map((label) => label.length), 1);
  const letters = Math.min(longest, NAME_LETTERS, Math.floor(width / 3 / LETTER));
  const left = letters * LETTER + 12;
  const groups = grouped(instances, Math.floor(width - left));
  const cells = shown.flatMap((entrant, row) =>
    groups.map((group, column) => ({ column, row, run: middle(data, entrant, group), instances: group })),
  );
  const rows = shown.map((_, row) => row);
  const svg = plot({
    ...{ width, height: TOP + rows.length * ROW + BOTTOM },
    ...{ marginLeft: left, marginRight: 0, marginTop: TOP, marginBottom: BOTTOM },
    x: { type: "linear", domain: [0, groups.length] },
    y: { type: "band", domain: rows, padding: 0 },
    marks: [
      axisY(rows, { tickFormat: (row: number) => shortened(labels[row]!, letters), tickSize: 0, label: null }),
      axisX([], { label: caption(instances.length, groups.length), labelAnchor: "center", labelArrow: "none", labelOffset: 22 }),
      coloured(data, cells, time),
    ],
  });
  svg.setAttribute("aria-hidden", "true");
  const [x, y] = [svg.scale("x")!, svg.scale("y")!];
  return {
    svg: svg as SVGElement,
    points: {
      count: cells.length,
      reach: Infinity,
      place: (point) => [x.apply(cells[point]!.column + 0.5), y.apply(cells[point]!.row) + ROW / 2 - 1],
      describe: (point) => {
        const { run, instances } = cells[point]!;
        const said = run < 0 ? describeInstance(data, instances[0]!, "no run") : describeRun(data, run);
        if (instances.length === 1) return said;
        return { ...said, lines: [`the median of ${instances.length} instances:`, ...said.lines] };
      },
      open: (point) => {
        const { run } = cells[point]!;
        if (run >= 0) openRun(data, run);
      },
    },
  };
}

/** The instances in at most so many groups of neighbours, equally large. */
function grouped(instances: number[], most: number): number[][] {
  const groups = Math.max(1, Math.min(instances.length, most));
  const start = (group: number) => Math.floor((group * instances.length) / groups);
  return Array.from({ length: groups }, (_, group) => instances.slice(start(group), start(group + 1)));
}

/** All cells, those of one colour as one path: a browser draws ten thousand at once. */
function coloured(data: Data, cells: Cell[], time: Axis): RenderFunction {
  return (_index, { x, y }) => {
    const paths = new Map<string, string>();
    const [start, side] = [Number(x!(0)), Number(x!(1)) - Number(x!(0))];
    for (const { column, row, run } of cells) {
      const kind = run < 0 ? "none" : kindOf(data, run, time);
      const corner = `${(start + column * side).toFixed(2)} ${y!(row)}`;
      const outline = `M${corner}h${side.toFixed(2)}v${ROW - 2}h${(-side).toFixed(2)}z`;
      paths.set(kind, (paths.get(kind) ?? "") + outline);
    }
    return shape("g", {}, ...[...paths].map(([kind, d]) => shape("path", { class: `heat ${kind}`, d })));
  };
}

/** The class of a run's colour. */
function kindOf(data: Data, run: number, { scale }: Axis): string {
  if (!data.isDecided(run)) return ENDINGS[data.termination(run)] ?? "broken";
  const [low, high] = scale.domain.map(Math.log) as [number, number];
  const level = Math.floor(((Math.log(data.wall(run)) - low) / (high - low)) * LEVELS);
  return `h${Math.max(0, Math.min(LEVELS - 1, level))}`;
}

function caption(instances: number, columns: number): string {
  const each = Math.ceil(instances / columns);
  return plural(instances, "instance") + (each > 1 ? `; a column is the median of about ${count(each)}` : "");
}

/** The run of the median time, undecided ones last, or -1. */
function middle(data: Data, entrant: number, instances: number[]): number {
  const runs = instances.map((instance) => data.runOf(entrant, instance)).filter((run) => run >= 0);
  runs.sort((a, b) => (data.decidedIn(a) < data.decidedIn(b) ? -1 : 1));
  return runs[Math.floor((runs.length - 1) / 2)] ?? -1;
}

/** What the colours mean. */
function Key({ data, time }: { data: Data; time: Axis }) {
  const met = useMemo(() => {
    const undecided = data.entrants.flatMap(({ first, last }, entrant) => {
      const own = Array.from({ length: last - first }, (_, i) => first + i).filter((run) => !data.isDecided(run));
      const kinds = new Set(own.map((run) => ENDINGS[data.termination(run)] ?? "broken"));
      return [...kinds, ...(data.lacks(entrant) ? ["none"] : [])];
    });
    return Object.keys(NAMES).filter((kind) => undecided.includes(kind));
  }, [data]);
  return (
    <div class="key">
      <span>
        {duration(time.scale.domain[0])} {Array.from({ length: LEVELS }, (_, i) => <Box kind={`h${i}`} />)}{" "}
        {duration(time.scale.domain[1])}
      </span>
      {met.map((kind) => (
        <span key={kind}>
          <Box kind={kind} /> {NAMES[kind]}
        </span>
      ))}
    </div>
  );
}

function Box({ kind }: { kind: string }) {
  return (
    <svg viewBox="0 0 12 12" class="box" aria-hidden="true">
      <rect class={`heat ${kind}`} width="12" height="12" />
    </svg>
  );
}

function shortened(text: string, letters: number): string {
  return text.length <= letters ? text : `${text.slice(0, Math.max(1, letters - 1))}…`;
}
