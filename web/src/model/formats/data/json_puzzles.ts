/** Find the puzzles in a JSON document, whichever program wrote it: the rules of `nonocsp.formats.codecs.data.json_puzzles`. */

import { BLACK_AND_WHITE, clueKey, FileError, type Puzzle, puzzleOf, puzzleOfGrid, TEXTS } from "../puzzle.ts";
import { type Fields, isRecord, quoted, unicodeText } from "../source.ts";
import { puzzleOfRows } from "../pictures/text.ts";
import { below, type Cells, ClueReader, cellsOf, Colours, first, gridOf, isClueLike, isDrawing, isMany, isPartial, isWeak, keys, type Lines, linesOf, paired, role, type Token, tokensOf } from "./json_values.ts";

type Note = (message: string) => void;
type Way = [label: string, rows: Lines, columns: Lines];

/** An object with a puzzle: its place in the document, and what it and the objects around it say. */
interface Item {
  place: string;
  fields: Fields;
}

export const AXES = ["row", "column"] as const;
const AROUND = [...TEXTS, "palette", "height", "width", "size", "goal"];
const DEPTH = 8;
const AXIS_KEYS = 'the keys "rows" and "columns", each a list of clues';

/** Yields the puzzles of a document; a FileError names the key path of what is none. */
export function* puzzlesOf(document: unknown, note: Note = () => {}): Generator<Puzzle> {
  const found = isBoth(document) ? [{ place: "", fields: { clues: document } }] : itemsOf(document, "", {}, note);
  const items = found.length ? found : [{ place: "", fields: fieldsOf(document) }];
  let colourFirst: boolean | undefined;
  for (const [i, item] of items.entries()) {
    const reading = new Reading(item, colourFirst ?? false);
    let puzzle = reading.attempt(note);
    if (colourFirst === undefined && reading.clues.pair) {
      colourFirst = hasColourFirst(items.slice(i));
      puzzle = new Reading(item, colourFirst).attempt(note);
    }
    if (puzzle instanceof FileError) throw puzzle;
    yield puzzle;
  }
}

/** Whether pairs of numbers are [colour, length]: the order that fits all puzzles of a file. */
function hasColourFirst(items: Item[]): boolean {
  const fits = [true, true];
  let example = "";
  let pair = "";
  for (const item of items) {
    const readings = [new Reading(item, false), new Reading(item, true)];
    const found = readings.map((reading) => reading.attempt(() => {}));
    const isGood = found.map((puzzle) => !(puzzle instanceof FileError));
    pair ||= readings[0]?.clues.pair ?? "";
    if (isGood.some(Boolean)) for (const i of [0, 1]) fits[i] &&= isGood[i] as boolean;
    if (isGood.every(Boolean) && JSON.stringify(found[0]) !== JSON.stringify(found[1])) example ||= pair;
  }
  if (fits[0] !== fits[1] || (fits[0] && !example)) return !fits[0];
  throw new FileError(`${example || pair} is [length, colour] or [colour, length]: both ${fits[0] ? "fit" : "are wrong somewhere in the file"}`, { expected: '{"length": 2, "colour": 1}, or names of colours' });
}

function itemsOf(value: unknown, place: string, around: Fields, note: Note, depth = 0): Item[] {
  if (depth === DEPTH) return [];
  if (Array.isArray(value)) {
    const inner = value.map((item, i) => itemsOf(item, below(place, i), around, note, depth + 1));
    if (!inner.some(({ length }) => length)) return [];
    return inner.flatMap((items, i) => (items.length ? items : [{ place: below(place, i), fields: fieldsOf(value[i]) }]));
  }
  if (!isRecord(value)) return [];
  const fields = { ...Object.fromEntries(Object.entries(around).filter(([key]) => !keys(value, key).length)), ...value };
  if (hasAxis(value)) return [{ place, fields }];
  const [nested] = keys(value, "clues", hasAxis);
  if (nested !== undefined) return [{ place: below(place, nested), fields: { ...fields, ...(value[nested] as Fields) } }];
  const told = Object.fromEntries(Object.entries(fields).filter(([key]) => AROUND.includes(role(key))).map(([key, said]) => [role(key), said]));
  const items = Object.entries(value).flatMap(([key, inner]) => {
    const found = itemsOf(inner, below(place, key), isRecord(inner) && !role(key) ? { ...told, title: key } : told, note, depth + 1);
    if (!found.length && isRecord(inner) && Object.values(inner).some(Array.isArray)) note(`${below(place, key)} has no clues and is left out`);
    return found;
  });
  const isPuzzle = keys(value, "goal", isDrawing).length || keys(value, "clues", isBoth).length;
  return isPuzzle && !items.some((item) => hasAxis(item.fields)) ? [{ place, fields }] : items;
}

const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {});
const hasAxis = (value: unknown): boolean => isRecord(value) && AXES.some((axis) => keys(value, axis, isAxis).length);
/** Whether a value can be clues of an axis: neither their number nor a list of puzzles. */
const isAxis = (value: unknown): boolean => (Array.isArray(value) ? !hasAxis(value[0]) : linesOf(value, "") !== undefined);
/** Whether a list can be the clues of both axes, in two lists or one after the other. */
const isBoth = (value: unknown): boolean => Array.isArray(value) && value.length > 1 && value.every(isClueLike);

/** One way to read an item. */
class Reading {
  readonly clues: ClueReader;
  private readonly place: string;
  private readonly fields: Fields;

  constructor({ place, fields }: Item, colourFirst: boolean) {
    this.place = place;
    this.fields = fields;
    this.clues = new ClueReader(colourFirst);
  }

  /** The puzzle, or what is wrong with it. */
  attempt(note: Note): Puzzle | FileError {
    try {
      return this.puzzle(note);
    } catch (error) {
      if (error instanceof FileError) return error;
      throw error;
    }
  }

  private puzzle(note: Note): Puzzle {
    const [rows, columns] = AXES.map((axis) => this.axis(axis));
    if (rows && columns) {
      const ways: Way[] = [[`${rows[0]} for rows and ${columns[0]} for columns`, rows[1], columns[1]]];
      if (isWeak(rows[0]) || isWeak(columns[0])) ways.push([`${columns[0]} for rows and ${rows[0]} for columns`, columns[1], rows[1]]);
      const [[label, puzzle]] = this.fitting(ways, note);
      if (ways.length > 1) note(this.said(`took ${label}`));
      return puzzle;
    }
    if (rows || columns) throw new FileError(this.said(`no clues of ${rows ? "columns" : "rows"}`), { expected: AXIS_KEYS });
    return this.ofBoth(note) ?? this.ofPicture();
  }

  /** The key with the clues of an axis, and the clues. */
  private axis(axis: (typeof AXES)[number]): [key: string, lines: Lines] | undefined {
    const [key, ...others] = keys(this.fields, axis, isAxis);
    if (key === undefined) return undefined;
    const place = below(this.place, key);
    if (others.some((other) => JSON.stringify(this.fields[other]) !== JSON.stringify(this.fields[key])))
      throw new FileError(this.said(`${quoted(key)} and ${quoted(others[0] as string)} are both clues of ${axis}s`), { expected: "one of them" });
    const lines = linesOf(this.fields[key], place) ?? [];
    const colours = first(this.fields, [`${axis} colours`], Array.isArray) as unknown[] | undefined;
    if (!colours) return [key, lines];
    return [key, Array.from({ length: Math.max(lines.length, colours.length) }, (_, i) => [lines[i]?.[0] ?? place, paired(lines[i]?.[0] ?? place, lines[i]?.[1], colours[i])])];
  }

  /** The puzzle whose clues of rows and columns stand in one list; undefined if there is none. */
  private ofBoth(note: Note): Puzzle | undefined {
    const [key] = keys(this.fields, "clues", isBoth);
    if (key === undefined) return undefined;
    const [place, value] = [below(this.place, key), this.fields[key] as unknown[]];
    const [height, width] = this.size();
    const ways: Way[] = [];
    if (height && width && value.length === height + width) {
      const lines = linesOf(value, place) ?? [];
      ways.push(["rows first", lines.slice(0, height), lines.slice(height)], ["columns first", lines.slice(width), lines.slice(0, width)]);
    } else if (value.length === 2) {
      const [one = [], other = []] = value.map((half, i) => linesOf(half, below(place, i)));
      ways.push(["rows first", one, other], ["columns first", other, one]);
    }
    if (!ways.length) throw new FileError(`${place} has ${value.length} clues`, { expected: AXIS_KEYS });
    const [found, ...others] = this.fitting(ways, note);
    if (others.some(([, puzzle]) => clueKey(puzzle) !== clueKey(found[1])))
      throw new FileError(`${place} fits with the clues of the rows first, and with those of the columns first`, { expected: AXIS_KEYS });
    note(`${place} is read with the clues of the ${found[0]}`);
    return found[1];
  }

  /** The puzzles of the ways that give one; the error of the first one if none does. */
  private fitting(ways: Way[], note: Note): [[string, Puzzle], ...[string, Puzzle][]] {
    const found: [string, Puzzle][] = [];
    let fault: unknown;
    for (const [label, rows, columns] of ways) {
      try {
        found.push([label, this.ofClues(rows, columns, note)]);
      } catch (error) {
        if (!(error instanceof FileError)) throw error;
        fault ??= error;
      }
    }
    if (!found[0]) throw fault;
    return found as [[string, Puzzle], ...[string, Puzzle][]];
  }

  private ofClues(rows: Lines, columns: Lines, note: Note): Puzzle {
    const [height, width] = this.size();
    if (height === columns.length && width === rows.length && height !== width)
      throw new FileError(this.said(`${rows.length} clues of rows and ${columns.length} of columns, and the size says the opposite`), { expected: `${height} of rows and ${width} of columns` });
    const blocks = [rows, columns].map((lines) => lines.map((line) => this.clues.clue(line)));
    const { place, cells } = this.cells(columns.length);
    const tokens = [...new Set(blocks.flat(2).map(([, token]) => token))];
    const colours = this.colours(tokens.some((token) => token !== undefined) ? tokens : tokensOf(cells));
    const [ownRows = [], ownColumns = []] = blocks.map((lines) => lines.map((clue) => clue.map(([length, token]) => ({ length, colour: colours.index(token, this.clues.places.get(token) ?? "") }))));
    let goal = isPartial(cells) || !cells.length ? undefined : gridOf(cells, place, colours);
    const isShaped = goal?.length === rows.length && goal.every((row) => row.length === columns.length);
    const isEmpty = isShaped && goal?.every((row) => row.every((cell) => !cell)) && ownRows.some(({ length }) => length);
    if (cells.length && (!goal || (isEmpty && !place.endsWith("goal")))) {
      note(`${place} is not a full solution and is left out`);
      goal = undefined;
    }
    if (goal && !isShaped) throw new FileError(`the grid is ${goal.length}x${goal[0]?.length}, the puzzle ${rows.length}x${columns.length}`);
    return puzzleOf({ rows: ownRows, columns: ownColumns, palette: colours.palette, goal: goal && Uint8Array.from(goal.flat()), ...this.texts() });
  }

  /** The rows of the solution with their place; none if there is no solution. */
  private cells(width: number | undefined): { place: string; cells: Cells } {
    const [key] = keys(this.fields, "goal", isDrawing);
    if (key === undefined) return { place: "", cells: [] };
    const place = below(this.place, key);
    return { place, cells: cellsOf(this.fields[key], place, width) };
  }

  /** The puzzle of a solution alone. */
  private ofPicture(): Puzzle {
    const { place, cells } = this.cells(this.size()[1]);
    if (!cells.length) throw new FileError(this.said("no clues of rows and columns"), { expected: AXIS_KEYS });
    const isUsual = cells.every((row) => typeof row !== "string" || [...row].every((char) => BLACK_AND_WHITE.some((colour) => colour.char === char)));
    if (!isUsual && !keys(this.fields, "palette", isMany).length) return { ...puzzleOfRows(cells as string[], place), ...this.texts() };
    const colours = this.colours(tokensOf(cells));
    return puzzleOfGrid(gridOf(cells, place, colours), { palette: colours.palette, ...this.texts() });
  }

  private colours(used: Token[]): Colours {
    const [key] = keys(this.fields, "palette", isMany);
    return key === undefined ? new Colours(undefined, used, "") : new Colours(this.fields[key], used, below(this.place, key));
  }

  /** The numbers of rows and columns that the object says. */
  private size(): [number | undefined, number | undefined] {
    const size = (first(this.fields, ["size"], isRecord) ?? {}) as Fields;
    const said = (...roles: string[]) => (first(this.fields, roles, Number.isInteger) ?? first(size, roles, Number.isInteger)) as number | undefined;
    return [said("height", "row"), said("width", "column")];
  }

  private texts(): Partial<Puzzle> {
    const found = TEXTS.map((text) => [text, first(this.fields, [text], (value) => typeof value === "string" || Number.isInteger(value))] as const);
    return Object.fromEntries(found.filter(([, value]) => value !== undefined).map(([text, value]) => [text, unicodeText(String(value))]));
  }

  private said(message: string): string {
    return this.place ? `${this.place}: ${message}` : message;
  }
}
