/** A certificate that a puzzle has one solution, as `nonocsp certificate verify` reads it, in an archive. */

import { zipSync } from "fflate";
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
  const files = { [`${name}.json`]: document, [`${name}.cnf`]: formula, [`${name}.drat`]: proof };
  return new Blob([zipSync(files, { mtime: new Date(1980, 0, 1) })], { type: "application/zip" });
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
