/**
 * Recognise the format of a file by evidence, read it, and write files (`nonocsp.formats.registry`, `recognition`). The suffix
 * counts half a step, so neither a suffix nor a weak match is enough alone. If several formats match best, each reads the
 * file, and they must find the same puzzles. Formats of solvers are recognised to say who reads them.
 */

import { gnonograms } from "./clue_lists/gnonograms.ts";
import { LISTS } from "./clue_lists/lists.ts";
import { non } from "./clue_lists/non.ts";
import { json, jsonHints, jsonl } from "./data/json.ts";
import { table } from "./data/table.ts";
import { freenono } from "./documents/freenono.ts";
import { webPage } from "./documents/web_page.ts";
import { webpbn } from "./documents/webpbn.ts";
import { text } from "./pictures/text.ts";
import { clueKey, FileError, isOneColour, type Puzzle } from "./puzzle.ts";
import { certain, type Evidence, type Format, type Known, no, type Source, SURENESS } from "./source.ts";

/** A format that is known by texts which only its files have. */
const marked = (name: string, suffixes: string[], ...marks: RegExp[]): Known => ({
  name,
  suffixes,
  sniff: ({ text }) => (marks.every((mark) => mark.test(text)) ? certain : no)(`the marks of ${name} files`),
});

/** The exchange formats of solvers, which the page does not read: `nonocsp convert` does, and `nonocsp studio`. The marks are coarser than in Python. */
const SOLVERS: readonly Known[] = [
  marked("dzn", [".dzn"], /(?<![A-Za-z0-9_])(?:row|col)(?:s|_rules|_states|_num_states)\s*=(?!=)/, /\[\||array2d\b|_states\b/),
  marked("asp", [".lp"], /\b(?:row|col)(?:_hint|_cnt)?\(\s*[0-9]+\s*(?:,\s*[0-9]+\s*,[^()\n]{1,90})?\)\s*\./),
  marked("pynogram", [".txt"], /^(?:[ \t]*(?:[#;].*)?\n)*\[(?:clues|colors)\]/, /^[ \t]*(?:columns|rows)[ \t]*[=:](?![ \t]*("""|'''))/im),
  marked("nonogrid", [".toml"], /^[ \t]*\[(?:clues|colors)\]/m, /^[ \t]*(?:columns|rows)[ \t]*=[ \t]*(?:"""|''')|^[ \t]*defs[ \t]*=/m),
  marked("latex", [".tex"], /\\begin\{nonogram\}|\{logicpuzzle\}/),
  marked("puzz-link", [], /^\s*(?:https?:\/\/)?[\w.:/-]+\/p(?:\.html)?\?\w+\//),
  marked("pzprv3", [], /^\s*pzprv3/),
  marked("pattern-save", [], /^SAVEFILE:41:Simon Tatham/),
  marked("puzzlekit", [], /^\s*\{/, /"data"\s*:\s*\{/, /"problem"\s*:/),
  marked("game-id", [], /^\s*(?:pattern:?\s+)?[0-9]{1,4}x[0-9]{1,4}(?::[0-9.]*(?:\/[0-9.]*)+|#[0-9a-z]+)(?:[\s,#]|$)/i),
];

export const FORMATS: readonly Format[] = [json, jsonl, webpbn, ...LISTS, non, gnonograms, jsonHints, table, freenono, webPage, text];
const KNOWN: readonly Known[] = [...FORMATS, ...SOLVERS];
/** Suffixes that say nothing about the format. */
const OF_ALL_TEXTS = [".txt", ".csv", ".tsv"];
/** The least rank of a format that is taken. */
const ENOUGH = 2 * SURENESS.weak + 1;
/** How many puzzles of a set are offered, and how many two readers must have in common. */
const MOST_PUZZLES = 1000;
const COMPARED = 100;

interface Match {
  format: Known;
  rank: number;
  found: Evidence;
}

const suffixOf = (name: string): string => (/\.[^./\\]*$/.exec(name)?.[0] ?? "").toLowerCase();

const isRead = (format: Known): format is Format => "read" in format;

/** The command that makes a file of any format one that the page reads. */
function conversion({ name }: Source): string {
  const stem = suffixOf(name) ? name.slice(0, -suffixOf(name).length) : "puzzle";
  const said = (file: string) => (/^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`);
  return `\`nonocsp convert ${suffixOf(name) ? said(name) : "FILE"} ${said(`${stem}.json`)}\``;
}

/** The format of that name. */
function formatNamed(name: string): Format {
  const found = FORMATS.find((format) => format.name === name);
  if (!found) throw new FileError(`there is no format ${name}`, { expected: FORMATS.map((format) => format.name).join(", ") });
  return found;
}

/** The formats that can hold a puzzle and be written. */
export function writable(puzzle: Pick<Puzzle, "palette">): Format[] {
  return FORMATS.filter((format) => format.write && (format.holdsColours || isOneColour(puzzle)));
}

/** Returns the format of a file; a FileError if the page reads none that matches well, or several read different puzzles. */
function recognise(source: Source): Format {
  const suffix = suffixOf(source.name);
  const isLikely = (format: Known) => format.suffixes.includes(suffix);
  const isOwn = (format: Known) => !OF_ALL_TEXTS.includes(suffix) && isLikely(format);
  const matches: Match[] = [];
  const { head } = source;
  const asked = KNOWN.filter(({ isAskedLast }) => !isAskedLast);
  for (const format of [...asked.filter(isLikely), ...asked.filter((known) => !isLikely(known))]) {
    if (!isOwn(format) && matches.some(({ rank }) => rank > 2 * SURENESS.strong)) break;
    const found = format.sniff(head);
    if (found.sureness === SURENESS.certain) return chosen(source, [format]);
    matches.push({ format, rank: 2 * found.sureness + Number(isOwn(format)), found });
  }
  const best = Math.max(...matches.map(({ rank }) => rank));
  if (best < ENOUGH) return askedLast(source, matches);
  return chosen(source, matches.filter(({ rank }) => rank === best).map(({ format }) => format));
}

/** The format of a file that no other format matches; a FileError if it is not of this one either. */
function askedLast(source: Source, matches: Match[]): Format {
  const isNear = matches.some(({ found }) => found.sureness > SURENESS.no);
  for (const format of FORMATS.filter((known) => known.isAskedLast)) {
    const found = format.sniff(source.head);
    if (found.sureness > (isNear ? SURENESS.weak : SURENESS.no)) return format;
    matches.push({ format, rank: 2 * found.sureness, found });
  }
  throw refusal(source, matches);
}

/** The one of the formats that match best which can read the file. */
function chosen(source: Source, equals: Known[]): Format {
  const readings = equals.filter(isRead).map((format) => ({ format, found: equals.length > 1 ? reading(source, format) : [""] })).filter(({ found }) => found.length);
  const [first, ...others] = readings;
  const different = others.filter(({ found }) => found.join() !== first?.found.join()).map(({ format }) => format);
  const solvers = equals.filter((format) => !isRead(format));
  if (first && !different.length && !solvers.length) return first.format;
  if (first) {
    const names = [first.format, ...different, ...solvers].map(({ name }) => name).join(" or ");
    throw source.error(`this could be ${names}, which read different puzzles`, { expected: "that you choose one of these formats" });
  }
  if (!solvers[0]) return equals[0] as Format;
  throw source.error(`the format is ${solvers[0].name}, which this page does not read; open it with ${conversion(source)}`);
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

/** The error of a file that nothing matches: the two nearest readings with what speaks against each, and the next step. */
function refusal(source: Source, matches: Match[]): FileError {
  const ranked = matches.toSorted((a, b) => b.rank - a.rank || b.found.line - a.found.line);
  const near = ranked.slice(0, 2).filter(({ rank, found }) => rank || found.line > 1);
  const nearest = near[0]?.format;
  if (!nearest) return source.error("the format is not recognised", { expected: `clues, a drawing or a puzzle file; ${conversion(source)} reads more` });
  const readings = near.map(({ format, found }) => `${format.name}, but ${found.why}`).join("; the next is ");
  const expected = isRead(nearest) ? `a known format; choose ${nearest.name} to insist on it` : `a file that ${conversion(source)} makes`;
  return source.error(`the format is not recognised; the nearest is ${readings}`, { expected });
}

/** Returns the puzzles of a file, with its format and what the reader took or left out on its own. Those before a fault count; a fault before the first one is a FileError. */
export function readPuzzles(source: Source, name = ""): { format: Format; puzzles: Puzzle[]; notes: string[] } {
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
