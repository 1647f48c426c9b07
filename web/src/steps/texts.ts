/** What the page of steps says beside the words of the steps. */

import { count, type Language } from "../shared/language.ts";
import { readLine } from "../board/lines.ts";
import type { Step } from "./walk.ts";

const steps = (n: number) => count(n, "step", "steps");

const en = {
  untitled: "Nonogram",
  about: (rows: number, columns: number, author = "") => `${rows}x${columns}${author && ` by ${author}`}, step by step.`,
  level: "Level",
  board: "The puzzle",
  step: "The step",
  allSteps: "All steps",
  start: "Start",
  open: "open",
  cell: (row: number, column: number, colour: string) => `row ${row + 1}, column ${column + 1}, ${colour}`,
  first: "To the start",
  previous: "Previous step",
  play: "Play",
  pause: "Pause",
  next: "Next step",
  last: "To the end",
  toHardest: "Hardest step",
  try: "Try first",
  tryHelp: "Show where the next step is, and its cells only when asked",
  reveal: "Show the step",
  space: "space",
  grade: (grade: number) => `grade ${grade}`,
  stepOf: (n: number, all: number) => `Step ${n} of ${all}`,
  ask({ technique, line, cells }: Step): string {
    const found = count(cells.length, "cell", "cells");
    return line && technique !== "probe"
      ? `What do you find in ${line}? This step is about ${found}.`
      : `Look at the whole grid. This step is about ${found}.`;
  },
  total: (n: number) => `${steps(n)}.`,
  soFar: (n: number) => `${steps(n)} so far …`,
  waiting: "Looking for steps …",
  several: "The puzzle has several solutions: the steps go as far as all of them agree.",
  ladder: {
    about: (rows: number, columns: number, author = "") =>
      `${rows}x${columns}${author && ` by ${author}`}: what each method derives, step by step, and what it cannot.`,
    methods: "Methods",
    known: (n: number, all: number) => `${n} of ${all} cells`,
    derives: "First beyond the methods before",
    cannot: "What it cannot",
    search: "Search of its backend until the answer is certain",
  },
  guessing: (n: number) => `From step ${n} on, steps ask what-if questions: no line alone says more.`,
};

export type StepsTexts = typeof en;

const schritte = (n: number) => count(n, "Schritt", "Schritte");
const zeile = (name: string | undefined) => {
  const line = readLine(name);
  return line && `${line.axis === "row" ? "Zeile" : "Spalte"} ${line.index + 1}`;
};

const de: StepsTexts = {
  untitled: "Nonogramm",
  about: (rows, columns, author = "") => `${rows}x${columns}${author && ` von ${author}`}, Schritt für Schritt.`,
  level: "Stufe",
  board: "Das Rätsel",
  step: "Der Schritt",
  allSteps: "Alle Schritte",
  start: "Anfang",
  open: "offen",
  cell: (row, column, colour) => `Zeile ${row + 1}, Spalte ${column + 1}, ${colour}`,
  first: "Zum Anfang",
  previous: "Voriger Schritt",
  play: "Abspielen",
  pause: "Anhalten",
  next: "Nächster Schritt",
  last: "Zum Ende",
  toHardest: "Schwerster Schritt",
  try: "Selbst suchen",
  tryHelp: "Zeigt, wo der nächste Schritt ist, und seine Zellen erst auf Wunsch",
  reveal: "Schritt zeigen",
  space: "Leertaste",
  grade: (grade) => `Grad ${grade}`,
  stepOf: (n, all) => `Schritt ${n} von ${all}`,
  ask({ technique, line, cells }) {
    const found = count(cells.length, "Zelle", "Zellen");
    return line && technique !== "probe"
      ? `Was findest du in ${zeile(line)}? In diesem Schritt geht es um ${found}.`
      : `Sieh dir das ganze Gitter an. In diesem Schritt geht es um ${found}.`;
  },
  total: (n) => `${schritte(n)}.`,
  soFar: (n) => `Bisher ${schritte(n)} …`,
  waiting: "Schritte werden gesucht …",
  several: "Das Rätsel hat mehrere Lösungen: Die Schritte gehen so weit, wie alle übereinstimmen.",
  ladder: {
    about: (rows, columns, author = "") =>
      `${rows}x${columns}${author && ` von ${author}`}: was jede Methode herleitet, Schritt für Schritt, und was sie nicht kann.`,
    methods: "Methoden",
    known: (n, all) => `${n} von ${all} Zellen`,
    derives: "Als Erstes über die Methoden davor hinaus",
    cannot: "Was sie nicht kann",
    search: "Suche ihres Backends, bis die Antwort sicher ist",
  },
  guessing: (n) => `Ab Schritt ${n} stellen die Schritte Was-wäre-wenn-Fragen: Eine Linie allein sagt nichts mehr.`,
};

export const TABLES: Record<Language, StepsTexts> = { en, de };
