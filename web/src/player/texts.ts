/** Everything that the player says. */

import { count, type Language, LEVELS, listed } from "../shared/language.ts";
import type { Line } from "../board/lines.ts";

export const en = {
  untitled: "Nonogram",
  by: (author: string) => `by ${author}`,
  size: (rows: number, columns: number) => `${rows}x${columns}`,
  puzzles: (n: number) => `${n} puzzles`,
  number: (n: number) => `No. ${n}`,
  solvedOf: (n: number, all: number) => `${n} of ${all} solved. A picture and its name show once you have solved it.`,
  allPuzzles: "All puzzles",
  level: LEVELS.en,
  isSolved: "solved",
  isBegun: "begun",
  marks: "Mark",
  fill: "Fill",
  cross: "Cross",
  colours: "Colour",
  undo: "Undo",
  redo: "Redo",
  restart: "Restart",
  check: "Check",
  hint: "Hint",
  lookAt: (line: string | undefined, n: number) => `Look at ${line ?? "the whole grid"}: ${count(n, "cell follows", "cells follow")}.`,
  stages: ["Why?", "Show cells", "Fill in"],
  next: "Next puzzle",
  print: "Print",
  autoCross: "Cross out finished lines",
  showTimer: "Show the time",
  live: "Show mistakes at once",
  setPoint: "Set a checkpoint",
  goBack: (points: number) => `Go back${points ? ` (${points})` : ""}`,
  time: "Time",
  mistakes: "Mistakes",
  grid: (rows: number, columns: number) => `Puzzle of ${rows} rows and ${columns} columns`,
  howTo: "Drag to fill, right-click for crosses, Ctrl+wheel to zoom. Arrow keys move, space fills, X crosses out, Delete clears; with Shift, arrows repeat the mark. Digits choose a colour. Ctrl+Z undoes.",
  byFinger: "Drag to fill, hold for crosses. Two fingers move and zoom; dragging the numbers moves.",
  open: "open",
  crossed: "crossed out",
  filled: "filled",
  cell: (row: number, column: number, mark: string) => `row ${row + 1}, column ${column + 1}, ${mark}`,
  line: ({ axis, index }: Line) => `${axis} ${index + 1}`,
  solved: (title: string, time: string, mistakes: number, hints: number) => {
    const counts = [mistakes && count(mistakes, "mistake"), hints && count(hints, "hint")].filter(Boolean).join(" and ");
    return `${title && `${title}! `}Solved in ${time}, ${counts ? `with ${counts}` : "without a mistake"}.`;
  },
  finished: (n: number, all: number) => `${n} of ${all} lines finished.`,
  noMistake: "No mistake found.",
  noContradiction: "No line contradicts its clue.",
  faults: (lines: string[], cells: number, hasDoubts: boolean) =>
    [
      lines.length && `${lines.length === 1 ? "This line contradicts its clue" : "These lines contradict their clues"}: ${listed(lines, "and")}.`,
      cells && `${cells === 1 ? "1 cell is" : `${cells} cells are`} wrong, marked with !.`,
      hasDoubts && "At least one cell with ? is wrong.",
    ]
      .filter(Boolean)
      .join(" "),
  mendFirst: "First correct what is wrong.",
  noHint: "There is no further hint.",
  restarted: "Restarted; undo brings the marks back.",
  resumed: "Continued where you stopped.",
  badPuzzle: (why: string) => `This puzzle cannot be shown. ${why}`,
  noPuzzle: "This page is the empty player. nonocsp play PUZZLE writes a page with a puzzle.",
};

export type PlayerTexts = typeof en;

export const de: PlayerTexts = {
  untitled: "Nonogramm",
  by: (author) => `von ${author}`,
  size: (rows, columns) => `${rows}x${columns}`,
  puzzles: (n) => `${n} Rätsel`,
  number: (n) => `Nr. ${n}`,
  solvedOf: (n, all) => `${n} von ${all} gelöst. Bild und Name erscheinen, sobald du es gelöst hast.`,
  allPuzzles: "Alle Rätsel",
  level: LEVELS.de,
  isSolved: "gelöst",
  isBegun: "begonnen",
  marks: "Markieren",
  fill: "Füllen",
  cross: "Kreuz",
  colours: "Farbe",
  undo: "Zurück",
  redo: "Vor",
  restart: "Neu beginnen",
  check: "Prüfen",
  hint: "Tipp",
  lookAt: (line, n) => `Sieh dir ${line ?? "das ganze Gitter"} an: ${n === 1 ? "Ein Feld folgt" : `${n} Felder folgen`}.`,
  stages: ["Warum?", "Felder zeigen", "Eintragen"],
  next: "Nächstes Rätsel",
  print: "Drucken",
  autoCross: "Fertige Linien ankreuzen",
  showTimer: "Zeit zeigen",
  live: "Fehler sofort zeigen",
  setPoint: "Merkpunkt setzen",
  goBack: (points) => `Zum Merkpunkt${points ? ` (${points})` : ""}`,
  time: "Zeit",
  mistakes: "Fehler",
  grid: (rows, columns) => `Rätsel mit ${rows} Zeilen und ${columns} Spalten`,
  howTo: "Ziehen füllt, Rechtsklick kreuzt an, Strg+Mausrad vergrößert. Pfeiltasten bewegen, Leertaste füllt, X kreuzt an, Entf leert; mit Umschalttaste wiederholen Pfeile die Markierung. Ziffern wählen eine Farbe. Strg+Z macht rückgängig.",
  byFinger: "Ziehen füllt, Halten kreuzt an. Zwei Finger schieben und vergrößern; Ziehen an den Zahlen schiebt auch.",
  open: "offen",
  crossed: "angekreuzt",
  filled: "gefüllt",
  cell: (row, column, mark) => `Zeile ${row + 1}, Spalte ${column + 1}, ${mark}`,
  line: ({ axis, index }) => `${axis === "row" ? "Zeile" : "Spalte"} ${index + 1}`,
  solved: (title, time, mistakes, hints) => {
    const counts = [mistakes && `${mistakes} Fehler${mistakes === 1 ? "" : "n"}`, hints && `${hints} Tipp${hints === 1 ? "" : "s"}`].filter(Boolean).join(" und ");
    return `${title && `${title}! `}Gelöst in ${time}, ${counts ? `mit ${counts}` : "ohne Fehler"}.`;
  },
  finished: (n, all) => `${n} von ${all} Linien fertig.`,
  noMistake: "Kein Fehler gefunden.",
  noContradiction: "Keine Linie widerspricht ihrem Hinweis.",
  faults: (lines, cells, hasDoubts) =>
    [
      lines.length && `${lines.length === 1 ? "Diese Linie widerspricht ihrem Hinweis" : "Diese Linien widersprechen ihren Hinweisen"}: ${listed(lines, "und")}.`,
      cells && `${cells === 1 ? "1 Feld ist" : `${cells} Felder sind`} falsch, markiert mit !.`,
      hasDoubts && "Mindestens ein Feld mit ? ist falsch.",
    ]
      .filter(Boolean)
      .join(" "),
  mendFirst: "Berichtige zuerst, was falsch ist.",
  noHint: "Es gibt keinen weiteren Tipp.",
  restarted: "Neu begonnen; Rückgängig holt die Markierungen zurück.",
  resumed: "Fortgesetzt, wo du aufgehört hast.",
  badPuzzle: (why) => `Dieses Rätsel lässt sich nicht zeigen. ${why}`,
  noPuzzle: "Dies ist der leere Spieler. nonocsp play RÄTSEL schreibt eine Seite mit einem Rätsel.",
};

export const TABLES: Record<Language, PlayerTexts> = { en, de };
