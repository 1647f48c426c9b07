/**
 * Reads and writes puzzle files as the page does: `node formats.ts`, a request as JSON on each line of standard input.
 * `{name, bytes, format?}` is a file to read, with its bytes in base64; `{puzzle, format}` one to write; `{link}` a link.
 */

import { createInterface } from "node:readline";
import { readLink } from "../../web/src/model/files.ts";
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

function answer({ name = "puzzle", bytes, format, puzzle, link }: Request): unknown {
  if (bytes !== undefined) {
    const read = readPuzzles(decode(name, Buffer.from(bytes, "base64")), format);
    return { format: read.format.name, puzzles: read.puzzles.map(encode), notes: read.notes };
  }
  if (puzzle !== undefined) return { text: writePuzzle(documentOf(puzzle), format ?? "json") };
  if (link !== undefined) return { isPuzzle: readLink(link) !== undefined };
  return { formats: FORMATS.map((known) => ({ name: known.name, suffixes: known.suffixes, writes: known.write !== undefined, colours: known.holdsColours ?? false })) };
}

for await (const line of createInterface({ input: process.stdin })) {
  let said: unknown;
  try {
    said = answer(JSON.parse(line));
  } catch (error) {
    said = error instanceof FileError ? { error: error.message } : { crash: String(error instanceof Error ? error.stack : error) };
  }
  console.log(JSON.stringify(said));
}
