/** The `.gno` files of Gnonograms: sections with titles in brackets; one colour. 1 is an empty cell, 2 a filled and 0 an undecided one. */

import { MAX_LINES, puzzleOf, puzzleOfGrid } from "../puzzle.ts";
import { certain, type Format, lengthsText, no, type NumberedLine, parseClue, parseSize, quoted, saidLines, type Source, weak, words } from "../source.ts";

const TITLES = ["description", "license", "dimensions", "row clues", "column clues", "solution", "solution grid"];
const OTHERS = ["working grid", "state", "locked", "original path", "history"];
const TITLE = /^\[(.*)\]$/;

type Sections = Map<string, NumberedLine[]>;

export const gnonograms: Format = {
  name: "gnonograms",
  suffixes: [".gno"],
  sniff(head) {
    const lines = saidLines(head).map(([, text]) => text);
    const first = TITLE.exec(lines[0] ?? "")?.[1]?.toLowerCase();
    if (!first || !TITLES.includes(first)) return no("the first line is no title such as [Description]", 1);
    const titles = lines.map((text) => TITLE.exec(text)?.[1]?.toLowerCase());
    if (!titles.includes("dimensions") && !titles.includes("row clues")) return weak(`${lines[0]} comes first`);
    return certain(`${lines[0]} comes first, and [Dimensions] or [Row clues] follow`);
  },
  *read(source) {
    const sections = sectionsOf(source);
    const [rows, columns] = shapeOf(source, sections);
    const goal = goalOf(source, sections, rows, columns);
    const described = (sections.get("description") ?? []).map(([, text]) => text.trim());
    const texts = { title: described[0] ?? "", author: described[1] ?? "", licence: sections.get("license")?.[0]?.[1].trim() ?? "" };
    const clues = (axis: string, wanted: number) => {
      const lines = [...(sections.get(`${axis} clues`) ?? [])];
      while (lines.length > wanted && !lines.at(-1)?.[1].trim()) lines.pop();
      if (lines.length !== wanted) throw source.error(`${lines.length} ${axis} clues`, { line: lines.at(-1)?.[0], expected: `${wanted}, as [Dimensions] says` });
      return lines.map((line) => parseClue(source, line));
    };
    if (sections.has("row clues") || sections.has("column clues"))
      yield puzzleOf({ rows: clues("row", rows), columns: clues("column", columns), goal: goal && Uint8Array.from(goal.flat()), ...texts });
    else if (goal) yield puzzleOfGrid(goal, texts);
    else throw source.error("neither clues nor a full solution", { expected: "[Row clues] and [Column clues], or a full [Solution grid]" });
  },
  write({ rows, columns, goal, title, author, licence }) {
    const line = (text: string) => words(text).join(" ").replace(/^\[/, " [");
    const cells = goal ? ["[Solution grid]", ...rows.map((_, i) => Array.from(goal.subarray(i * columns.length, (i + 1) * columns.length), (cell) => (cell ? 2 : 1)).join(" "))] : [];
    return `${[
      ...["[Description]", line(title), line(author), "", ""],
      ...(licence ? ["[License]", line(licence)] : []),
      ...["[Dimensions]", rows.length, columns.length],
      ...["[Row clues]", ...rows.map((clue) => lengthsText(clue, ", "))],
      ...["[Column clues]", ...columns.map((clue) => lengthsText(clue, ", "))],
      ...cells,
    ].join("\n")}\n`;
  },
};

function sectionsOf(source: Source): Sections {
  const sections: Sections = new Map();
  let lines: NumberedLine[] | undefined;
  for (const [line, raw] of source.lines) {
    const text = raw.trimEnd();
    const title = TITLE.exec(text)?.[1]?.toLowerCase();
    if (title !== undefined) {
      if (sections.has(title)) throw source.error(`${quoted(text)} a second time`, { line, expected: "one puzzle a file" });
      if (!TITLES.includes(title) && !OTHERS.includes(title))
        throw source.error(`unknown section ${quoted(text)}`, { line, expected: `one of ${TITLES.map((known) => `[${known}]`).join(", ")}` });
      sections.set(title, (lines = []));
    } else if (!lines) {
      if (text) throw source.error(`${quoted(text)} is out of place`, { line, expected: "the title of a section, such as [Description]" });
    } else if (lines.length > MAX_LINES) throw source.error("too many lines in a section", { line, expected: `at most ${MAX_LINES}` });
    else lines.push([line, raw]);
  }
  return sections;
}

function shapeOf(source: Source, sections: Sections): [number, number] {
  const lines = (sections.get("dimensions") ?? []).filter(([, text]) => text.trim());
  const [rows, columns] = lines;
  if (!rows || !columns || lines.length > 2)
    throw source.error("no dimensions", { line: lines.at(-1)?.[0], expected: "[Dimensions] and below it the number of rows and that of columns, a line each" });
  return [parseSize(source, rows[0], rows[1].trim(), "number of rows"), parseSize(source, columns[0], columns[1].trim(), "number of columns")];
}

/** The cells of the solution; undefined if there is none, or one with undecided cells. */
function goalOf(source: Source, sections: Sections, rows: number, columns: number): number[][] | undefined {
  const found = sections.get("solution grid") ?? sections.get("solution") ?? [];
  const lines = found.filter(([, text]) => text.trim()).map(([line, text]) => ({ line, cells: words(text) }));
  if (!lines.length) return undefined;
  for (const { line, cells } of lines)
    if (cells.length !== columns || !cells.every((cell) => ["0", "1", "2"].includes(cell)))
      throw source.error("no row of the solution", { line, expected: `${columns} cells, 1 empty and 2 filled` });
  if (lines.length !== rows) throw source.error(`${lines.length} rows in the solution`, { line: lines.at(-1)?.line, expected: `${rows}, as [Dimensions] says` });
  return lines.some(({ cells }) => cells.includes("0")) ? undefined : lines.map(({ cells }) => cells.map((cell) => Number(cell === "2")));
}
