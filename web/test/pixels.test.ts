import { expect, test } from "vitest";
import { contrasting, svgOf } from "../src/exporting/drawing.ts";
import { cellsOf, drawingOf, type Fine, highest, OneShade, type Options, otsu } from "../src/importing/pixels.ts";
import { named } from "../src/model/formats/palettes.ts";
import { blank } from "../src/model/picture.ts";

const OPTIONS: Options = { colours: 0, threshold: "otsu", brightness: 0, share: 0.35, edges: "none", isInverted: false };
const [W, K, R, B] = [[255, 255, 255, 255], [0, 0, 0, 255], [220, 20, 30, 255], [20, 40, 200, 255]];
const rgba = (pixels: number[][]) => Uint8ClampedArray.from(pixels.flat());
/** Squares of pixels of one colour, one for each character. */
function fine(rows: string[], side: number, colours: Record<string, number[]>): Fine {
  const columns = rows[0]?.length ?? 0;
  const pixels = rows.flatMap((row) => Array(side).fill([...row].flatMap((char) => Array(side).fill(colours[char])))).flat();
  return { rows: rows.length, columns, side, rgba: rgba(pixels as number[][]) };
}
const said = ({ rows, columns, cells }: { rows: number; columns: number; cells: Uint8Array }) =>
  Array.from({ length: rows }, (_, i) => Array.from(cells.subarray(i * columns, (i + 1) * columns)).join(""));

const CROSS = ["..#..", "..#..", "#####", "..#..", "..#.."];

test.each(["otsu", "share"] as const)("the threshold %s finds the dark cells", (threshold) => {
  const found = cellsOf(fine(CROSS, 4, { ".": W, "#": K }), { ...OPTIONS, threshold, share: 9 / 25 });
  expect(said(found)).toEqual(["00100", "00100", "11111", "00100", "00100"]);
});

test("an inverted picture fills what was light", () => {
  const found = cellsOf(fine(CROSS, 4, { ".": W, "#": K }), { ...OPTIONS, isInverted: true });
  expect(said(found)[0]).toBe("11011");
});

test("the adaptive threshold finds what is darker than its surroundings on a slope", () => {
  const colours: Record<string, number[]> = {};
  const columns = "abcdefghijklmnop";
  [...columns].forEach((char, i) => {
    colours[char] = [245 - 14 * i, 245 - 14 * i, 245 - 14 * i, 255];
    colours[char.toUpperCase()] = colours[char].map((value, k) => (k < 3 ? Math.max(0, value - 60) : 255));
  });
  const rows = Array.from({ length: 8 }, (_, r) => [...columns].map((char, i) => ((i + r) % 4 === 0 ? char.toUpperCase() : char)).join(""));
  const found = cellsOf(fine(rows, 1, colours), { ...OPTIONS, threshold: "adaptive", share: 0.25 });
  const right = rows.join("").split("").filter((char, i) => Boolean(found.cells[i]) === (char < "a")).length;
  expect(right / 128).toBeGreaterThan(0.9);
});

test("colours are found, the one of the rim is the background, and a small detail keeps its own", () => {
  const found = cellsOf(fine(["......", ".rrrr.", ".rbrr.", ".rrrr.", "......"], 4, { ".": W, r: R, b: B }), { ...OPTIONS, colours: 2 });
  expect(found.palette.map(({ rgb }) => rgb)).toEqual(["#ffffff", "#1428c8", "#dc141e"]);
  expect(named(found).palette.map(({ name }) => name)).toEqual(["white", "blue", "red"]);
  expect(said(found)).toEqual(["000000", "022220", "021220", "022220", "000000"]);
});

test("edges keep the rim of an area, and both keep its darker half too", () => {
  const rows = ["........", ".######.", ".######.", ".######.", ".######.", "........"];
  const only = cellsOf(fine(rows, 1, { ".": W, "#": K }), { ...OPTIONS, edges: "only" });
  expect(said(only).slice(1, 3)).toEqual(["01111110", "01000010"]);
  const smooth = cellsOf(fine(rows, 4, { ".": W, "#": K }), { ...OPTIONS, edges: "only" });
  expect(said(smooth)[3]?.slice(3, 5)).toBe("00");
});

test("a picture of one shade is refused", () => {
  expect(() => cellsOf(fine(["..", ".."], 2, { ".": W }), OPTIONS)).toThrow(OneShade);
  expect(() => cellsOf(fine(["..", ".."], 2, { ".": W }), { ...OPTIONS, colours: 3 })).toThrow(OneShade);
});

test("a small picture of few colours is taken exactly, on the background that people see", () => {
  const found = drawingOf(2, 2, rgba([W, K, R, W]));
  expect(found?.palette.map(({ rgb }) => rgb)).toEqual(["#ffffff", "#000000", "#dc141e"]);
  expect(Array.from(found?.cells ?? [])).toEqual([0, 1, 2, 0]);
  const large = Array.from({ length: 144 }, (_, i) => [W, K, R][(Math.floor(i / 48) + Math.floor((i % 12) / 4)) % 3] as number[]);
  expect(said(drawingOf(12, 12, rgba(large)) ?? blank(1, 1))).toEqual(["012", "120", "201"]);
  const clear = drawingOf(1, 2, rgba([[1, 2, 3, 0], W]));
  expect(clear?.palette.map(({ rgb }) => rgb)).toEqual(["#000000", "#ffffff"]);
  const many = Array.from({ length: 100 }, (_, i) => [i, 0, 0, 255]);
  expect(drawingOf(10, 10, rgba(many))).toBeUndefined();
  expect(drawingOf(1, 65, rgba(Array.from({ length: 65 }, (_, i) => (i % 2 ? W : K) as number[])))).toBeUndefined();
});

test("Otsu's shade and the highest share are those of the package", () => {
  expect(otsu(Float64Array.of(0.1, 0.1, 0.9, 0.9))).toBeCloseTo(0.1016, 3);
  expect(highest(Float64Array.of(1, 2, 2, 3), 0.5)).toEqual([false, true, true, true]);
});

test("a drawing has the clues outside, thick lines every five cells, and no text that could be markup", () => {
  const picture = { ...blank(6, 6), title: "<script>", cells: new Uint8Array(36).fill(1, 0, 6) };
  const puzzle = svgOf(picture, { isSolved: false }).text;
  expect(puzzle).toContain("<title>&lt;script&gt;</title>");
  expect(puzzle.match(/stroke-width="2"/g)).toHaveLength(6);
  expect(puzzle.match(/<text /g)).toHaveLength(12);
  expect(puzzle.match(/<rect x/g)).toHaveLength(1);
  expect(svgOf(picture, { isSolved: true }).text.match(/<rect x/g)).toHaveLength(2);
  expect(contrasting("#ffff00")).toBe("#000000");
});
