import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { unpacked } from "../src/core/lzma.ts";

const { compress } = createRequire(import.meta.url)("lzma1") as { compress(data: Uint8Array, mode: number): Uint8Array };

test("what the library packs is unpacked: runs, repeats at several distances, and noise", () => {
  for (const seed of [1, 2, 3]) {
    let noise = seed;
    const next = () => (noise = (noise * 48271) % 2147483647);
    const bytes: number[] = [];
    while (bytes.length < 20_000) {
      const from = next() % (bytes.length + 1);
      if (next() % 3) bytes.push(...bytes.slice(from, from + (next() % (next() % 9 ? 12 : 600))));
      else bytes.push(next() % 256);
    }
    const data = Uint8Array.from(bytes);
    expect(Buffer.compare(unpacked(compress(data, 9)), data)).toBe(0);
  }
  expect(unpacked(compress(Uint8Array.of(7), 9))).toEqual(Uint8Array.of(7));
});
