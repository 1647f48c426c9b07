/** Half-solved puzzles in the browser's storage, which may be full or forbidden: then nothing is kept. */

import { useState } from "preact/hooks";
import { OPEN } from "../board/lines.ts";
import { store, stored } from "../shared/data.ts";
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
  store(keyOf(puzzle), JSON.stringify({ ...rest, cells: text }));
}

export function keptSave(puzzle: Puzzle): Save | undefined {
  try {
    const read = JSON.parse(stored(keyOf(puzzle)) ?? "null");
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

/** An option that a player switches on and off, for all puzzles. */
export function useOption(option: string): [isOn: boolean, set: (isOn: boolean) => void] {
  const key = `nonocsp.option.${option}`;
  const [isOn, setOn] = useState(() => stored(key) === "on");
  return [
    isOn,
    (next) => {
      setOn(next);
      store(key, next ? "on" : "off");
    },
  ];
}
