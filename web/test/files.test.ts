import { readFileSync } from "node:fs";
import { Window } from "happy-dom";
import { expect, test } from "vitest";
import { Core } from "../src/core/module.ts";
import { FileError, linkOf, opened, puzzleOfPicture, readDocument, readLink } from "../src/model/files.ts";
import { listsOf } from "../src/model/formats/clue_lists/lists.ts";
import { FORMATS, readPuzzles, writable, writePuzzle } from "../src/model/formats/registry.ts";
import { decode, Source } from "../src/model/formats/source.ts";
import { addColour, blank, type Picture } from "../src/model/picture.ts";

const plain: Picture = { ...blank(3, 3), title: 'A "cat" & co', author: "Ada", cells: Uint8Array.of(1, 1, 0, 0, 0, 0, 1, 0, 1) };
const coloured: Picture = { ...addColour(addColour(blank(2, 3))), title: "Ä", cells: Uint8Array.of(1, 2, 0, 0, 3, 3) };
const core = await Core.load(readFileSync(new URL("../../build/studio/nonocsp.wasm", import.meta.url)));
const readAll = async (source: Source, format = "") => readPuzzles(Object.assign(source, { lists: await listsOf(source, core) }), format);
const read = async (text: string, name = "x.txt", format = "") => (await readAll(decode(name, new TextEncoder().encode(text)), format)).puzzles;

test.each([plain, coloured])("a link holds everything of a picture", (picture) => {
  expect(readLink(`#${linkOf(picture)}`)).toEqual(picture);
});

test.each([plain, coloured].flatMap((picture) => writable(picture).map(({ name }) => [name, picture] as const)))("what is written as %s is recognised and read back", async (name, picture) => {
  const suffix = FORMATS.find((format) => format.name === name)?.suffixes[0] ?? ".txt";
  const [found] = await read(writePuzzle(puzzleOfPicture(picture), name), `x${suffix}`);
  expect(found?.rows).toEqual(puzzleOfPicture(picture).rows);
  expect(found?.columns).toEqual(puzzleOfPicture(picture).columns);
});

test("the JSON of the project keeps a picture as it is", async () => {
  for (const picture of [plain, coloured]) {
    const [found] = await read(writePuzzle(puzzleOfPicture(picture), "json"));
    expect(found && opened(found)).toEqual(picture);
  }
});

test("clues without a picture are read to be solved", () => {
  const found = readDocument({ rows: [[1], []], columns: [[1], []] });
  expect("clues" in found && found.clues.rows).toEqual([[{ length: 1, colour: 1 }], []]);
});

test("the clues around a grid are found in a table of a saved page", async () => {
  globalThis.DOMParser = new Window().DOMParser as unknown as typeof DOMParser;
  const [found] = await read("<html><title>T</title><table><tr><td></td><td>1</td><td>1</td></tr><tr><td>2</td><td></td><td></td></tr></table></html>");
  expect(found?.columns).toHaveLength(2);
});

test.each([
  ["hello", "the format is not recognised"],
  ['{"rows": 3}', "is not recognised"],
  ['{"rows": [[2]], "columns": [[1]]}', "row 1: the clue 2 needs 2 cells, the line has 1"],
  ['{"rows": [[1, "<b>"]], "columns": [[1]]}', "is no block"],
  ['{"goal": ["#.", "#"]}', "different lengths"],
  ['{"goal": ["?"]}', "is no cell"],
  ['{"palette": [{"name": "a", "rgb": "url(x)", "char": "."}], "goal": ["."]}', "a palette has"],
  ['{"rows": [[1]], "columns": [[1]],', "expected valid JSON"],
  ["3 1\n1 1\nx\n", "the nearest is nin, but line 3: 'x' is no block length; the next is keen, but line 3"],
  ["3x3#123", "the format is game-id"],
  ["<puzzleset><puzzle type='triddler'><clues/></puzzle></puzzleset>", "x.txt:1: a puzzle of type 'triddler'"],
  ['<!DOCTYPE a [<!ENTITY b "c">]><puzzle><clues>&b;</clues></puzzle>', "declares an entity"],
  ["<puzzle><clues><line>", "expected well-formed XML"],
  ["[clues]\nrows = 1\ncolumns = z\n", "the format is pynogram"],
  ["\0\0\0\0", "NUL byte"],
  ["", "the file is empty"],
])("%j is refused with a reason", async (text, reason) => {
  const error = await read(text).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(FileError);
  expect((error as FileError).message).toContain(reason);
});

test("a puzzle that the studio cannot draw is refused with its size", () => {
  const wide = { rows: [[1]], columns: Array.from({ length: 101 }, (_, i) => (i ? [] : [1])) };
  expect(() => readDocument(wide)).toThrow("1x101; expected at most 100");
});

test("two formats that read different puzzles are both named, and either can be chosen", async () => {
  const text = "\t1\t1\n1\t#\t\n1\t\t#\n";
  await expect(read(text, "x.tsv")).rejects.toThrow("csv or nin");
  expect(await read(text, "x.tsv", "csv")).toHaveLength(1);
});

test("a fault behind the first puzzles of a set is noted, and they count", async () => {
  const { puzzles, notes } = await readAll(new Source("x.txt", "$1\n1\n1\n$2\n1\n2\n"));
  expect(puzzles).toHaveLength(1);
  expect(notes[0]).toContain("x.txt#2: row 1");
});

test("a link that is damaged is refused, one without a puzzle is none", () => {
  expect(readLink("#about")).toBeUndefined();
  expect(() => readLink("#p=AAAA")).toThrow(FileError);
});
