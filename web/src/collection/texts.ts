/** Everything that the gallery of own puzzles says. */

export const en = {
  about: "Puzzles that you keep in this browser. Export them to take them elsewhere.",
  keep: "Keep the present puzzle",
  replace: (title: string) => `Replace “${title}”`,
  exportAll: "Export all",
  importAll: "Import",
  list: "Kept puzzles",
  none: "Nothing is kept yet.",
  untitled: "Untitled puzzle",
  title: (title: string) => `Title of ${title}`,
  open: (title: string) => `Open ${title}`,
  play: (title: string) => `Play ${title}`,
  duplicate: (title: string) => `Duplicate ${title}`,
  remove: (title: string) => `Delete ${title}`,
  actions: { open: "Open", play: "Play", duplicate: "Duplicate", remove: "Delete" },
  picture: (title: string) => `Picture of ${title}`,
  kept: "Kept.",
  removed: (title: string) => `${title} is deleted.`,
  undo: "Undo",
  imported: (count: number, faults: string[]) =>
    `${count} imported.${faults.length ? ` Not imported: ${faults.slice(0, 5).join("; ")}${faults.length > 5 ? " …" : ""}` : ""}`,
  noJson: "This is no JSON file of puzzles.",
  full: "The browser stores no more. Export your puzzles and delete some, then try again.",
  forbidden: "The browser stores nothing for this page.",
};

export type CollectionTexts = typeof en;

export const de: CollectionTexts = {
  about: "Rätsel, die du in diesem Browser aufhebst. Exportiere sie, um sie mitzunehmen.",
  keep: "Dieses Rätsel aufheben",
  replace: (title) => `„${title}“ ersetzen`,
  exportAll: "Alle exportieren",
  importAll: "Importieren",
  list: "Aufgehobene Rätsel",
  none: "Noch ist nichts aufgehoben.",
  untitled: "Rätsel ohne Titel",
  title: (title) => `Titel von ${title}`,
  open: (title) => `${title} öffnen`,
  play: (title) => `${title} spielen`,
  duplicate: (title) => `${title} verdoppeln`,
  remove: (title) => `${title} löschen`,
  actions: { open: "Öffnen", play: "Spielen", duplicate: "Verdoppeln", remove: "Löschen" },
  picture: (title) => `Bild von ${title}`,
  kept: "Aufgehoben.",
  removed: (title) => `${title} ist gelöscht.`,
  undo: "Rückgängig",
  imported: (count, faults) =>
    `${count} importiert.${faults.length ? ` Nicht importiert: ${faults.slice(0, 5).join("; ")}${faults.length > 5 ? " …" : ""}` : ""}`,
  noJson: "Das ist keine JSON-Datei mit Rätseln.",
  full: "Der Browser speichert nicht mehr. Exportiere deine Rätsel, lösche einige und versuche es noch einmal.",
  forbidden: "Der Browser speichert nichts für diese Seite.",
};
