/** Where the points of curves stand, each with a depth and a difficulty, and which is nearest. */

export const BOX = { width: 760, height: 380, left: 56, right: 744, top: 14, bottom: 334 };

/** Lays out curves of points, each a depth and a difficulty. */
export function layout(curves: (readonly [depth: number, difficulty: number])[][]) {
  const points = curves.flat();
  const depths = ticks(Math.max(0, ...points.map(([depth]) => depth)));
  const difficulties = ticks(Math.max(0, ...points.map(([, difficulty]) => difficulty)));
  const x = (depth: number) => rounded(BOX.left + ((BOX.right - BOX.left) / (depths.at(-1) || 1)) * depth);
  const y = (difficulty: number) => rounded(BOX.bottom - ((BOX.bottom - BOX.top) / (difficulties.at(-1) || 1)) * difficulty);
  return {
    curves: curves.map((curve) => curve.map(([depth, difficulty]) => ({ x: x(depth), y: y(difficulty) }))),
    depths: depths.map((value) => ({ value, at: x(value) })),
    difficulties: difficulties.map((value) => ({ value, at: y(value) })),
  };
}

/** Returns round values from 0 to the first that is not below the highest. */
export function ticks(highest: number): number[] {
  const rough = Math.max(highest, 1) / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, Math.round(([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power));
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, i) => i * step);
}

const rounded = (value: number) => Math.round(value * 10) / 10;

/** How near the pointer must come to a point, in units of the drawing. */
const REACH = 40;

export interface Spot {
  curve: number;
  point: number;
}

export function nearest(x: number, y: number, curves: { x: number; y: number }[][]): Spot | undefined {
  let best: Spot | undefined;
  let reach = REACH;
  curves.forEach((points, curve) =>
    points.forEach((at, point) => {
      const distance = Math.hypot(at.x - x, at.y - y);
      if (distance < reach) [reach, best] = [distance, { curve, point }];
    }),
  );
  return best;
}
