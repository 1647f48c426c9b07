/**
 * Pictures as puzzles of files, and puzzles in links. `formats` reads and writes the files; here is what the studio adds:
 * it draws puzzles of at most 100 rows and columns in ten colours, and solves clues that come without a picture.
 */

import type { Clues } from "../core/module.ts";
import { decode, encode } from "./formats/data/json.ts";
import { FileError, type Puzzle, puzzleOf, type Texts } from "./formats/puzzle.ts";
import { type Colour, cluesOf, MOST_COLOURS, MOST_LINES, type Picture } from "./picture.ts";

export { FileError };

/** A puzzle without its picture: the clues have to be solved first. */
export interface Unsolved extends Partial<Texts> {
  title: string;
  palette: Colour[];
  clues: Clues;
}

/** What can be drawn of the puzzle of a file; a FileError if it is too large for the studio. */
export function opened({ title, palette, rows, columns, goal, ...rest }: Puzzle): Picture | Unsolved {
  if (Math.max(rows.length, columns.length) > MOST_LINES)
    throw new FileError(`a puzzle of ${rows.length}x${columns.length}`, { expected: `at most ${MOST_LINES} rows and columns, which the studio can draw` });
  if (palette.length > MOST_COLOURS) throw new FileError(`${palette.length} colours`, { expected: `at most ${MOST_COLOURS}, the background included` });
  const texts = Object.fromEntries(Object.entries(rest).filter(([, text]) => text)) as Partial<Texts>;
  const named = palette.map(({ name, rgb, char }) => ({ name: name.slice(0, 40), rgb, char }));
  const common = { ...texts, title: title.slice(0, 200), palette: named };
  if (goal) return { ...common, rows: rows.length, columns: columns.length, cells: goal };
  return { ...common, clues: { colours: palette.length, rows, columns } };
}

/** The puzzle that a picture is the solution of. */
export function puzzleOfPicture(picture: Picture): Puzzle {
  const { title, author = "", licence = "", source = "", palette, cells } = picture;
  const { rows, columns } = cluesOf(picture);
  return puzzleOf({ title, author, licence, source, palette, rows, columns, goal: cells });
}

/** The part of a link after `#`: the file, so that whoever opens it needs nothing else. */
export function linkOf(picture: Picture): string {
  const { rows: _, columns: __, ...document } = encode(puzzleOfPicture(picture));
  const bytes = new TextEncoder().encode(JSON.stringify(document));
  return `p=${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** The puzzle of a link, undefined if there is none in it. */
export function readLink(hash: string): Picture | undefined {
  const packed = /^#?p=([\w-]+)$/.exec(hash)?.[1];
  if (!packed) return undefined;
  let read: Picture | Unsolved;
  try {
    const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
    read = opened(decode(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes))));
  } catch (error) {
    throw new FileError(`the link is damaged: ${error instanceof FileError ? error.message : "it is cut off"}`);
  }
  if (!("cells" in read)) throw new FileError("the link is damaged: it has no picture");
  return read;
}

/** The project's JSON of a picture, as an object. */
export const documentOf = (picture: Picture): Record<string, unknown> => encode(puzzleOfPicture(picture));

/** What can be drawn of a document in the project's JSON. */
export const readDocument = (document: unknown): Picture | Unsolved => opened(decode(document));

/** Solves clues that come without a picture; undefined if they have no solution. */
export async function solved(read: Picture | Unsolved, solve: (clues: Clues) => Promise<Uint8Array | undefined>): Promise<Picture | undefined> {
  if ("cells" in read) return read;
  const { clues, ...rest } = read;
  const cells = await solve(clues);
  return cells && { ...rest, rows: clues.rows.length, columns: clues.columns.length, cells };
}
