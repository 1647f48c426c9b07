/** Tables with the clues around a grid: CSV, TSV, or pasted from a spreadsheet; one colour. */

import { hasLayout, MOST_CELLS, puzzleOfTable, tableOf } from "../layout.ts";
import { MAX_LINES } from "../puzzle.ts";
import { type Format, no, quoted, strong } from "../source.ts";

/** The rows of a text: tabs separate cells, else semicolons, else commas; quotes keep what they enclose (RFC 4180). */
function rowsOf(text: string): string[][] {
  const delimiter = ["\t", ";", ","].find((mark) => text.includes(mark)) ?? ",";
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;
  let count = 0;
  const endCell = () => {
    row.push(cell);
    cell = "";
    count++;
  };
  const endRow = () => {
    endCell();
    rows.push(row);
    row = [];
  };
  for (let i = 0; i < text.length && rows.length < 2 * MAX_LINES && count < MOST_CELLS; i++) {
    const char = text[i] as string;
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (text[i + 1] === '"') cell += text[++i];
      else isQuoted = false;
    } else if (char === '"' && !cell) isQuoted = true;
    else if (char === delimiter) endCell();
    else if (char === "\n") endRow();
    else if (char !== "\r") cell += char;
  }
  if (cell || row.length) endRow();
  return rows;
}

export const table: Format = {
  name: "csv",
  suffixes: [".csv", ".tsv"],
  sniff({ text, isCut }) {
    if (!/[\t;,]/.test(text.replace(/^\n+/, "").split("\n", 1)[0] ?? "")) return no("no tabs, semicolons or commas in the first line", 1);
    const rows = rowsOf(isCut ? text.slice(0, text.lastIndexOf("\n") + 1) : text);
    if (!isCut) return hasLayout(rows) ? strong("clues around a grid") : no("the cells are not clues around a grid", 1);
    for (const [i, row] of rows.entries()) {
      const wrong = row.find((cell) => cell && !/^[0-9 ]*$/.test(cell));
      if (wrong) return no(`${quoted(wrong)} is no clue`, i + 1);
    }
    return rows[0]?.[0] === "" ? strong("numbers in cells with an empty corner") : no("the corner is not empty", 1);
  },
  *read(source) {
    yield puzzleOfTable(source, rowsOf(source.text));
  },
  write(puzzle) {
    const said = (value: string | number) => {
      if (typeof value === "number" || value === "") return String(value);
      // A spreadsheet takes such a text for a formula or a number; the apostrophe says that it is none.
      const isMistakable = /^[=+\-@\t\r\n'＝＋－＠]/.test(value) || (value.trim() !== "" && !Number.isNaN(Number(value))) || /^(true|false|#?n\/?a|nan|null|none|#)$/i.test(value);
      const text = isMistakable && value !== "#" ? `'${value}` : value;
      return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    };
    return tableOf(puzzle)
      .map((row) => `${row.map(said).join(",")}\n`)
      .join("");
  },
};
