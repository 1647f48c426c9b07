/** Publish a puzzle: one HTML file that anyone can play, made in the page itself. */

import skeleton from "virtual:player";
import { useState } from "preact/hooks";
import type { CoreClient } from "../core/client.ts";
import { Words } from "../core/words.ts";
import { download, fileName } from "../shared/files.ts";
import { Button } from "../shared/icons.tsx";
import { type Language, useLanguage } from "../shared/language.ts";
import { type PageData, type Puzzle, type Step, writePuzzle } from "./puzzle.ts";

const TABLES = {
  en: {
    publish: "Publish",
    withSteps: "with the explanation, for hints (gives the solution away)",
    save: "Save as a page to play",
    explaining: "Explaining …",
    saved: (kilobytes: number) => `Saved: one file of ${kilobytes} kB that plays offline in any browser.`,
    stuck: "The explanation ends before the puzzle is solved.",
    untitled: "Nonogram",
  },
  de: {
    publish: "Veröffentlichen",
    withSteps: "mit der Erklärung, für Tipps (verrät die Lösung)",
    save: "Als Seite zum Spielen sichern",
    explaining: "Erkläre …",
    saved: (kilobytes: number) => `Gesichert: eine Datei von ${kilobytes} kB, die ohne Netz in jedem Browser spielt.`,
    stuck: "Die Erklärung endet, bevor das Rätsel gelöst ist.",
    untitled: "Nonogramm",
  },
};

/** The page of the player with its data and title, as `nonocsp.pages.filled` makes it. */
export function filledPage(data: PageData, title: string): string {
  const made = new DOMParser().parseFromString(skeleton, "text/html");
  made.title = title;
  const fill = (place: string, text: string | null | undefined) => (made.querySelector(place) as Element).append(text ?? "");
  fill("#data", JSON.stringify(data).replaceAll("<", "\\u003c"));
  for (const part of ["style", "script"]) fill(`${part}:not(#data)`, document.getElementById(`player-${part}`)?.textContent);
  return `<!doctype html>\n${made.documentElement.outerHTML}`;
}

/** The steps of the whole explanation, and whether they solve the puzzle. */
async function explained(core: CoreClient, { clues, palette }: Puzzle, language: Language): Promise<{ steps: Step[]; isFull: boolean }> {
  const words = new Words({ ...clues, palette }, language);
  const steps: Step[] = [];
  const ending = await core.explain(clues, (found) => {
    for (const one of found) {
      const { line, cells, text } = words.step(one, steps.length + 1);
      steps.push({ ...(line && { line }), cells: cells.map(({ row, column, candidates }) => [row, column, candidates]), text });
    }
  });
  return { steps, isFull: ending.verdict === "solved" };
}

export function Publish({ puzzle, core }: { puzzle: Puzzle; core: CoreClient }) {
  const language = useLanguage();
  const t = TABLES[language];
  const [withSteps, setWithSteps] = useState(false);
  const [said, say] = useState("");
  const publish = async () => {
    try {
      if (withSteps) say(t.explaining);
      const found = withSteps ? await explained(core, puzzle, language) : undefined;
      const entry = { puzzle: writePuzzle(puzzle), ...(found && { steps: found.steps, stepsLanguage: language }) };
      const page = filledPage({ puzzles: [entry] }, puzzle.title || t.untitled);
      const name = fileName(puzzle.title);
      download(new Blob([page], { type: "text/html" }), `${name}.html`);
      say([t.saved(Math.round(page.length / 1000)), found && !found.isFull && t.stuck].filter(Boolean).join(" "));
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <fieldset class="publish">
      <legend>{t.publish}</legend>
      <Button label={t.save} onClick={publish} />
      <label>
        <input type="checkbox" checked={withSteps} onChange={(event) => setWithSteps(event.currentTarget.checked)} /> {t.withSteps}
      </label>
      <p role="status">{said}</p>
    </fieldset>
  );
}
