/**
 * Recognise the format of a file by evidence, read it, and write files (`nonocsp.formats.registry`, `recognition`). The suffix
 * counts half a step, so neither a suffix nor a weak match is enough alone. If several formats match best, each reads the
 * file, and they must find the same puzzles.
 */

import { type Evidence, type Format, SURENESS } from "./base.ts";
import { gnonograms } from "./clue_lists/gnonograms.ts";
import { non } from "./clue_lists/non.ts";
import { olsak } from "./clue_lists/olsak.ts";
import { picross, tournament } from "./clue_lists/sets.ts";
import { cwd, keen, mk, nin } from "./clue_lists/sized.ts";
import { bosch, gameId } from "./clue_lists/webpbn_exports.ts";
import { asp } from "./data/asp.ts";
import { dzn, dznDfa, dznStates } from "./data/dzn.ts";
import { json, jsonl } from "./data/json.ts";
import { jsonHints, puzzlekit } from "./data/json_others.ts";
import { nonogrid } from "./data/nonogrid.ts";
import { pynogram } from "./data/pynogram.ts";
import { table } from "./data/table.ts";
import { freenono } from "./documents/freenono.ts";
import { latex } from "./documents/latex.ts";
import { webPage } from "./documents/web_page.ts";
import { webpbn } from "./documents/webpbn.ts";
import { text } from "./pictures/text.ts";
import { clueKey, FileError, isOneColour, type Puzzle } from "./puzzle.ts";
import type { Source } from "./source.ts";

export const FORMATS: readonly Format[] = [
  ...[json, jsonl, webpbn, tournament, non, nin, mk, dzn, dznDfa, picross, pynogram, bosch, cwd, gameId, gnonograms, keen],
  ...[olsak, asp, dznStates, jsonHints, nonogrid, puzzlekit, table, freenono, latex, webPage, text],
];
/** Suffixes that say nothing about the format. */
const OF_ALL_TEXTS = [".txt", ".csv", ".tsv"];
/** The least rank of a format that is taken. */
const ENOUGH = 2 * SURENESS.weak + 1;
/** How many puzzles of a set are offered, and how many two readers must have in common. */
export const MOST_PUZZLES = 1000;
const COMPARED = 100;

interface Match {
  format: Format;
  rank: number;
  found: Evidence;
}

export const suffixOf = (name: string): string => (/\.[^./\\]*$/.exec(name)?.[0] ?? "").toLowerCase();

/** The format of that name. */
export function formatNamed(name: string): Format {
  const found = FORMATS.find((format) => format.name === name);
  if (!found) throw new FileError(`there is no format ${name}`, { expected: FORMATS.map((format) => format.name).join(", ") });
  return found;
}

/** The formats that can hold a puzzle and be written. */
export function writable(puzzle: Pick<Puzzle, "palette">): Format[] {
  return FORMATS.filter((format) => format.write && (format.holdsColours || isOneColour(puzzle)));
}

/** Returns the format of a file; a FileError if none matches well, or if several do and read different puzzles. */
export function recognise(source: Source): Format {
  const suffix = suffixOf(source.name);
  const isOwn = (format: Format) => !OF_ALL_TEXTS.includes(suffix) && format.suffixes.includes(suffix);
  const ordered = [...FORMATS.filter(isOwn), ...FORMATS.filter((format) => format.suffixes.includes(suffix) && !isOwn(format)), ...FORMATS.filter((format) => !format.suffixes.includes(suffix))];
  const matches: Match[] = [];
  const { head } = source;
  for (const format of ordered) {
    if (!isOwn(format) && matches.some(({ rank }) => rank > 2 * SURENESS.strong)) break;
    const found = format.sniff(head);
    if (found.sureness === SURENESS.certain) return format;
    matches.push({ format, rank: 2 * found.sureness + Number(isOwn(format)), found });
  }
  const best = Math.max(...matches.map(({ rank }) => rank));
  if (best < ENOUGH) throw refusal(source, matches);
  const equals = matches.filter(({ rank }) => rank === best).map(({ format }) => format);
  return equals.length === 1 ? (equals[0] as Format) : agreed(source, equals);
}

/** The one of several formats that can read the file. */
function agreed(source: Source, equals: Format[]): Format {
  const readings = equals.map((format) => ({ format, found: reading(source, format) })).filter(({ found }) => found.length);
  const [first, ...others] = readings;
  if (!first) return equals[0] as Format;
  const different = others.filter(({ found }) => found.join() !== first.found.join());
  if (!different.length) return first.format;
  const names = [first, ...different].map(({ format }) => format.name).join(" or ");
  throw source.error(`this could be ${names}, which read different puzzles`, { expected: "that you choose one of these formats" });
}

/** The clues that a format finds before the first error. */
function reading(source: Source, format: Format): string[] {
  const found: string[] = [];
  try {
    for (const puzzle of format.read(source)) {
      found.push(clueKey(puzzle));
      if (found.length === COMPARED) break;
    }
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
  }
  return found;
}

function refusal(source: Source, matches: Match[]): FileError {
  const nearest = matches.reduce((a, b) => (b.rank > a.rank || (b.rank === a.rank && b.found.line > a.found.line) ? b : a));
  const { name } = nearest.format;
  if (!nearest.rank && nearest.found.line <= 1) return source.error("the format is not recognised", { expected: `one of ${FORMATS.map((format) => format.name).join(", ")}` });
  return source.error(`the format is not recognised; the nearest is ${name}, but ${nearest.found.why}`, { expected: `a known format; choose ${name} to insist on it` });
}

export interface Reading {
  format: Format;
  /** At least one. */
  puzzles: Puzzle[];
  /** What the reader took or left out on its own, and the fault behind the last puzzle. */
  notes: string[];
}

/** Returns the puzzles of a file. Those before a fault count; a fault before the first one is a FileError. */
export function readPuzzles(source: Source, name = ""): Reading {
  const format = name ? formatNamed(name) : recognise(source);
  const puzzles: Puzzle[] = [];
  source.notes.splice(0);
  try {
    for (const puzzle of format.read(source)) {
      puzzles.push(puzzle);
      if (puzzles.length === MOST_PUZZLES) break;
    }
  } catch (error) {
    const file = puzzles.length ? `${source.name}#${puzzles.length + 1}` : source.name;
    const fault = error instanceof FileError ? error.within({ file }) : source.error("the file cannot be read", { expected: `a file of the format ${format.name}` });
    if (!puzzles.length) throw fault;
    source.notes.push(fault.message);
  }
  if (!puzzles.length) throw source.error("no puzzle in the file", { expected: `at least one in the format ${format.name}` });
  return { format, puzzles, notes: [...source.notes] };
}

/** Returns the file of a puzzle; a FileError if the format cannot hold it. */
export function writePuzzle(puzzle: Puzzle, name: string): string {
  const format = formatNamed(name);
  if (!format.write) throw new FileError(`${name} files are only read`, { expected: writable(puzzle).map((able) => able.name).join(", ") });
  if (!format.holdsColours && !isOneColour(puzzle)) throw new FileError(`${name} has no colours`, { expected: writable(puzzle).map((able) => able.name).join(", ") });
  return format.write(puzzle);
}
