/** A certificate that a puzzle has one solution, as `nonocsp certificate verify` reads it, in an archive. */

import type { Certificate } from "../core/records.ts";
import { encode } from "../model/formats/data/json.ts";
import type { Puzzle } from "../model/formats/puzzle.ts";

type Json = string | number | Json[] | { [key: string]: Json };

/** The files NAME.json, NAME.cnf and NAME.drat in a ZIP archive. */
export async function certificateFile(puzzle: Puzzle, { formula, proof }: Certificate): Promise<Blob> {
  const name = puzzle.title.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "") || "puzzle";
  const { goal, ...clues } = encode(puzzle) as { [key: string]: Json };
  const attached = async (file: string, bytes: Uint8Array<ArrayBuffer>) => ({ file, sha256: await sha256(bytes) });
  const content: { [key: string]: Json } = {
    format: "nonocsp certificate",
    version: 2,
    claim: "unique",
    puzzle: clues,
    solutions: [goal ?? []],
    formula: await attached(`${name}.cnf`, formula),
    proof: await attached(`${name}.drat`, proof),
  };
  const seal = await sha256(new TextEncoder().encode(canonical(content)));
  const document = new TextEncoder().encode(`${JSON.stringify({ ...content, sha256: seal }, null, 1)}\n`);
  return archive([[`${name}.json`, document], [`${name}.cnf`, formula], [`${name}.drat`, proof]]);
}

/** JSON with sorted keys, in ASCII and without white space. */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value === "object") return `{${Object.keys(value).sort().map((key) => `${canonical(key)}:${canonical(value[key] ?? "")}`).join(",")}}`;
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A ZIP archive of files that are not compressed. */
function archive(files: [name: string, bytes: Uint8Array<ArrayBuffer>][]): Blob {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let at = 0;
  for (const [name, bytes] of files) {
    // Version, flags, method, time and date (1 January 1980), checksum, both sizes, lengths of name and extra field.
    const head = numbers([2, 20], [2, 0], [2, 0], [2, 0], [2, 33], [4, crc32(bytes)], [4, bytes.length], [4, bytes.length], [2, name.length], [2, 0]);
    const title = Uint8Array.from(name, (char) => char.charCodeAt(0));
    directory.push(numbers([4, 0x02014b50], [2, 20]), head, numbers([2, 0], [2, 0], [2, 0], [4, 0], [4, at]), title);
    const file = [numbers([4, 0x04034b50]), head, title, bytes];
    parts.push(...file);
    at += sizeOf(file);
  }
  return new Blob([...parts, ...directory, numbers([4, 0x06054b50], [4, 0], [2, files.length], [2, files.length], [4, sizeOf(directory)], [4, at], [2, 0])], { type: "application/zip" });
}

const sizeOf = (parts: Uint8Array[]) => parts.reduce((sum, { length }) => sum + length, 0);

/** Numbers of 2 or 4 bytes, the lowest byte first. */
function numbers(...fields: [bytes: number, value: number][]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(fields.flatMap(([bytes, value]) => Array.from({ length: bytes }, (_, i) => (value >>> (8 * i)) & 255)));
}

function crc32(bytes: Uint8Array): number {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}
