/** What the steps say. The reasons of steps are data, in English. */

import type { Language } from "../shared/language.ts";
import { type Ending, lineOf, type Step } from "./walk.ts";

const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;
const steps = (n: number) => count(n, "step", "steps");

const en = {
  untitled: "Nonogram",
  about: (rows: number, columns: number, author = "") => `${rows}x${columns}${author && ` by ${author}`}, step by step.`,
  level: (level: string | null) => `Level${level ? ` ${level}` : ""}:`,
  board: "The puzzle",
  step: "The step",
  allSteps: "All steps",
  language: "Language",
  start: "Start",
  open: "open",
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
  keys: { steps: "one step", ends: "start and end", space: "space", plays: "plays" },
  grade: (grade: number) => `grade ${grade}`,
  title: ({ technique, line }: Step) =>
    line ? `${technique} ${technique === "probe" ? "against" : "in"} ${line}` : technique,
  stepOf: (n: number, all: number, title: string) => `Step ${n} of ${all}: ${title}`,
  ask: (step: Step) =>
    step.line && step.technique !== "probe"
      ? `What do you find in ${step.line}? ${count(step.cells.length, "cell", "cells")} can be told.`
      : `Look at the whole grid: ${count(step.cells.length, "cell", "cells")} can be told.`,
  total: (n: number) => `${steps(n)}.`,
  counting: (n: number) => `${steps(n)} so far …`,
  ending({ verdict, line, unknown }: Ending, n: number, grade: number): string {
    if (verdict === "contradiction") return `No solution: after ${steps(n)} no placement of the blocks of ${line} fits.`;
    if (verdict === "solved") return `Solved in ${steps(n)}, none above grade ${grade}.`;
    const cells = unknown === 1 ? "1 cell stays" : `${unknown} cells stay`;
    return `Stuck after ${steps(n)}: ${cells} open; the puzzle may have several solutions.`;
  },
  several: "The puzzle has several solutions: the steps go as far as all of them agree.",
  guessing: (n: number) => `From step ${n} on, the steps ask what-if questions: single lines say nothing more.`,
  blank: "The picture is empty: draw something first.",
};

export type StepsTexts = typeof en;

/** The techniques in German; those of other languages stay as they are. */
const TECHNIQUES: Record<string, string> = {
  colours: "Farben",
  finished: "Fertig",
  fit: "Einpassen",
  overlap: "Überlappung",
  edge: "Rand",
  glue: "Randnähe",
  complete: "Abschluss",
  gap: "Lücke",
  join: "Verbinden",
  split: "Trennen",
  reach: "Reichweite",
  anchor: "Anker",
  settle: "Alle Lagen",
  probe: "Was wäre wenn",
};
const LEVELS: Record<string, string> = { easy: "leicht", medium: "mittel", hard: "schwer", expert: "sehr schwer" };
const zeile = (name: string | undefined) => {
  const line = lineOf(name);
  return line ? `${line.axis === "row" ? "Zeile" : "Spalte"} ${line.position + 1}` : "";
};
const felder = (n: number) => count(n, "Feld", "Felder");
const schritte = (n: number) => count(n, "Schritt", "Schritte");
const schritten = (n: number) => count(n, "Schritt", "Schritten");

const de: StepsTexts = {
  untitled: "Nonogramm",
  about: (rows, columns, author = "") => `${rows}x${columns}${author && ` von ${author}`}, Schritt für Schritt.`,
  level: (level) => `Stufe${level ? ` ${LEVELS[level] ?? level}` : ""}:`,
  board: "Das Rätsel",
  step: "Der Schritt",
  allSteps: "Alle Schritte",
  language: "Sprache",
  start: "Anfang",
  open: "offen",
  first: "Zum Anfang",
  previous: "Voriger Schritt",
  play: "Abspielen",
  pause: "Anhalten",
  next: "Nächster Schritt",
  last: "Zum Ende",
  toHardest: "Schwerster Schritt",
  try: "Erst selbst versuchen",
  tryHelp: "Zeigt, wo der nächste Schritt ist, und seine Felder erst auf Wunsch",
  reveal: "Schritt zeigen",
  keys: { steps: "ein Schritt", ends: "Anfang und Ende", space: "Leertaste", plays: "spielt ab" },
  grade: (grade) => `Grad ${grade}`,
  title: ({ technique, line }) => {
    const name = TECHNIQUES[technique] ?? technique;
    return line ? `${name} ${technique === "probe" ? "gegen" : "in"} ${zeile(line)}` : name;
  },
  stepOf: (n, all, title) => `Schritt ${n} von ${all}: ${title}`,
  ask: (step) =>
    step.line && step.technique !== "probe"
      ? `Was findest du in ${zeile(step.line)}? ${felder(step.cells.length)} lassen sich bestimmen.`
      : `Sieh dir das ganze Gitter an: ${felder(step.cells.length)} lassen sich bestimmen.`,
  total: (n) => `${schritte(n)}.`,
  counting: (n) => `Bisher ${schritte(n)} …`,
  ending({ verdict, line, unknown }, n, grade) {
    if (verdict === "contradiction") return `Keine Lösung: nach ${schritten(n)} passt keine Lage der Blöcke von ${zeile(line)}.`;
    if (verdict === "solved") return `Gelöst in ${schritten(n)}, keiner über Grad ${grade}.`;
    return `Nach ${schritten(n)} geht es nicht weiter: ${felder(unknown)} ${unknown === 1 ? "bleibt" : "bleiben"} offen; vielleicht gibt es mehrere Lösungen.`;
  },
  several: "Das Rätsel hat mehrere Lösungen: Die Schritte gehen so weit, wie alle übereinstimmen.",
  guessing: (n) => `Ab Schritt ${n} wird probiert: Einzelne Zeilen und Spalten sagen nichts mehr.`,
  blank: "Das Bild ist leer: Zeichne zuerst etwas.",
};

export const TABLES: Record<Language, StepsTexts> = { en, de };
