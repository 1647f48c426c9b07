import { expect, test } from "vitest";
import { sharesByRank } from "../src/report/axes.ts";

test("a share is marked where its puzzles stand", () => {
  const { ticks, at } = sharesByRank([0, 0, 0, 0, 0.2, 0.5, 0.5, 0.9, 1]);
  expect(ticks.map(({ text }) => Number.parseFloat(text) / 100)).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]);
  for (const { value, text } of ticks) expect(value).toBe(at(Number.parseFloat(text) / 100));
});
