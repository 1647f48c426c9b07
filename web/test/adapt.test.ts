import { readFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import { adapt } from "../src/core/adapt.ts";
import { Core, type Drawing } from "../src/core/module.ts";

let core: Core;
beforeAll(async () => {
  core = await Core.load(await readFile(new URL("../../build/studio/nonocsp.wasm", import.meta.url)));
});

const run = async (advance: (size: number) => boolean) => {
  while (!advance(64));
};

function isUnique(drawing: Drawing): boolean {
  const judge = core.judge(drawing);
  while (!judge.advance(1000));
  const { solutions } = judge;
  judge.close();
  return solutions === "one";
}

/** Pictures that repeat, from a generator of random numbers that is the same everywhere. */
function drawings(count: number, size: number, colours: number): Drawing[] {
  let state = 1;
  const random = () => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) / 2 ** 32;
  return Array.from({ length: count }, () => ({ rows: size, columns: size, colours, cells: Uint8Array.from({ length: size * size }, () => Math.floor(random() * colours)) }));
}

test("the changes leave one solution, and each of them is needed", async () => {
  let adapted = 0;
  for (const drawing of [...drawings(12, 8, 2), ...drawings(6, 6, 3)]) {
    const changes = await adapt(core, drawing, run, () => {});
    expect(changes).toBeDefined();
    if (!changes) continue;
    const without = (left?: number) => {
      const cells = drawing.cells.slice();
      changes.forEach(({ row, column, colour }, i) => i !== left && (cells[row * drawing.columns + column] = colour));
      return { ...drawing, cells };
    };
    expect(isUnique(without())).toBe(true);
    if (changes.length === 1) changes.forEach((_, i) => expect(isUnique(without(i))).toBe(false));
    adapted += changes.length ? 1 : 0;
  }
  expect(adapted).toBeGreaterThan(5);
});

test("one cell is changed where one suffices, and none where none is needed", async () => {
  const diagonal = { rows: 2, columns: 2, colours: 2, cells: Uint8Array.of(1, 0, 0, 1) };
  expect(await adapt(core, diagonal, run, () => {})).toHaveLength(1);
  expect(await adapt(core, { ...diagonal, cells: Uint8Array.of(1, 1, 0, 1) }, run, () => {})).toEqual([]);
});
