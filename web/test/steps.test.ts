import { describe, expect, test } from "vitest";
import type { Block } from "../src/core/module.ts";
import { OPEN } from "../src/board/lines.ts";
import { foundBlocks } from "../src/player/game.ts";
import { gridAfter, hardest, type Step } from "../src/steps/walk.ts";

const PALETTE = [..."·ab"].map((char) => ({ name: char, rgb: "#000000", char }));

/** All lines that show a clue. */
function* placements(clue: Block[], length: number): Generator<{ line: string; starts: number[] }> {
  const [first, ...rest] = clue;
  if (!first) return yield { line: "·".repeat(length), starts: [] };
  const char = PALETTE[first.colour]?.char ?? "";
  const gap = rest[0]?.colour === first.colour ? "·" : "";
  for (let before = 0; before + first.length <= length; before++) {
    const head = "·".repeat(before) + char.repeat(first.length) + (rest.length ? gap : "");
    if (head.length > length) continue;
    for (const { line, starts } of placements(rest, length - head.length))
      yield { line: head + line, starts: [before, ...starts.map((start) => start + head.length)] };
  }
}

/** Numbers from a seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let z = Math.imul(state ^ (state >>> 15), 1 | state);
    z = (z + Math.imul(z ^ (z >>> 7), 61 | z)) ^ z;
    return ((z ^ (z >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe("blocks that people strike out", () => {
  test("have one place in all placements, and are decided there", () => {
    const draw = random(5);
    let struck = 0;
    for (let round = 0; round < 400; round++) {
      const length = 4 + Math.floor(draw() * 6);
      const solution = Array.from({ length }, () => "·ab"[Math.floor(draw() * 3)] as string).join("");
      const clue = [...solution.matchAll(/a+|b+/g)].map(([run]) => ({ length: run.length, colour: run[0] === "a" ? 1 : 2 }));
      const cells = [...solution].map((char) => (draw() < 0.6 ? char : draw() < 0.5 ? "·ab" : [...new Set(["·", char])].join("")));
      const fitting = [...placements(clue, length)].filter(({ line }) => [...line].every((char, i) => cells[i]?.includes(char)));
      const expected = clue.map(({ length: size }, j) => {
        const places = new Set(fitting.map(({ starts }) => starts[j] as number));
        const [start = 0] = places;
        return places.size === 1 && cells.slice(start, start + size).every((cell) => cell.length === 1);
      });
      const marks = cells.map((cell) => (cell.length === 1 ? "·ab".indexOf(cell) : OPEN));
      const found = foundBlocks(clue, marks);
      expect(found.every((isFound, j) => !isFound || expected[j]), `${solution} ${cells}`).toBe(true);
      struck += found.filter(Boolean).length;
    }
    expect(struck).toBeGreaterThan(100);
  });
});

describe("a walk", () => {
  const step = (grade: number, ...cells: Step["cells"]): Step => ({ technique: "fit", grade, cells, title: "", text: "" });
  const steps = [step(1, { row: 1, column: 2, candidates: "a" }), step(3, { row: 2, column: 1, candidates: "·b" }), step(3)];

  test("puts the cells of the first steps into the grid", () => {
    const start = ["·ab", "·ab", "·ab", "·ab"];
    expect(gridAfter(start, steps, 0, 2)).toEqual(start);
    expect(gridAfter(start, steps, 1, 2)).toEqual(["·ab", "a", "·ab", "·ab"]);
    expect(gridAfter(start, steps, 3, 2)).toEqual(["·ab", "a", "·b", "·ab"]);
  });

  test("is hardest at all steps of its highest grade", () => {
    expect(hardest(steps)).toEqual([1, 2]);
    expect(hardest([])).toEqual([]);
  });
});
