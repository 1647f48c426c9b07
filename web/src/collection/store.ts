/** The puzzles that an author keeps in the browser's storage, each under a key of its own. */

import { documentOf, FileError, readDocument } from "../model/files.ts";
import type { Picture } from "../model/picture.ts";

export interface Kept {
  id: string;
  /** When it was kept, in ms since 1970. */
  changed: number;
  picture: Picture;
}

const PREFIX = "nonocsp.gallery.";

/** All kept puzzles, the newest first; what cannot be read is left out, and left alone. */
export function keptPuzzles(): Kept[] {
  const found: Kept[] = [];
  for (const key of storedKeys()) {
    try {
      const { changed, puzzle } = JSON.parse(localStorage.getItem(key) ?? "");
      found.push({ id: key.slice(PREFIX.length), changed: Number(changed) || 0, picture: pictureOf(puzzle) });
    } catch {
      // Another version of the page may read it.
    }
  }
  return found.sort((a, b) => b.changed - a.changed || (a.id < b.id ? 1 : -1));
}

function storedKeys(): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  } catch {
    return [];
  }
}

/** Keeps a picture as a new puzzle, or in the place of a kept one; throws if the browser does not store it. */
export function keepPuzzle(picture: Picture, { id = newId(), changed = Date.now() } = {}): void {
  localStorage.setItem(PREFIX + id, JSON.stringify({ changed, puzzle: documentOf(picture) }));
}

export function forgetPuzzle(id: string): void {
  localStorage.removeItem(PREFIX + id);
}

const newId = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 10)}`;

function pictureOf(puzzle: unknown): Picture {
  const read = readDocument(puzzle);
  if (!("cells" in read)) throw new FileError("it has no picture (goal)");
  return read;
}

/** All puzzles as one file: the list that `nonocsp` reads as format `json`. */
export function exported(puzzles: Kept[]): string {
  return `[\n${puzzles.map(({ picture }) => JSON.stringify(documentOf(picture))).join(",\n")}\n]\n`;
}

/** Keeps the puzzles of such a file, or of a file with one; the messages of those that are none. */
export function imported(text: string): { count: number; faults: string[] } {
  const value: unknown = JSON.parse(text);
  const faults: string[] = [];
  let count = 0;
  for (const [i, puzzle] of (Array.isArray(value) ? value : [value]).entries()) {
    let picture: Picture;
    try {
      picture = pictureOf(puzzle);
    } catch (error) {
      faults.push(`${i + 1}: ${error instanceof Error ? error.message : String(error)}`);
      continue;
    }
    keepPuzzle(picture, { changed: Date.now() - i });
    count++;
  }
  return { count, faults };
}
