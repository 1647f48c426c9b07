/** Axes of plots: where a value stands, which round values are marked, and how they read. */

import type { ScaleOptions } from "@observablehq/plot";
import { count, duration, percent } from "./format.ts";

export interface Tick {
  /** Where on the scale it stands. */
  value: number;
  text: string;
}

export interface Axis {
  scale: ScaleOptions & { domain: [number, number] };
  ticks: Tick[];
  /** Where on the scale a value stands; infinite is a run that is not decided. */
  at(value: number): number;
}

/** Logarithmic, for durations: from the power of ten below all of them to the one above. */
export function logTime(values: Iterable<number>): Axis {
  const [least, most] = extent(values, [1e-3, 1]);
  const low = Math.floor(Math.log10(least) + 1e-9);
  const high = Math.max(low + 1, Math.ceil(Math.log10(most) - 1e-9));
  const powers = Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
  return {
    scale: { type: "log", domain: [10 ** low, 10 ** high] },
    ticks: powers.map((value) => ({ value, text: powerText(value) })),
    at: (value) => Math.max(value, 10 ** low),
  };
}

/** A logarithmic axis with a place beyond its end for runs that are not decided. */
export function withUndecided(axis: Axis): Axis {
  const [low, high] = axis.scale.domain;
  const beyond = (share: number) => low * (high / low) ** share;
  const undecided = beyond(1.07);
  return {
    scale: { ...axis.scale, domain: [low, beyond(1.11)] },
    ticks: [...axis.ticks, { value: undecided, text: "not decided" }],
    at: (value) => (value === Infinity ? undecided : axis.at(value)),
  };
}

/** Logarithmic, for counts. */
export function logCount(values: Iterable<number>): Axis {
  const [least, most] = extent(values, [1, 10]);
  const [low, high] = [least / 1.1, most * 1.1];
  const round = Array.from({ length: 30 }, (_, i) => [1, 2, 5][i % 3]! * 10 ** Math.floor(i / 3));
  const inside = round.filter((value) => value >= low && value <= high);
  const ticks = (inside.length > 1 ? inside : [least, most]).map((value) => ({ value, text: count(value) }));
  return { scale: { type: "log", domain: [low, high] }, ticks, at: (value) => value };
}

/** Linear from 0, for counts. */
export function linear(most: number): Axis {
  const magnitude = 10 ** Math.max(0, Math.floor(Math.log10(most / 8)));
  const step = magnitude * ([1, 2, 5].find((factor) => most / (factor * magnitude) <= 8) ?? 10);
  const ticks = Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
  return {
    scale: { type: "linear", domain: [0, most] },
    ticks: ticks.map((value) => ({ value, text: count(value) })),
    at: (value) => value,
  };
}

/** Linear from 0 to 1, in percent. */
export const shares: Axis = {
  scale: { type: "linear", domain: [0, 1] },
  ticks: [0, 0.2, 0.4, 0.6, 0.8, 1].map((value) => ({ value, text: percent(value) })),
  at: (value) => value,
};

/** Linear, with a mark at each of a few values, which ascend, and room at both ends. */
export function marked(ticks: Tick[]): Axis {
  const [low, high] = [ticks[0]!.value, ticks.at(-1)!.value];
  const room = 0.04 * (high - low || 1);
  return { scale: { type: "linear", domain: [low - room, high + room] }, ticks, at: (value) => value };
}

/** By rank, for shares that may crowd at one end: equal steps for equally many values. */
export function sharesByRank(values: number[]): Axis {
  const sorted = Float64Array.from(values).sort();
  const last = Math.max(1, sorted.length - 1);
  const at = (value: number) => (below(sorted, value) + below(sorted, value, true) - 1) / 2 / last;
  const tenths = Array.from({ length: 11 }, (_, i) => i / 10);
  const inside = tenths.filter((value) => value >= sorted[0]! && value <= sorted[last]!);
  const round = inside.length > 1 ? inside : [sorted[0]!, sorted[last]!];
  const ticks = round.map((value) => ({ value: at(value), text: percent(value) }));
  return { scale: { type: "linear", domain: [0, 1] }, ticks, at };
}

/** How many of the sorted values are smaller, or not larger. */
function below(sorted: Float64Array, value: number, orEqual = false): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value || (orEqual && sorted[middle] === value)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** 10^n seconds as people say it. */
function powerText(seconds: number): string {
  const [number, unit] = duration(seconds * (1 + 1e-9)).split(" ");
  return `${Number(number)} ${unit}`;
}

/** The least and the most of the finite values above 0. */
function extent(values: Iterable<number>, otherwise: [number, number]): [number, number] {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    if (!(value > 0 && value < Infinity)) continue;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return least <= most ? [least, most] : otherwise;
}
