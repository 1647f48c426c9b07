/** The `.nonogram` files of FreeNono: XML with solutions of `x` and `_` in one colour, from which clues follow. */

import { FileError, puzzleOfGrid } from "../puzzle.ts";
import { certain, type Format, no, parseSize, quoted, words } from "../source.ts";
import { elements, xmlText } from "../xml.ts";

export const freenono: Format = {
  name: "freenono",
  suffixes: [".nonogram"],
  sniff({ text }) {
    if (!text.trimStart().startsWith("<")) return no("it does not start with <", 1);
    const mark = ["<FreeNono", "<Nonogram"].find((element) => text.includes(element));
    return mark ? certain(`it has the element ${mark}>`) : no("no element <FreeNono> or <Nonogram>", 1);
  },
  *read(source) {
    for (const element of elements(source, "Nonogram")) {
      const size = (what: string) => parseSize(source, element.line, element.attributes[what] ?? "", what);
      const [height, width] = [size("height"), size("width")];
      const lines = element.all("line");
      if (lines.length !== height) throw source.error(`${lines.length} lines`, { line: element.line, expected: `${height}, as height says` });
      const grid = lines.map(({ line, text }) => {
        const cells = words(text);
        const wrong = cells.find((cell) => cell !== "x" && cell !== "_");
        if (wrong || cells.length !== width)
          throw source.error(wrong ? `${quoted(wrong)} is no cell` : `${cells.length} cells`, { line, expected: `${width} cells, as width says: x or _ between blanks` });
        return cells.map((cell) => Number(cell === "x"));
      });
      yield puzzleOfGrid(grid, { title: element.attributes.name?.trim() ?? "", author: element.attributes.author?.trim() ?? "" });
    }
  },
  write({ title, author, goal, rows, columns }) {
    if (!goal) throw new FileError("FreeNono keeps solutions and this puzzle has none");
    const said = (text: string) => `"${xmlText(words(text).join(" ").replace(/[\p{C}\u2028\u2029]/gu, "\ufffd"))}"`;
    const lines = rows.map((_, i) => `<line> ${Array.from(goal.subarray(i * columns.length, (i + 1) * columns.length), (cell) => (cell ? "x" : "_")).join(" ")} </line>`);
    const attributes = `name=${said(title)} author=${said(author)} desc="" difficulty="0" height="${rows.length}" width="${columns.length}"`;
    return `${['<?xml version="1.0" encoding="UTF-8"?>', "<FreeNono>", "<Nonograms>", `<Nonogram ${attributes}>`, ...lines, "</Nonogram>", "</Nonograms>", "</FreeNono>"].join("\n")}\n`;
  },
};
