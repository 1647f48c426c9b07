/** What all plots share: a ground with axes, made by Observable Plot, marks for very many dots, and what is said of a point. */

import { axisX, axisY, gridX, gridY, type Markish, plot, type RenderFunction } from "@observablehq/plot";
import type { Style } from "../shared/series.tsx";
import type { Axis, Tick } from "./axes.ts";
import type { Data, Picture } from "./data.ts";
import { duration } from "./format.ts";

export type Place = [number, number];

/** What the pointer and the arrow keys can find; places are in the units of the drawing. */
export interface Points {
  count: number;
  place(point: number): Place;
  describe(point: number): Description;
  open?(point: number): void;
  /** How far from a point the pointer still finds it. */
  reach?: number;
}

export interface Drawn {
  svg: SVGElement;
  points: Points;
}

interface Titled {
  axis: Axis;
  title: string;
}

export const HEIGHT = 420;
const [LEFT, RIGHT, TOP, BOTTOM] = [84, 24, 14, 50];
/** About the width of a letter of a tick. */
const LETTER = 6.5;
const GAP = 10;
const DOTS_A_PATH = 200;
const MANY = 1500;

/** Draw marks on axes; return the drawing, and where values stand in it. */
export function draw(width: number, height: number, x: Titled, y: Titled, marks: Markish[]) {
  const value = x.axis.scale.type === "log" ? Math.log : Number;
  const [low, high] = x.axis.scale.domain.map(value) as Place;
  const placed = x.axis.ticks.map((tick) => ({ ...tick, share: (value(tick.value) - low) / (high - low) }));
  const room = width - LEFT - RIGHT;
  const last = placed.at(-1)!;
  const overhang = (LETTER * last.text.length) / 2 - (1 - last.share) * room;
  const across = thinned(placed, room);
  const label = { labelAnchor: "center", labelArrow: "none" } as const;
  const svg = plot({
    ...{ width, height, marginTop: TOP, marginBottom: BOTTOM },
    ...{ marginLeft: LEFT, marginRight: Math.max(RIGHT, Math.ceil(overhang)) },
    x: { ...x.axis.scale, label: x.title },
    y: { ...y.axis.scale, label: y.title },
    marks: [
      gridX(values(across), { stroke: "var(--line)", strokeOpacity: 1 }),
      gridY(values(y.axis.ticks), { stroke: "var(--line)", strokeOpacity: 1 }),
      axisX(values(across), { ...label, text: written(across), tickSize: 0, tickPadding: 8, labelOffset: 42 }),
      axisY(values(y.axis.ticks), { ...label, text: written(y.axis.ticks), tickSize: 0, labelOffset: 74 }),
      frame,
      ...marks,
    ],
  });
  svg.setAttribute("aria-hidden", "true");
  const [atX, atY] = [svg.scale("x")!, svg.scale("y")!];
  const place = (a: number, b: number): Place => [atX.apply(x.axis.at(a)), atY.apply(y.axis.at(b))];
  return { svg: svg as SVGElement, place };
}

const values = (ticks: Tick[]) => ticks.map(({ value }) => value);

function written(ticks: Tick[]): (value: number) => string {
  const texts = new Map(ticks.map(({ value, text }) => [value, text]));
  return (value) => texts.get(value) ?? "";
}

/** Leave out ticks whose texts would overlap; the last one stays. */
function thinned(ticks: (Tick & { share: number })[], room: number): Tick[] {
  let start = Infinity;
  const chosen = ticks.toReversed().filter(({ text, share }) => {
    const [middle, half] = [share * room, (LETTER * text.length) / 2];
    if (middle + half + GAP > start) return false;
    start = middle - half;
    return true;
  });
  return chosen.toReversed();
}

/** The lines of the two axes. */
const frame: RenderFunction = (_index, _scales, _values, { width, height, marginRight }) =>
  shape("path", { class: "axis", d: `M${LEFT} ${TOP}V${height - BOTTOM}H${width - marginRight}` });

export interface Dot {
  x: number;
  y: number;
  /** How far it stands beside its value. */
  dx?: number;
}

/** Dots as few paths, so that thousands are drawn at once; where those of different paths overlap it is darker. */
export function dots(all: Dot[], stroke: string, isFaint = false): RenderFunction {
  return outlined(all, { class: `dots${isFaint || all.length > MANY ? " faint" : ""}`, stroke }, "h0");
}

/** The marks of a series. */
export const marks = (all: Dot[], { stroke, mark }: Style): RenderFunction => outlined(all, { class: "marks", fill: stroke }, mark);

function outlined(all: Dot[], attributes: Record<string, string>, outline: string): RenderFunction {
  return (_index, { x, y }) => {
    const paths = Math.ceil(all.length / DOTS_A_PATH);
    const parts = Array.from({ length: paths }, () => "");
    all.forEach((dot, i) => {
      const [across, up] = [Number(x!(dot.x)) + (dot.dx ?? 0), Number(y!(dot.y))];
      parts[i % paths] += `M${across.toFixed(1)} ${up.toFixed(1)}${outline}`;
    });
    return shape("g", attributes, ...parts.map((d) => shape("path", { d })));
  };
}

/** An SVG element. */
export function shape(tag: string, attributes: Record<string, string>, ...children: Element[]): SVGElement {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

export interface Description {
  lines: string[];
  /** Of a solution. */
  picture?: Picture | undefined;
}

export const PICTURE = "a solution of this puzzle";

/** An instance: its puzzle, its size, and the picture that solves it. */
export function describeInstance(data: Data, instance: number, ...more: string[]): Description {
  const lines = [`${data.name(instance)}, ${data.size(instance)}`, ...more];
  return { lines, picture: data.solution(instance) };
}

export function describeRun(data: Data, run: number): Description {
  return describeInstance(data, data.instanceOf[run]!, `${data.entrant(run).label}: ${outcome(data, run)}`);
}

/** What came out, and in which time. */
export function outcome(data: Data, run: number): string {
  const termination = data.termination(run);
  const ended = termination === "ok" ? "" : `, ${termination}`;
  return `${data.answer(run)}${ended}, ${duration(data.wall(run))}`;
}

export function spoken({ lines, picture }: Description): string {
  return [...lines, ...(picture ? [PICTURE] : [])].join(". ");
}
