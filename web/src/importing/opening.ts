/** Open what people choose, drop or paste: unpack and read files of puzzles, tell pictures apart. */

import type { CoreClient } from "../core/client.ts";
import { listsOf } from "../model/formats/clue_lists/lists.ts";
import { decode as puzzleOfDocument } from "../model/formats/data/json.ts";
import { FileError, type Puzzle } from "../model/formats/puzzle.ts";
import { readPuzzles } from "../model/formats/registry.ts";
import { decode, FILE_BYTES, tooLarge } from "../model/formats/source.ts";
import { server } from "../studio/server.ts";

export const isPicture = (file: File): boolean => file.type.startsWith("image/") && !/\.(grid|xml)$/i.test(file.name);

export interface Reading {
  /** At least one. */
  puzzles: Puzzle[];
  /** What the reader took or left out on its own, and the fault behind the last puzzle. */
  notes: string[];
}

/** Returns the puzzles of a file; an Error says why there are none. `nonocsp studio` reads what the page cannot. */
export async function readFile(file: File, core: CoreClient, format = ""): Promise<Reading> {
  try {
    return await readHere(file, core, format);
  } catch (error) {
    const host = server();
    if (!host || format || !(error instanceof FileError) || error.draft) throw error;
    const { puzzles, notes } = await host.read(file.name, file);
    return { puzzles: puzzles.map(({ puzzle }) => puzzleOfDocument(puzzle)), notes };
  }
}

/** The puzzles of a file that is compressed by gzip or not. */
async function readHere(file: File, core: CoreClient, format: string): Promise<Reading> {
  const name = file.name.replace(/\.gz$/i, "");
  if (file.size > FILE_BYTES) throw tooLarge(file.name);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const source = decode(name, isPacked ? await unpacked(file) : bytes);
  source.lists = await listsOf(source, core);
  return readPuzzles(source, format);
}

/** What gzip unpacks, as far as a file may be large. */
async function unpacked(file: File): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = file.stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parts.push(part.value);
      size += part.value.length;
      if (size > FILE_BYTES) throw tooLarge(file.name);
    }
  } catch (error) {
    throw error instanceof FileError ? error : new FileError("the compression is damaged", { file: file.name, expected: "a whole file, compressed or not" });
  } finally {
    reader.cancel().catch(() => {});
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** How a puzzle of a set is listed. */
export const nameOf = ({ title, rows, columns }: Puzzle, number: number): string => `${number}${title ? ` ${title.slice(0, 60)}` : ""}, ${rows.length}x${columns.length}`;

/** The files of a drop or of the clipboard; a text of the clipboard is one, too. */
export function filesOf(data: DataTransfer | null): File[] {
  if (data?.files.length) return [...data.files];
  const text = data?.getData("text/plain") ?? "";
  return text.trim() ? [new File([text], "text")] : [];
}
