/**
 * The puzzle and its solution as SVG and PNG, with the look of `nonocsp.render`: the clues stand outside the grid, each
 * block in a slot as large as a cell, every fifth line is thicker, and in several colours a number stands on its colour.
 */

import type { Block } from "../core/module.ts";
import { cluesOf, type Picture } from "../model/picture.ts";

const CELL = 20;
const EDGE = CELL / 2;
const [INK, FAINT] = ["#222222", "#a0a0a0"];
/** Pixels of a PNG for each unit. */
const SCALE = 2;

const escape = (text: string): string => text.replace(/[\p{C}\u2028\u2029]/gu, "").replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Black or white, whichever is easier to read on a colour (ITU-R BT.601 luma). */
export function contrasting(rgb: string): string {
  const value = Number.parseInt(rgb.slice(1), 16);
  return 299 * (value >> 16) + 587 * ((value >> 8) & 255) + 114 * (value & 255) > 140_000 ? "#000000" : "#ffffff";
}

export interface Svg {
  text: string;
  width: number;
  height: number;
}

/** Returns the document of a puzzle, with its solution or with an empty grid. */
export function svgOf(picture: Picture, { isSolved }: { isSolved: boolean }): Svg {
  const { rows, columns, palette, title } = picture;
  const clues = cluesOf(picture);
  const slots = (side: Block[][]) => side.reduce((most, { length }) => Math.max(most, length), 1);
  const [left, top] = [EDGE + slots(clues.rows) * CELL, EDGE + slots(clues.columns) * CELL];
  const [right, bottom] = [left + columns * CELL, top + rows * CELL];
  const boxes = [box(left, top, right - left, bottom - top, palette[0]?.rgb)];
  const labels: string[] = [];
  if (isSolved) boxes.push(...runs(picture, left, top));
  const clue = (blocks: Block[], x: number, y: number, step: [number, number]) => {
    const said = blocks.length ? blocks : [undefined];
    for (const [i, block] of said.entries()) {
      const [slotX, slotY] = [x + (i - said.length) * step[0], y + (i - said.length) * step[1]];
      const text = String(block?.length ?? 0);
      const fill = palette[block?.colour ?? 0]?.rgb ?? "";
      const isColoured = block && palette.length > 2;
      if (isColoured) boxes.push(box(slotX + 1, slotY + 1, CELL - 2, CELL - 2, fill));
      const size = Number((CELL * Math.min(0.6, 1.5 / text.length)).toPrecision(6));
      labels.push(`<text x="${slotX + CELL / 2}" y="${slotY + CELL / 2}" font-size="${size}" fill="${isColoured ? contrasting(fill) : INK}">${text}</text>`);
    }
  };
  for (const [r, blocks] of clues.rows.entries()) clue(blocks, left, top + r * CELL, [CELL, 0]);
  for (const [c, blocks] of clues.columns.entries()) clue(blocks, left + c * CELL, top, [0, CELL]);
  const stroke = (x1: number, y1: number, x2: number, y2: number, isThick: boolean) =>
    `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${isThick ? INK : FAINT}" stroke-width="${isThick ? 2 : 1}"/>`;
  const places = (last: number, isThick: boolean) => Array.from({ length: last + 1 }, (_, i) => i).filter((i) => (i % 5 === 0 || i === last) === isThick);
  const lines = [false, true].flatMap((isThick) => [
    ...places(columns, isThick).map((c) => stroke(left + c * CELL, top, left + c * CELL, bottom, isThick)),
    ...places(rows, isThick).map((r) => stroke(left, top + r * CELL, right, top + r * CELL, isThick)),
  ]);
  const [width, height] = [right + EDGE, bottom + EDGE];
  const text = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="sans-serif">`,
    `<title>${escape(title) || "nonogram"}</title>`,
    '<rect width="100%" height="100%" fill="#ffffff"/>',
    '<g shape-rendering="crispEdges" stroke-linecap="square">',
    ...boxes,
    ...lines,
    "</g>",
    '<g text-anchor="middle" dominant-baseline="central">',
    ...labels,
    "</g>",
    "</svg>",
  ];
  return { text: `${text.join("\n")}\n`, width, height };
}

const box = (x: number, y: number, width: number, height: number, fill = ""): string => `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`;

/** A box for each run of equal cells of a row, except the background. */
function runs({ rows, columns, cells, palette }: Picture, left: number, top: number): string[] {
  const found: string[] = [];
  for (let row = 0; row < rows; row++)
    for (let start = 0, end = 0; start < columns; start = end) {
      const colour = cells[row * columns + start] as number;
      while (end < columns && cells[row * columns + end] === colour) end++;
      if (colour) found.push(box(left + start * CELL, top + row * CELL, (end - start) * CELL, CELL, palette[colour]?.rgb));
    }
  return found;
}

/** The same document as a PNG, at twice its size. */
export async function pngOf({ text, width, height }: Svg): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: SCALE * width, height: SCALE * height });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the browser makes no PNG"))), "image/png"));
}
