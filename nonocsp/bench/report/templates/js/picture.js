/** @import { Data } from "./data.js" */
import { element, shape } from "./dom.js";

const UNKNOWN = "var(--unknown)";

/**
 * A solution or a partial grid as a drawing, every fifth line stroked.
 *
 * @param {Data} data
 * @param {number} picture
 * @param {string} label  What it shows, for those who do not see it.
 * @returns {SVGElement}
 */
export function drawing(data, picture, label) {
  const puzzle = data.columns["picture.puzzle"][picture];
  const rows = data.columns["puzzle.rows"][puzzle];
  const columns = data.columns["puzzle.columns"][puzzle];
  const ink = data.document.inks[data.columns["picture.ink"][picture]];
  const svg = shape("svg", {
    class: "picture", role: "img", "aria-label": label, viewBox: `-0.1 -0.1 ${columns + 0.2} ${rows + 0.2}`,
  });
  svg.append(shape("rect", { width: columns, height: rows, fill: "#ffffff" }));
  for (const [code, path] of paths(codes(data, picture, ink.bits), rows, columns)) {
    svg.append(shape("path", { d: path, fill: ink.colours[code] || UNKNOWN }));
  }
  svg.append(shape("path", { class: "fifths", d: fifths(rows, columns) }));
  return svg;
}

/**
 * A picture with a caption.
 *
 * @param {Data} data @param {number} picture @param {string} caption
 * @returns {HTMLElement}
 */
export function captioned(data, picture, caption) {
  return element("figure", { class: "captioned" }, drawing(data, picture, caption),
    element("figcaption", {}, caption));
}

/**
 * The picture's cells, row by row.
 *
 * @param {Data} data @param {number} picture @param {number} bits
 * @returns {(cell: number) => number}
 */
function codes(data, picture, bits) {
  const start = data.columns["picture.start"][picture];
  const packed = data.columns["picture.bits"];
  return (cell) => {
    let code = 0;
    for (let bit = cell * bits; bit < (cell + 1) * bits; bit++) {
      code = (code << 1) | ((packed[start + (bit >> 3)] >> (7 - (bit & 7))) & 1);
    }
    return code;
  };
}

/**
 * For each code the outline of all its runs of equal cells.
 *
 * @param {(cell: number) => number} codeOf @param {number} rows @param {number} columns
 * @returns {Map<number, string>}
 */
function paths(codeOf, rows, columns) {
  /** @type {Map<number, string>} */
  const found = new Map();
  for (let row = 0; row < rows; row++) {
    for (let start = 0, end = 0; start < columns; start = end) {
      const code = codeOf(row * columns + start);
      for (end = start + 1; end < columns && codeOf(row * columns + end) === code; end++);
      found.set(code, `${found.get(code) ?? ""}M${start} ${row}h${end - start}v1h${start - end}z`);
    }
  }
  return found;
}

/** @param {number} rows @param {number} columns @returns {string} */
function fifths(rows, columns) {
  let path = `M0 0h${columns}v${rows}h${-columns}z`;
  for (let x = 5; x < columns; x += 5) path += `M${x} 0v${rows}`;
  for (let y = 5; y < rows; y += 5) path += `M0 ${y}h${columns}`;
  return path;
}
