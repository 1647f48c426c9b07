/** Everything that the pages say in German. */

import { folderDe } from "../folder/texts.ts";
import { importingDe } from "../importing/texts.ts";
import type { Effect } from "../core/module.ts";
import type { Verdict } from "../core/messages.ts";
import type { Texts } from "./en.ts";

const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;
const cells = (n: number) => count(n, "Feld", "Felder");

export const de: Texts = {
  folder: folderDe,
  importing: importingDe,
  studio: {
    dark: "Dunkel",
    language: "Sprache",
    views: "Ansichten",
    view: { draw: "Zeichnen", play: "Spielen", steps: "Schritte", gallery: "Galerie", folder: "Ordner" },
    askedAgain: "Die Prüfung ist abgebrochen und läuft wieder.",
    notJudged: "Die Prüfung ist abgebrochen; die nächste Änderung startet sie wieder.",
    forbidden: "Dieser Browser hebt für diese Seite nichts auf. Speichere die Zeichnung als Datei, bevor du gehst.",
    full: "Der Browser speichert nicht mehr: Die letzten Änderungen sind nicht aufgehoben. Speichere die Zeichnung als Datei.",
    copied: "Ein anderer Tab hat diese Zeichnung geändert; deine geht als Kopie weiter.",
    followed: "Ein anderer Tab hat diese Zeichnung geändert.",
    damaged: "Die aufgehobene Zeichnung ist beschädigt und wurde beiseitegelegt.",
    openLink: "Link öffnen",
    keepMine: "Meine behalten",
    recent: "Frühere Zeichnungen",
    linkOrMine: (linked, mine) => `Der Link enthält „${linked}“; du hast an „${mine}“ gezeichnet. Deine bleibt unter den früheren Zeichnungen.`,
    title: "Titel",
    untitled: "Rätsel ohne Titel",
    tools: "Werkzeuge",
    tool: { pen: "Stift", fill: "Füllen", line: "Linie" },
    toolHelp: {
      pen: "Malt Felder; ein Feld der gewählten Farbe wird Hintergrund",
      fill: "Malt alle Felder einer Farbe, die zusammenhängen",
      line: "Malt eine gerade Linie vom ersten bis zum letzten Feld",
    },
    undo: "Zurück",
    redo: "Vor",
    clear: "Leeren",
    mirror: "Spiegeln",
    mirrors: { none: "aus", "left-right": "links und rechts", "top-bottom": "oben und unten", both: "beides" },
    shift: "Verschieben",
    shifts: { up: "nach oben", down: "nach unten", left: "nach links", right: "nach rechts" },
    turn: "Drehen",
    turns: { across: "Links und rechts tauschen", over: "Oben und unten tauschen", left: "Nach links drehen", right: "Nach rechts drehen" },
    shape: "Bild",
    about: "Angaben",
    author: "Autor",
    licence: "Lizenz",
    rows: "Zeilen",
    columns: "Spalten",
    colours: "Farben",
    addColour: "Farbe hinzufügen",
    colourName: (name) => `Name von ${name}`,
    colourValue: (name) => `Farbe von ${name}`,
    mergeColour: (name) => `${name} vereinen mit`,
    removeColour: (name) => `${name} entfernen`,
    picture: (rows, columns) => `Bild mit ${count(rows, "Zeile", "Zeilen")} und ${count(columns, "Spalte", "Spalten")}`,
    help: "Pfeile bewegen, Leertaste malt, Ziffern wählen Farben, P F L Werkzeuge, R repariert, Strg+Z nimmt zurück.",
    lineStarted: "Linie begonnen; zum Ende gehen und die Leertaste drücken.",
    showRepairs: "Reparaturen zeigen",
    repairs: "Reparaturen",
    adapt: "Anpassen",
    adaptHelp: "Ändert ein paar Felder, bis das Rätsel eine Lösung hat",
    stop: "Anhalten",
    adapting: (changes, open) => `${cells(changes)} geändert, ${open} offen …`,
    adapted: (changed) => (changed.length ? `${cells(changed.length)} geändert: ${changed.join("; ")}.` : "Das Rätsel hat schon genau eine Lösung."),
    notAdapted: "Es wurden keine Änderungen gefunden, die genau eine Lösung lassen.",
    changed: (row, column, colour) => `Zeile ${row + 1}, Spalte ${column + 1} ist ${colour}`,
    effort: "Schwierigkeit",
    showHeat: "Zeigen, wo man hängen bleibt",
    noGrade: "Die Stufe steht fest, sobald das Rätsel eine Lösung hat.",
    grading: "Wird eingestuft …",
    level: (level) => ({ easy: "leicht", medium: "mittel", hard: "schwer", expert: "sehr schwer" })[level],
    rounds: (grade, uses) => (grade === 5 ? `Was-wäre-wenn ${uses}×` : `Grad ${grade} ${uses}×`),
    heat: (grade) => (grade === undefined ? ", keine Technik entscheidet es" : `, entschieden durch eine Technik vom Grad ${grade}`),
    heatLegend: "2, 3, 4: braucht eine Technik dieses Grads · 5: braucht eine Was-wäre-wenn-Frage · ! bleibt offen",
    noRepairs: "Keine Änderung eines einzelnen Felds lässt genau eine Lösung.",
    noSimplerRepairs: "Keine Änderung eines einzelnen Felds macht es zeilenweise lösbar.",
    searching: (left) => `Änderungen werden versucht, noch ${left} …`,
    repairsFound: "Eine genügt. Zeige auf ● oder ○ im Bild.",
    found: (n) => `${n} gefunden`,
    noneNeeded: "Keine nötig",
    previous: "Vorige Reparatur",
    next: "Nächste Reparatur",
    apply: (n, all, colour, effect) => `${n} von ${all}: ${colour}, ${effectName(effect)}`,
    applyIt: "Anwenden",
    legend: "? mehrdeutiges Feld · ● repariert, zeilenweise lösbar · ○ repariert, eine Lösung",
    checking: "Wird geprüft …",
    blank: "Zeichne etwas: Hier erscheint das Urteil.",
    noSolution: "Die Zahlen haben keine Lösung.",
    solving: "Die Zahlen werden gelöst …",
    cell: (row, column, colour, isAmbiguous, effect) =>
      `Zeile ${row + 1} Spalte ${column + 1}, ${colour}${isAmbiguous ? ", mehrdeutig" : ""}${effect === "none" || effect === "undecided" ? "" : `, Reparatur: ${effectName(effect)}`}`,
    verdict({ solutions, isComplete, open, sweeps, ambiguous }: Verdict): string {
      const differing = ambiguous.reduce((sum, cell) => sum + cell, 0);
      if (solutions === "several") {
        const found = `Mehrere Lösungen: ${count(differing, "mehrdeutiges Feld", "mehrdeutige Felder")}`;
        return isComplete ? found : `${found} bisher …`;
      }
      if (solutions === "one" && open === 0) return `Eine Lösung, zeilenweise lösbar in ${count(sweeps, "Durchgang", "Durchgängen")}`;
      if (solutions === "one") return `Eine Lösung, aber zeilenweise bleiben ${cells(open)} offen`;
      return `Wird geprüft: zeilenweise bleiben ${cells(open)} offen …`;
    },
  },
};

function effectName(effect: Effect): string {
  return effect === "simple" ? "zeilenweise lösbar" : "eine Lösung";
}
