/** From values to places along an axis, and the round values that are marked there. */
import { count, duration, percent } from "./format.js";

/**
 * @typedef {object} Tick
 * @property {number} value
 * @property {string} text
 *
 * @typedef {object} Scale  `low` and `high` are the values at its ends; `share` maps them to 0 and 1.
 * @property {number} low
 * @property {number} high
 * @property {(value: number) => number} share
 * @property {Tick[]} ticks
 */

/** Logarithmic, for durations: from the power of ten below all of them to the one above.
 * @param {Iterable<number>} values @returns {Scale} */
export function logTime(values) {
  const [least, most] = extent(values, (value) => value > 0 && Number.isFinite(value), [1e-3, 1]);
  const low = Math.floor(Math.log10(least) + 1e-9);
  const high = Math.max(low + 1, Math.ceil(Math.log10(most) - 1e-9));
  const ticks = [];
  for (let power = low; power <= high; power++) {
    ticks.push({ value: 10 ** power, text: powerText(power) });
  }
  return {
    low: 10 ** low, high: 10 ** high, ticks,
    share: (value) => (Math.log10(Math.max(value, 10 ** low)) - low) / (high - low),
  };
}

/** Logarithmic, for counts. @param {Iterable<number>} values @returns {Scale} */
export function logCount(values) {
  const [least, most] = extent(values, (value) => value > 0, [1, 10]);
  const low = Math.log(least / 1.1);
  const high = Math.log(most * 1.1);
  const candidates = [];
  for (let power = 0; power <= 9; power++) {
    for (const digit of [1, 2, 5]) candidates.push(digit * 10 ** power);
  }
  const inside = candidates.filter((value) => value >= least / 1.1 && value <= most * 1.1);
  const ticks = (inside.length > 1 ? inside : [least, most]).map((value) => ({ value, text: count(value) }));
  return {
    low: least / 1.1, high: most * 1.1, ticks, share: (value) => (Math.log(value) - low) / (high - low),
  };
}

/** Linear from 0. @param {number} most @returns {Scale} */
export function linear(most) {
  const step = roundStep(most, 8);
  const ticks = [];
  for (let value = 0; value <= most; value += step) ticks.push({ value, text: count(value) });
  return { low: 0, high: most, ticks, share: (value) => value / most };
}

/** Linear from 0 to 1, in percent. @type {Scale} */
export const shares = {
  low: 0, high: 1, share: (value) => value,
  ticks: [0, 0.2, 0.4, 0.6, 0.8, 1].map((value) => ({ value, text: percent(value) })),
};

/** Linear, with a mark at each of a few values. @param {Tick[]} ticks  In ascending order. @returns {Scale} */
export function marked(ticks) {
  const low = ticks[0].value;
  const high = ticks[ticks.length - 1].value;
  const room = 0.04;
  return { low, high, ticks, share: (value) => room + (1 - 2 * room) * ((value - low) / (high - low || 1)) };
}

/** By rank, for shares that may crowd at one end: equal steps for equally many values.
 * @param {number[]} values @returns {Scale} */
export function sharesByRank(values) {
  const sorted = Float64Array.from(values).sort();
  const last = Math.max(1, sorted.length - 1);
  const quantiles = [0, 0.2, 0.4, 0.6, 0.8, 1].map((share) => sorted[Math.round(share * last)] ?? 0);
  const distinct = [...new Set(quantiles)];
  return {
    low: sorted[0] ?? 0, high: sorted[last] ?? 1,
    ticks: distinct.map((value) => ({ value, text: percent(value) })),
    share: (value) => (below(sorted, value) + below(sorted, value, true) - 1) / 2 / last,
  };
}

/** How many of the sorted values are smaller, or not larger.
 * @param {Float64Array} sorted @param {number} value @param {boolean} [orEqual] @returns {number} */
function below(sorted, value, orEqual = false) {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value || (orEqual && sorted[middle] === value)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** With a place beyond the end for what has no time: runs that are not decided.
 * @param {Scale} scale @returns {Scale} */
export function withUndecided(scale) {
  const end = 0.9;
  return {
    ...scale,
    share: (value) => (value === Infinity ? 1 - (1 - end) / 3 : end * scale.share(value)),
    ticks: [...scale.ticks, { value: Infinity, text: "not decided" }],
  };
}

/** @param {number} power @returns {string} 10^power seconds as people say it. */
function powerText(power) {
  const [number, unit] = duration(10 ** power * (1 + 1e-9)).split(" ");
  return `${Number(number)} ${unit}`;
}

/** @param {number} most @param {number} steps @returns {number} A round step, at least 1. */
function roundStep(most, steps) {
  const magnitude = 10 ** Math.max(0, Math.floor(Math.log10(most / steps)));
  return magnitude * ([1, 2, 5, 10].find((factor) => most / (factor * magnitude) <= steps) ?? 10);
}

/**
 * @param {Iterable<number>} values @param {(value: number) => boolean} counts
 * @param {[number, number]} otherwise  If none counts.
 * @returns {[number, number]} The least and the most.
 */
function extent(values, counts, otherwise) {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    if (!counts(value)) continue;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return least <= most ? [least, most] : otherwise;
}
