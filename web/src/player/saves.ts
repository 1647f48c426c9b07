/** Half-solved puzzles in the browser's storage, which may be full or forbidden: then nothing is kept. */

import { OPEN } from "../board/lines.ts";
import { type Puzzle, writePuzzle } from "./puzzle.ts";

export interface Save {
  cells: Uint8Array;
  seconds: number;
  mistakes: number;
  isSolved: boolean;
}

const CHARS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";

/** The key of a puzzle: a checksum of its clues and colours (two times 32 bits of FNV-1a), not of its texts. */
export function keyOf(puzzle: Puzzle): string {
  const { rows, columns, palette } = writePuzzle(puzzle);
  const text = JSON.stringify([rows, columns, palette]);
  const digits = [0x811c9dc5, 0x9e3779b9].map((start) => {
    let hash = start;
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    return (hash >>> 0).toString(36);
  });
  return `nonocsp.play.${digits.join("")}`;
}

export function keepSave(puzzle: Puzzle, { cells, ...rest }: Save): void {
  const text = Array.from(cells, (cell) => (cell === OPEN ? "?" : (CHARS[cell] ?? "?"))).join("");
  try {
    localStorage.setItem(keyOf(puzzle), JSON.stringify({ ...rest, cells: text }));
  } catch {
    // The marks last as long as the page.
  }
}

export function keptSave(puzzle: Puzzle): Save | undefined {
  try {
    const read = JSON.parse(localStorage.getItem(keyOf(puzzle)) ?? "null");
    const { rows, columns, colours } = puzzle.clues;
    if (typeof read?.cells !== "string" || read.cells.length !== rows.length * columns.length) return undefined;
    const cells = Uint8Array.from(read.cells as string, (char) => {
      const colour = CHARS.indexOf(char);
      return colour >= 0 && colour < colours ? colour : OPEN;
    });
    const number = (value: unknown) => (typeof value === "number" && value >= 0 ? Math.floor(value) : 0);
    return { cells, seconds: number(read.seconds), mistakes: number(read.mistakes), isSolved: read.isSolved === true };
  } catch {
    return undefined;
  }
}

/** Options that a player switched on; they hold for all puzzles. */
export function isOn(option: string): boolean {
  try {
    return localStorage.getItem(`nonocsp.option.${option}`) === "on";
  } catch {
    return false;
  }
}

export function keepOption(option: string, isChecked: boolean): void {
  try {
    localStorage.setItem(`nonocsp.option.${option}`, isChecked ? "on" : "off");
  } catch {
    // It holds as long as the page.
  }
}
