/** The player in the studio: the puzzle that is drawn, with the hints of the core; and one HTML file of it that anyone can play. */

import { Send } from "lucide";
import { useMemo, useState } from "preact/hooks";
import type { CoreClient } from "../core/client.ts";
import { Words } from "../core/words.ts";
import { cluesOf, type Picture } from "../model/picture.ts";
import { type Language, useLanguage } from "../shared/language.ts";
import type { ViewProps } from "../studio/views.ts";
import { OPEN } from "../board/lines.ts";
import { type Adviser, keyOf, type PageData, type Puzzle, type Step, writePuzzle } from "./puzzle.ts";
import { en, TABLES } from "./texts.ts";
import { Player } from "./view.tsx";
import skeleton from "virtual:player";
import { download, fileName } from "../shared/data.ts";
import { Button, Switch } from "../shared/controls.tsx";
import { Panel } from "../studio/panels.tsx";
import { useTexts } from "../texts/language.ts";
import "./style.css";

const BLANK = { en: "Draw something first; then you can play it here.", de: "Zeichne zuerst etwas; dann kannst du es hier spielen." };

function puzzleOf(picture: Picture): Puzzle {
  const { title, author = "", licence = "", palette } = picture;
  return { title, author, licence, palette, clues: cluesOf(picture) };
}

/** Advises by the core: its hints, and the cells that are wrong in every solution. */
function adviserOf(core: CoreClient, { clues, palette }: Puzzle, language: Language): Adviser {
  const words = new Words({ ...clues, palette }, language);
  const all = (1n << BigInt(palette.length)) - 1n;
  const asked = (marks: Uint8Array) => core.hint(clues, BigUint64Array.from(marks, (mark) => (mark === OPEN ? all : 1n << BigInt(mark))));
  const place = (row: number, column: number) => row * clues.columns.length + column;
  return {
    wrong: async (marks) => (await asked(marks)).wrong.map(([row, column]) => place(row, column)),
    hint: async (marks) => {
      const { steps } = await asked(marks);
      const last = steps.at(-1);
      if (!last) return undefined;
      return {
        language,
        text: steps.map((step) => words.text(step)).join(" "),
        ...(last.line && { line: { axis: last.line[0], index: last.line[1] } }),
        cells: last.changes.filter(([, , , after]) => after.length === 1).map(([row, column, , [colour = 0]]) => ({ place: place(row, column), colour })),
      };
    },
  };
}

export function PlayView({ picture, core }: ViewProps) {
  const language = useLanguage();
  const puzzle = useMemo(() => puzzleOf(picture), [picture]);
  const adviser = useMemo(() => adviserOf(core, puzzle, language), [core, puzzle, language]);
  if (picture.cells.every((cell) => cell === 0)) return <p>{BLANK[language]}</p>;
  return (
    <Player key={keyOf(puzzle)} puzzle={puzzle} adviser={adviser} t={TABLES[language]} level={2}>
      <Publish puzzle={puzzle} core={core} />
    </Player>
  );
}

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
      const page = filledPage({ puzzles: [entry] }, en.untitled);
      const name = fileName(puzzle.title);
      download(new Blob([page], { type: "text/html" }), `${name}.html`);
      say([t.saved(Math.round(page.length / 1000)), found && !found.isFull && t.stuck].filter(Boolean).join(" "));
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <Panel icon={Send} title={t.publish}>
      <Button label={t.save} onClick={publish} />
      <Switch label={t.withSteps} isOn={withSteps} onChange={setWithSteps} />
      <p role="status">{said}</p>
    </Panel>
  );
}
