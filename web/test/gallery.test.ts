import { expect, test } from "vitest";
import { BOX, layout, ticks } from "../src/gallery/layout.ts";
import { styleOf } from "../src/shared/series.tsx";

test.each([
  [0, [0]],
  [5, [0, 1, 2, 3, 4, 5]],
  [13, [0, 5, 10, 15]],
  [61, [0, 20, 40, 60, 80]],
])("ticks are round and reach %i", (highest, expected) => {
  expect(ticks(highest)).toEqual(expected);
});

test("harder puzzles are higher and later ones further right, inside the axes", () => {
  const curves = [[[0, 4], [1, 4], [2, 9], [7, 3]], [[0, 12], [3, 1]], []] as [number, number][][];
  const plot = layout(curves);
  const known = curves.flat();
  const points = plot.curves.flat();
  points.forEach((a, i) =>
    points.forEach((b, j) => {
      const [depth = 0, difficulty = 0] = known[i] ?? [];
      const [otherDepth = 0, otherDifficulty = 0] = known[j] ?? [];
      expect(Math.sign(a.x - b.x)).toBe(Math.sign(depth - otherDepth));
      expect(Math.sign(b.y - a.y)).toBe(Math.sign(difficulty - otherDifficulty));
    }),
  );
  for (const { x, y } of points) {
    expect(x).toBeGreaterThanOrEqual(BOX.left);
    expect(x).toBeLessThanOrEqual(BOX.right);
    expect(y).toBeGreaterThanOrEqual(BOX.top);
    expect(y).toBeLessThanOrEqual(BOX.bottom);
  }
  expect(plot.curves.map((curve) => curve.length)).toEqual([4, 2, 0]);
});

test("puzzles without changes are a point at the left", () => {
  expect(layout([[[0, 3]]]).curves).toEqual([[{ x: BOX.left, y: BOX.top }]]);
});

test("no two of forty series look the same, and neighbours differ in both colour and mark", () => {
  const styles = Array.from({ length: 40 }, (_, series) => styleOf(series));
  expect(new Set(styles.map(({ stroke, mark }) => stroke + mark)).size).toBe(40);
  styles.slice(1).forEach(({ stroke, mark }, i) => expect([styles[i]?.stroke === stroke, styles[i]?.mark === mark]).toEqual([false, false]));
});
