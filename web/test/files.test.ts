import { expect, test } from "vitest";
import { FileError, linkOf, readFile, readLink, writeJson, writeNon } from "../src/model/files.ts";
import { addColour, blank, type Picture } from "../src/model/picture.ts";

const plain: Picture = { ...blank(2, 3), title: 'A "cat" & co', cells: Uint8Array.of(1, 1, 0, 0, 0, 1) };
const coloured: Picture = { ...addColour(addColour(blank(2, 3))), title: "Ä", cells: Uint8Array.of(1, 2, 0, 0, 3, 3) };

test.each([plain, coloured])("what is written is read back", (picture) => {
  expect(readFile(writeJson(picture))).toEqual(picture);
  expect(readFile(writeNon(picture))).toEqual(picture);
  expect(readLink(`#${linkOf(picture)}`)).toEqual(picture);
});

test("clues without a picture are read to be solved", () => {
  const read = readFile('{"rows": [[1], []], "columns": [[1], []]}');
  expect("clues" in read && read.clues.rows).toEqual([[{ length: 1, colour: 1 }], []]);
  const text = readFile("width 2\nheight 1\nrows\n2\n\ncolumns\n1\n1\n");
  expect("clues" in text && text.clues.columns).toHaveLength(2);
});

test.each([
  ["hello", "rows and columns"],
  ['{"rows": 3}', "expected a list of clues"],
  ['{"rows": [[0]], "columns": [[1]]}', "no length of a block"],
  ['{"rows": [["<b>"]], "columns": [[1]]}', "no length of a block"],
  ['{"goal": ["#.", "#"]}', "different lengths"],
  ['{"goal": ["x"]}', "not in the palette"],
  ['{"palette": [{"name": "a", "rgb": "url(x)", "char": "."}], "goal": ["."]}', "expected colours"],
  ["{", "no valid JSON"],
  [`{"goal": [${Array(101).fill('"."').join(",")}]}`, "expected 1 to 100"],
])("%s is refused with a reason", (text, reason) => {
  expect(() => readFile(text)).toThrow(FileError);
  expect(() => readFile(text)).toThrow(reason);
});

test("a link that is damaged is refused, one without a puzzle is none", () => {
  expect(readLink("#about")).toBeUndefined();
  expect(() => readLink("#p=AAAA")).toThrow(FileError);
});
