/**
 * Reads and writes puzzle files as the page does: `node formats.ts CORE`, a request as JSON on each line of standard input.
 * `{name, bytes, format?}` is a file to read, with its bytes in base64; `{puzzle, format}` one to write; `{link}` a link.
 */

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Core } from "../../web/src/core/module.ts";
import { readLink } from "../../web/src/model/files.ts";
import { listsOf } from "../../web/src/model/formats/clue_lists/lists.ts";
import { decode as documentOf, encode } from "../../web/src/model/formats/data/json.ts";
import { FileError } from "../../web/src/model/formats/puzzle.ts";
import { FORMATS, readPuzzles, writePuzzle } from "../../web/src/model/formats/registry.ts";
import { decode } from "../../web/src/model/formats/source.ts";

interface Request {
  name?: string;
  bytes?: string;
  format?: string;
  puzzle?: unknown;
  link?: string;
}

const core = await Core.load(readFileSync(process.argv[2] as string));

async function answer({ name = "puzzle", bytes, format, puzzle, link }: Request): Promise<unknown> {
  if (bytes !== undefined) {
    const source = decode(name, Buffer.from(bytes, "base64"));
    source.lists = await listsOf(source, core);
    const read = readPuzzles(source, format);
    return { format: read.format.name, puzzles: read.puzzles.map(encode), notes: read.notes };
  }
  if (puzzle !== undefined) return { text: writePuzzle(documentOf(puzzle), format ?? "json") };
  if (link !== undefined) return { isPuzzle: readLink(link) !== undefined };
  return { formats: FORMATS.map((known) => ({ name: known.name, suffixes: known.suffixes, writes: known.write !== undefined, colours: known.holdsColours ?? false })) };
}

for await (const line of createInterface({ input: process.stdin })) {
  let said: unknown;
  try {
    said = await answer(JSON.parse(line));
  } catch (error) {
    said = error instanceof FileError ? { error: error.message } : { crash: String(error instanceof Error ? error.stack : error) };
  }
  console.log(JSON.stringify(said));
}
