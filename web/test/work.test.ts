import { readFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import { CoreClient } from "../src/core/client.ts";
import type { Answer, Request } from "../src/core/messages.ts";
import { Core } from "../src/core/module.ts";
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
  const listener = { verdict: () => seen.push("verdict"), repairs: () => seen.push("repairs"), failed: seen.push.bind(seen) };
  const client = new CoreClient(worker, listener);
  client.judge(diagonal, false);
  client.judge(diagonal, false);
  const send = (answer: Partial<Answer>) => worker.onmessage?.({ data: answer } as MessageEvent);
  send({ kind: "verdict", generation: 1 });
  send({ kind: "failed", generation: 2, message: "no" } as Answer);
  expect(seen).toEqual(["no"]);
});
