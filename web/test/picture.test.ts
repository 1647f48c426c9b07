import { expect, test } from "vitest";
import { addColour, at, blank, cluesOf, line, paint, patch, resize, shift } from "../src/model/picture.ts";
import { begin, push, redo, undo } from "../src/model/history.ts";

const drawn = (...rows: string[]) => ({
  ...blank(rows.length, rows[0]?.length ?? 0),
  cells: Uint8Array.from(rows.join(""), Number),
});
const shown = ({ columns, cells }: ReturnType<typeof blank>) =>
  (Array.from(cells).join("").match(new RegExp(`.{${columns}}`, "g")) ?? []).join(" ");

test("clues count the blocks of each line, and touching colours apart", () => {
  const clues = cluesOf({ ...addColour(drawn("1122", "0101")) });
  expect(clues.rows).toEqual([
    [{ length: 2, colour: 1 }, { length: 2, colour: 2 }],
    [{ length: 1, colour: 1 }, { length: 1, colour: 1 }],
  ]);
  expect(clues.columns[3]).toEqual([{ length: 1, colour: 2 }, { length: 1, colour: 1 }]);
});

test("a mirror paints the opposite cells too", () => {
  const corner = [{ row: 0, column: 0 }];
  expect(shown(paint(blank(2, 3), corner, 1, "left-right"))).toBe("101 000");
  expect(shown(paint(blank(2, 3), corner, 1, "top-bottom"))).toBe("100 100");
  expect(shown(paint(blank(2, 3), corner, 1, "both"))).toBe("101 101");
});

test("painting what is there already is no change", () => {
  const picture = drawn("10");
  expect(paint(picture, [{ row: 0, column: 0 }], 1)).toBe(picture);
});

test("a patch ends at other colours and does not cross corners", () => {
  expect(patch(drawn("110", "001"), { row: 0, column: 0 })).toHaveLength(2);
  expect(patch(drawn("000", "000"), { row: 1, column: 2 })).toHaveLength(6);
});

test("a line joins its ends, whichever comes first", () => {
  expect(line({ row: 0, column: 0 }, { row: 2, column: 2 })).toEqual([0, 1, 2].map((i) => ({ row: i, column: i })));
  expect(line({ row: 1, column: 3 }, { row: 1, column: 1 }).map(({ column }) => column)).toEqual([3, 2, 1]);
  expect(line({ row: 1, column: 1 }, { row: 1, column: 1 })).toHaveLength(1);
});

test("what is shifted out comes in at the other side", () => {
  expect(shown(shift(drawn("100", "000"), "left"))).toBe("001 000");
  expect(shown(shift(drawn("100", "000"), "up"))).toBe("000 100");
  expect(shown(shift(shift(drawn("100", "010"), "down"), "up"))).toBe("100 010");
});

test("resizing keeps the upper left part", () => {
  expect(shown(resize(drawn("10", "01"), 3, 3))).toBe("100 010 000");
  expect(shown(resize(drawn("10", "01"), 1, 1))).toBe("1");
  expect(at(resize(drawn("10", "01"), 3, 3), { row: 1, column: 1 })).toBe(1);
});

test("undo and redo go through the states, and a new state ends redo", () => {
  let history = push(push(begin(1), 2), 3);
  expect(undo(undo(undo(history))).present).toBe(1);
  history = redo(undo(history));
  expect(history.present).toBe(3);
  expect(redo(push(undo(history), 9)).present).toBe(9);
  expect(push(history, 3)).toEqual(history);
});
