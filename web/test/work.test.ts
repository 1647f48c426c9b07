import { readFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import { CoreClient } from "../src/core/client.ts";
import type { Answer, Request } from "../src/core/records.ts";
import { type Clues, Core, type Drawing } from "../src/core/module.ts";
import { Work } from "../src/core/work.ts";

let core: Core;
beforeAll(async () => {
  core = await Core.load(await readFile(new URL("../../build/studio/nonocsp.wasm", import.meta.url)));
});

const diagonal = { rows: 3, columns: 3, colours: 2, cells: Uint8Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1) };
const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

async function answered(request: Request): Promise<Answer[]> {
  const answers: Answer[] = [];
  await new Work(core, (answer) => answers.push(answer), tick).take(request);
  return answers;
}

test("an ambiguous drawing is judged, with its repairs if they are wanted", async () => {
  const request = { kind: "judge", generation: 1, drawing: diagonal, wantsRepairs: true } as const;
  const answers = await answered(request);
  const verdict = answers.find((answer) => answer.kind === "verdict");
  expect(verdict?.kind === "verdict" && verdict.verdict).toMatchObject({ solutions: "several", isComplete: true, open: 9 });
  const repairs = answers.at(-1);
  expect(repairs?.kind === "repairs" && repairs.left).toBe(0);
  expect(repairs?.kind === "repairs" && repairs.effects.includes(3)).toBe(true);
  expect((await answered({ ...request, wantsRepairs: false })).every(({ kind }) => kind === "verdict")).toBe(true);
});

test("clues are solved, and those without a solution say so", async () => {
  const line = (...lengths: number[]) => lengths.map((length) => ({ length, colour: 1 }));
  const clues = { colours: 2, rows: [line(1)], columns: [line(1), line()] };
  const [solved] = await answered({ kind: "solve", generation: 1, clues });
  expect(solved?.kind === "solved" && Array.from(solved.cells ?? [])).toEqual([1, 0]);
  const [none] = await answered({ kind: "solve", generation: 1, clues: { ...clues, columns: [line(1), line(1)] } });
  expect(none?.kind === "solved" && none.cells).toBeUndefined();
});

test("of clues that need not fit, the changes that leave one solution are found", async () => {
  const line = (...lengths: number[]) => lengths.map((length) => ({ length, colour: 1 }));
  const rows = [line(2, 1), line(2), line(3)];
  const columns = [line(2), line(1, 1), line(1), line(1, 1)];
  const [answer] = await answered({ kind: "mend", generation: 1, clues: { colours: 2, rows, columns } });
  const mends = [{ kind: "number", lines: [{ line: ["row", 1], clue: line(1) }] }];
  expect(answer?.kind === "mended" && answer.found).toMatchObject({ isComplete: true, mends, contradiction: [["row", 1], ["column", 1], ["column", 3]] });
});

test("a drawing that the core refuses is a failure with its reason", async () => {
  const drawing = { ...diagonal, cells: Uint8Array.of(9, 0, 0, 0, 1, 0, 0, 0, 1) };
  const [failed] = await answered({ kind: "judge", generation: 1, drawing, wantsRepairs: false });
  expect(failed).toMatchObject({ kind: "failed", message: "a cell has an unknown colour" });
});

test("a newer request ends an older one at its next pause", async () => {
  const answers: Answer[] = [];
  const random = Uint8Array.from({ length: 900 }, (_, i) => (Math.imul(i + 7, 2654435761) >>> 16) & 1);
  const work = new Work(core, (answer) => answers.push(answer), tick);
  const slow = { rows: 30, columns: 30, colours: 2, cells: random };
  const older = work.take({ kind: "judge", generation: 1, drawing: slow, wantsRepairs: true });
  work.stopBefore(2);
  await older;
  await work.take({ kind: "judge", generation: 2, drawing: diagonal, wantsRepairs: false });
  expect(answers.some(({ kind, generation }) => kind === "repairs" && generation === 1)).toBe(false);
  expect(answers.at(-1)).toMatchObject({ kind: "verdict", generation: 2 });
});

test("the page drops answers to older requests", () => {
  const seen: string[] = [];
  const worker = { postMessage: () => {}, onmessage: null } as unknown as Worker;
  const listener = { verdict: () => seen.push("verdict"), repairs: () => seen.push("repairs"), failed: seen.push.bind(seen), died() {} };
  const client = new CoreClient(() => worker, listener);
  client.judge(diagonal, false);
  client.judge(diagonal, false);
  const send = (answer: Partial<Answer>) => worker.onmessage?.({ data: answer } as MessageEvent);
  send({ kind: "verdict", generation: 1 });
  send({ kind: "failed", generation: 2, message: "no" } as Answer);
  expect(seen).toEqual(["no"]);
});

/** The clues of a drawing in one colour. */
function cluesOf({ rows, columns, cells }: Drawing): Clues {
  const line = (values: number[]) =>
    values
      .join("")
      .split("0")
      .filter(Boolean)
      .map(({ length }) => ({ length, colour: 1 }));
  const at = (row: number, column: number) => cells[row * columns + column] ?? 0;
  const range = (n: number) => Array.from({ length: n }, (_, i) => i);
  return {
    colours: 2,
    rows: range(rows).map((row) => line(range(columns).map((column) => at(row, column)))),
    columns: range(columns).map((column) => line(range(rows).map((row) => at(row, column)))),
  };
}

/** A domino, which lines do not solve, in a picture that they do. */
const asking = { rows: 4, columns: 3, colours: 2, cells: Uint8Array.of(1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0) };

test("a puzzle is explained from its first step to its end", async () => {
  const answers = await answered({ kind: "explain", generation: 1, clues: cluesOf(asking), grid: undefined });
  const parts = answers.flatMap((answer) => (answer.kind === "steps" ? [answer] : []));
  expect(parts[0]?.steps).toHaveLength(1);
  expect(parts.at(-1)?.ending).toEqual({ verdict: "solved", line: undefined });
  const steps = parts.flatMap((part) => part.steps);
  expect(steps.some(({ technique }) => technique === "probe")).toBe(true);
  const grid = new Array<number[]>(12).fill([0, 1]);
  for (const [row, column, before, after] of steps.flatMap(({ changes }) => changes)) {
    expect(grid[3 * row + column]).toEqual(before);
    grid[3 * row + column] = after;
  }
  expect(grid.flat()).toEqual(Array.from(asking.cells));
  const ambiguous = await answered({ kind: "explain", generation: 1, clues: cluesOf(diagonal), grid: undefined });
  expect(ambiguous.at(-1)).toMatchObject({ steps: [], ending: { verdict: "stuck" } });
});

test("a hint is the next step, or names the mistakes", async () => {
  const clues = cluesOf(asking);
  const open = new BigUint64Array(12).fill(3n);
  const [next] = await answered({ kind: "hint", generation: 1, clues, grid: open });
  expect(next?.kind === "hinted" && next.hint.steps[0]?.changes.length).toBeGreaterThan(0);
  const full = BigUint64Array.from(asking.cells, (colour) => 1n << BigInt(colour));
  const [none] = await answered({ kind: "hint", generation: 1, clues, grid: full });
  expect(none).toMatchObject({ hint: { wrong: [], broken: [], clash: null, steps: [] } });
  full[0] = 1n;
  const [wrong] = await answered({ kind: "hint", generation: 1, clues, grid: full });
  expect(wrong?.kind === "hinted" && [wrong.hint.broken[0]?.line, wrong.hint.steps]).toEqual([["row", 0], []]);
});

test("a grade has a level if there is one solution, and tells when each cell falls", async () => {
  const [grade] = (await answered({ kind: "grade", generation: 1, clues: cluesOf(asking) })).slice(-1);
  if (grade?.kind !== "graded") throw new Error("no grade");
  expect(grade).toMatchObject({ isComplete: true, grade: { solutions: "one", level: "hard" } });
  const { grades, decidedIn, rounds } = grade.grade.effort;
  expect(grades).toContain(5);
  expect(Math.min(...decidedIn)).toBe(1);
  expect(Math.max(...decidedIn)).toBe(grades.length);
  expect(rounds.reduce((sum, count) => sum + count)).toBe(grades.length);
  const [several] = (await answered({ kind: "grade", generation: 1, clues: cluesOf(diagonal) })).slice(-1);
  expect(several).toMatchObject({ grade: { solutions: "several", level: undefined } });
  const plus = { rows: 1, columns: 2, colours: 2, cells: Uint8Array.of(1, 0) };
  const [trivial] = (await answered({ kind: "grade", generation: 1, clues: cluesOf(plus) })).slice(-1);
  expect(trivial).toMatchObject({ grade: { solutions: "one", level: "easy" } });
});

test("the client tells steps as they come, and the end; a newer question replaces an older one", async () => {
  const sent: Request[] = [];
  const worker = { postMessage: (request: Request) => sent.push(request), onmessage: null } as unknown as Worker;
  const client = new CoreClient(() => worker, { verdict: () => {}, repairs: () => {}, failed: () => {}, died: () => {} });
  const steps: number[] = [];
  void client.grade(cluesOf(asking)).then(() => steps.push(-1));
  const explained = client.explain(cluesOf(asking), (more) => steps.push(more.length));
  expect(sent.map(({ kind, generation }) => [kind, generation])).toEqual([
    ["grade", 1],
    ["explain", 2],
  ]);
  for (const request of sent)
    for (const data of await answered(request)) worker.onmessage?.({ data } as MessageEvent<Answer>);
  expect((await explained).verdict).toBe("solved");
  expect(steps[0]).toBe(1);
  expect(steps).not.toContain(-1);
  const refused = client.hint({ ...cluesOf(asking), colours: 1 }, new BigUint64Array(12));
  for (const data of await answered(sent.at(-1) as Request)) worker.onmessage?.({ data } as MessageEvent<Answer>);
  await expect(refused).rejects.toThrow("a puzzle has 2 to 64 colours");
});
