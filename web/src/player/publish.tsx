/** Publish a puzzle: one HTML file that anyone can play, made in the page itself. */

import skeleton from "virtual:player";
import { useState } from "preact/hooks";
import type { CoreClient } from "../core/client.ts";
import { Words } from "../core/words.ts";
import { download, fileName } from "../shared/files.ts";
import { Button, Switch } from "../shared/controls.tsx";
import { type Language, useLanguage } from "../shared/language.ts";
import { useTexts } from "../texts/language.ts";
import { type PageData, type Puzzle, type Step, writePuzzle } from "./puzzle.ts";
import { TABLES } from "./texts.ts";

/** The page of the player with its data and title, as `nonocsp.pages.filled` makes it. */
function filledPage(data: PageData, title: string): string {
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
  const t = useTexts().publish;
  const [withSteps, setWithSteps] = useState(false);
  const [said, say] = useState("");
  const publish = async () => {
    try {
      if (withSteps) say(t.explaining);
      const found = withSteps ? await explained(core, puzzle, language) : undefined;
      const entry = { puzzle: writePuzzle(puzzle), ...(found && { steps: found.steps, stepsLanguage: language }) };
      const page = filledPage({ puzzles: [entry] }, puzzle.title || TABLES[language].untitled);
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
      <Switch label={t.withSteps} isOn={withSteps} onChange={setWithSteps} />
      <p role="status">{said}</p>
    </fieldset>
  );
}
