/**
 * Choose the colours of a puzzle from those of a picture, in OKLab: the most common colours of a coarse grid, then the
 * cheapest merges by Ward's method (1963), with the root of the number of pixels as the size of a group: what is small but
 * different, such as eyes, keeps its colour (`nonocsp.making.colours`).
 */

import { type Lab, oklab } from "../model/oklab.ts";

/** How much lightness, red and yellow count when colours are told apart. */
const SHADED = [0.3, 1, 1] as const;
/** Colours that are nearer than this look like one colour in other light. */
const ALIKE = 0.045;
/** Groups before merging. */
const MOST_GROUPS = 128;
const [NEARLY_WHITE, NEARLY_BLACK] = [242, 13];

export interface Group {
  /** The typical colour as a number, and in OKLab. */
  colour: number;
  lab: Lab;
}

const distance = (a: Lab, b: Lab): number => Math.hypot(SHADED[0] * (a[0] - b[0]), a[1] - b[1], a[2] - b[2]);

/** The number of the colour that people would call another one. */
export function nearest(own: Lab, labs: readonly Lab[]): number {
  let [best, far] = [0, Infinity];
  for (const [i, lab] of labs.entries()) {
    const apart = distance(own, lab);
    if (apart < far) [best, far] = [i, apart];
  }
  return best;
}

interface Bin {
  size: number;
  mean: [number, number, number];
  colours: Map<number, number>;
}

/** At most so many colours that stand for those of all pixels; at least two if there are two. */
export function groupsOf(pixels: Int32Array, most: number): Group[] {
  const counts = new Map<number, number>();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  // Photos have many colours: those that share the upper bits begin as one group.
  let bits = 8;
  let bins = binned(counts, bits);
  while (bins.length > 4 * MOST_GROUPS && bits > 3) bins = binned(counts, --bits);
  bins.sort((a, b) => b.size - a.size);
  for (const rest of bins.splice(MOST_GROUPS)) join(bins[nearest(rest.mean, bins.map(({ mean }) => mean))] as Bin, rest);
  merge(bins, most);
  return bins.map(({ colours }) => {
    const colour = typical(colours);
    return { colour, lab: labOf(colour) };
  });
}

const labOf = (colour: number): Lab => oklab(colour >> 16, (colour >> 8) & 255, colour & 255);

function binned(counts: Map<number, number>, bits: number): Bin[] {
  const shift = 8 - bits;
  const bins = new Map<number, Bin>();
  for (const [colour, count] of counts) {
    const key = ((colour >> (16 + shift)) << 16) | (((colour >> (8 + shift)) & (255 >> shift)) << 8) | ((colour & 255) >> shift);
    const own: Bin = { size: count, mean: [...labOf(colour)], colours: new Map([[colour, count]]) };
    const bin = bins.get(key);
    if (bin) join(bin, own);
    else bins.set(key, own);
  }
  return [...bins.values()];
}

function join(one: Bin, other: Bin): void {
  const size = one.size + other.size;
  one.mean = one.mean.map((value, k) => (value * one.size + (other.mean[k] as number) * other.size) / size) as [number, number, number];
  one.size = size;
  for (const [colour, count] of other.colours) one.colours.set(colour, (one.colours.get(colour) ?? 0) + count);
}

function merge(bins: Bin[], most: number): void {
  while (bins.length > 2) {
    const isMany = bins.length > most;
    let [cost, one, other] = [Infinity, 0, 0];
    for (let i = 0; i < bins.length; i++)
      for (let j = i + 1; j < bins.length; j++) {
        const [a, b] = [bins[i] as Bin, bins[j] as Bin];
        const far = distance(a.mean, b.mean);
        const [p, q] = [Math.sqrt(a.size), Math.sqrt(b.size)];
        const own = isMany ? (far ** 2 * p * q) / (p + q) : far;
        if (own < cost) [cost, one, other] = [own, i, j];
      }
    if (!isMany && cost >= ALIKE) return;
    join(bins[one] as Bin, bins.splice(other, 1)[0] as Bin);
  }
}

/** The colour of a group that is nearest to its median; nearly white is white, and so is black. */
function typical(colours: Map<number, number>): number {
  const total = [...colours.values()].reduce((a, b) => a + b, 0);
  const median = [16, 8, 0].map((shift) => {
    const ordered = [...colours].map(([colour, count]) => [(colour >> shift) & 255, count] as const).sort((a, b) => a[0] - b[0]);
    let below = 0;
    return ordered.find(([, count]) => (below += count) >= total / 2)?.[0] ?? 0;
  }) as [number, number, number];
  const centre = oklab(...median);
  const apart = (colour: number) => {
    const own = labOf(colour);
    return Math.hypot(own[0] - centre[0], own[1] - centre[1], own[2] - centre[2]);
  };
  const found = [...colours.keys()].reduce((a, b) => (apart(b) < apart(a) ? b : a));
  const channels = [found >> 16, (found >> 8) & 255, found & 255];
  if (Math.min(...channels) >= NEARLY_WHITE) return 0xffffff;
  return Math.max(...channels) <= NEARLY_BLACK ? 0 : found;
}
