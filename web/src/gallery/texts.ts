/** What the galleries say. Looks, classes and commands are data, in English. */

import { count, type Language, LEVELS, listed } from "../shared/language.ts";
import type { Place, Stage } from "./data.ts";

/** Changed cells that the text for screen readers names. */
const NAMED = 12;

export type Order = "given" | "likeness" | "changes" | "level" | "size";
export type Column = "given" | "hardest" | "level" | "size" | "colours" | "sweeps";

const en = {
  spoiler: "Spoiler: solutions below.",
  play: "Play",
  playNumber: (n: number) => `Play puzzle ${n}`,
  picture: "the picture",
  prepared: "prepared",
  puzzle: "puzzle",
  order: "Order",
  orders: { given: "as given", likeness: "likeness", changes: "changed cells", level: "level", size: "size" } as Record<Order, string>,
  filter: "Level",
  anyLevel: "all levels",
  levels: LEVELS.en,
  shown: (n: number, all: number) => `${n} of ${all} shown`,
  sheet: {
    title: (name: string) => `Puzzles from ${name} to choose from`,
    intro: (n: number) => `${count(n, "puzzle", "puzzles")}, each with exactly one solution. The first looks most like the picture.`,
    before: (n: number) => `rendering ${n} before any change`,
    changed: (n: number) => (n ? `${count(n, "cell", "cells")} changed` : "nothing changed"),
    named(places: Place[]): string {
      const named = places.slice(0, NAMED).map(([row, column]) => `row ${row + 1} column ${column + 1}`);
      return [...named, ...(places.length > NAMED ? [`${places.length - NAMED} more`] : [])].join(", ");
    },
    solution: "solution of the puzzle",
    show: "Show the changed cells",
    facts: { size: "size", colours: "colours", likeness: "likeness", level: "level", class: "class" },
    copy: "Copy",
    copyCommand: (n: number) => `Copy command ${n}`,
    copied: "Copied",
    selected: "Selected",
    hint: "Point at a puzzle, or press it, to see the cells that were changed to make the solution the only one. Each command makes its puzzle again; to save it, add",
  },
  made: {
    title: (name: string) => `Puzzles from ${name}`,
    intro: (n: number, size: string, [background = "", ...inks]: string[]) =>
      `${count(n, "puzzle", "puzzles")} of ${size} cells${inks.length > 1 ? ` in ${inks.join(", ")} on ${background}` : ""}, each with exactly one solution.`,
    stages: "From picture to grid",
    stage: (stage: Stage, colours: number) =>
      ({ picture: "the picture", thresholded: "thresholded", colours: `${colours} colours`, edges: "edges", filled: "no empty lines" })[stage],
    puzzles: "Puzzles and their difficulty",
    sweeps: "The number is the difficulty: the sweeps of line solving that a puzzle takes.",
    framed: "Cells that differ from the prepared picture are framed.",
    varied: "Below each puzzle stands its last variation.",
    solution: (n: number) => `solution of puzzle ${n}`,
    variation: (n: number) => `variation of puzzle ${n}`,
    missed: "target difficulty not reached",
    later: (n: number) => `${count(n, "cell", "cells")} later`,
    curves: "Difficulty while cells are changed",
    plot: "Difficulty by the number of changed cells. The left and right keys follow a curve, up and down switch to another one.",
    depth: "changed cells",
    difficulty: "difficulty",
    point: "Point at a curve to see the puzzle at that point.",
    at: (title: string, sweeps: number) => `${title}: difficulty ${sweeps}`,
    changed: (n: number) => `${count(n, "cell", "cells")} changed`,
    here: "the puzzle at this point",
  },
  pack: {
    title: (n: number) => `${count(n, "nonogram", "nonograms")}, from easy to hard`,
    intro: (certifiers: string[]) =>
      `Each has exactly one solution, as ${listed(certifiers, "and")} have found independently of each other. The sweeps of line solving order puzzles of one level.`,
    columns: { given: "easy first", hardest: "hard first", level: "level", size: "size", colours: "colours", sweeps: "sweeps" } as Record<Column, string>,
    swept: (n: number) => count(n, "sweep"),
    page: "print",
    file: "file",
    solutions: "Solutions",
    show: "Show all pictures",
    solution: (title: string) => `solution of ${title}`,
  },
};

export type GalleryTexts = typeof en;

const de: GalleryTexts = {
  spoiler: "Achtung, unten stehen die Lösungen.",
  play: "Spielen",
  playNumber: (n) => `Rätsel ${n} spielen`,
  picture: "das Bild",
  prepared: "vorbereitet",
  puzzle: "Rätsel",
  order: "Reihenfolge",
  orders: { given: "wie vorgegeben", likeness: "Ähnlichkeit", changes: "geänderte Felder", level: "Stufe", size: "Größe" },
  filter: "Stufe",
  anyLevel: "alle Stufen",
  levels: LEVELS.de,
  shown: (n, all) => `${n} von ${all} gezeigt`,
  sheet: {
    title: (name) => `Rätsel aus ${name} zur Auswahl`,
    intro: (n) => `${n} Rätsel mit je genau einer Lösung. Das erste gleicht dem Bild am meisten.`,
    before: (n) => `Fassung ${n} vor jeder Änderung`,
    changed: (n) => (n ? `${count(n, "Feld", "Felder")} geändert` : "nichts geändert"),
    named(places) {
      const named = places.slice(0, NAMED).map(([row, column]) => `Zeile ${row + 1} Spalte ${column + 1}`);
      return [...named, ...(places.length > NAMED ? [`${places.length - NAMED} weitere`] : [])].join(", ");
    },
    solution: "Lösung des Rätsels",
    show: "Geänderte Felder zeigen",
    facts: { size: "Größe", colours: "Farben", likeness: "Ähnlichkeit", level: "Stufe", class: "Klasse" },
    copy: "Kopieren",
    copyCommand: (n) => `Befehl ${n} kopieren`,
    copied: "Kopiert",
    selected: "Markiert",
    hint: "Zeige auf ein Rätsel oder drücke darauf, um die Felder zu sehen, die für die Eindeutigkeit geändert wurden. Jeder Befehl macht sein Rätsel noch einmal; zum Speichern gehört dazu",
  },
  made: {
    title: (name) => `Rätsel aus ${name}`,
    intro: (n, size, [background = "", ...inks]) =>
      `${n} Rätsel mit ${size} Feldern${inks.length > 1 ? ` in ${inks.join(", ")} auf ${background}` : ""}, jedes mit genau einer Lösung.`,
    stages: "Vom Bild zum Gitter",
    stage: (stage, colours) =>
      ({ picture: "das Bild", thresholded: "zweifarbig", colours: `${colours} Farben`, edges: "Kanten", filled: "ohne leere Linien" })[stage],
    puzzles: "Die Rätsel und ihre Schwierigkeit",
    sweeps: "Die Zahl ist die Schwierigkeit: die Durchgänge, in denen sich ein Rätsel zeilenweise lösen lässt.",
    framed: "Felder, die vom vorbereiteten Bild abweichen, sind umrandet.",
    varied: "Unter jedem Rätsel steht seine letzte Abwandlung.",
    solution: (n) => `Lösung von Rätsel ${n}`,
    variation: (n) => `Abwandlung von Rätsel ${n}`,
    missed: "gewünschte Schwierigkeit nicht erreicht",
    later: (n) => `${count(n, "Feld", "Felder")} später`,
    curves: "Die Schwierigkeit, während Felder geändert werden",
    plot: "Schwierigkeit nach der Zahl der geänderten Felder. Die Tasten nach links und rechts folgen einer Kurve, die nach oben und unten wechseln sie.",
    depth: "geänderte Felder",
    difficulty: "Schwierigkeit",
    point: "Zeige auf eine Kurve, um das Rätsel an dieser Stelle zu sehen.",
    at: (title, sweeps) => `${title}: Schwierigkeit ${sweeps}`,
    changed: (n) => `${count(n, "Feld", "Felder")} geändert`,
    here: "das Rätsel an dieser Stelle",
  },
  pack: {
    title: (n) => `${count(n, "Nonogramm", "Nonogramme")}, von leicht bis schwer`,
    intro: (certifiers) =>
      `Jedes hat genau eine Lösung, wie ${listed(certifiers, "und")} unabhängig voneinander gefunden haben. Innerhalb einer Stufe ordnen die Durchgänge des zeilenweisen Lösens.`,
    columns: { given: "leichte zuerst", hardest: "schwere zuerst", level: "Stufe", size: "Größe", colours: "Farben", sweeps: "Durchgänge" },
    swept: (n) => count(n, "Durchgang", "Durchgänge"),
    page: "Druck",
    file: "Datei",
    solutions: "Lösungen",
    show: "Alle Bilder zeigen",
    solution: (title) => `Lösung von ${title}`,
  },
};

export const TABLES: Record<Language, GalleryTexts> = { en, de };
