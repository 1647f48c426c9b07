/** A file format: its name, how to recognise it, and how to read and write it. */

import type { Puzzle } from "./puzzle.ts";
import type { Head, Source } from "./source.ts";

/** How much the content of a file speaks for a format (`nonocsp.formats.base.Sureness`). */
export const SURENESS = { no: 0, weak: 1, strong: 2, certain: 3 } as const;

export interface Evidence {
  sureness: number;
  /** The reason; of `no`, what speaks against the format. */
  why: string;
  /** The line that speaks against the format, 0 if there is none. */
  line: number;
}

const evidence =
  (sureness: number) =>
  (why: string, line = 0): Evidence => ({ sureness, why, line });
/** Something speaks against the format. */
export const no = evidence(SURENESS.no);
/** Nothing speaks against it, but other texts look like that, too. */
export const weak = evidence(SURENESS.weak);
/** The structure is that of the format. */
export const strong = evidence(SURENESS.strong);
/** A mark that only this format has. */
export const certain = evidence(SURENESS.certain);

/** A format that the page recognises. */
export interface Known {
  name: string;
  /** The preferred one first; none if a file is only written by name. */
  suffixes: string[];
  sniff(head: Head): Evidence;
  /** Only files that no other format matches are of this one. */
  isAskedLast?: boolean;
}

/** A format that the page reads. */
export interface Format extends Known {
  /** Yields the puzzles of a file; throws a FileError. */
  read(source: Source): Iterable<Puzzle>;
  /** Returns the file of a puzzle; of a format that is only read, undefined. */
  write?(puzzle: Puzzle): string;
  holdsColours?: boolean;
}
