/** The page to step through an explanation: `nonocsp explain --output page.html`. */

import { render } from "preact";
import type { Block } from "../core/module.ts";
import type { Colour } from "../model/picture.ts";
import { LanguageChoice } from "../shared/choose.tsx";
import { pageData } from "../shared/data.ts";
import { useLanguage } from "../shared/language.ts";
import { TABLES } from "./texts.ts";
import { type Ending, hardest, type Puzzle, type Step } from "./walk.ts";
import { Walkthrough } from "./walkthrough.tsx";
import "../shared/theme.css";
import "../shared/page.css";
import "./style.css";

/** What `nonocsp.grading.explain.html` writes into the page; a block is its length and colour. */
interface Data {
  title: string;
  author: string;
  palette: Colour[];
  rows: [number, number][][];
  columns: [number, number][][];
  /** The candidates of each cell at the start; missing for the empty grid. */
  start?: string[];
  steps: Step[];
  ending: Ending;
  /** How hard it is; null if nobody knows. */
  level: string | null;
  /** The numbers behind the level, in English. */
  reasons: string;
  pace: number;
}

function Page({ data }: { data: Data }) {
  const t = TABLES[useLanguage()];
  const { title, author, palette, rows, columns, start, steps, ending, pace } = data;
  const grade = steps[hardest(steps)[0] ?? -1]?.grade ?? 0;
  return (
    <main>
      <header>
        <div>
          <h1>{title || t.untitled}</h1>
          <p class="note">
            {t.about(rows.length, columns.length, author)} {t.ending(ending, steps.length, grade)} {t.level(data.level)}{" "}
            <span lang="en">{data.reasons}.</span>
          </p>
        </div>
        <LanguageChoice label={t.language} />
      </header>
      <Walkthrough puzzle={puzzle} start={start} steps={steps} ending={ending} pace={pace} />
    </main>
  );
}

const data = pageData<Data>();
const root = document.getElementById("steps");
const side = (clues: [number, number][][]): Block[][] => clues.map((clue) => clue.map(([length, colour]) => ({ length, colour })));
const puzzle: Puzzle = {
  title: data?.title ?? "",
  palette: data?.palette ?? [],
  clues: { colours: data?.palette.length ?? 0, rows: side(data?.rows ?? []), columns: side(data?.columns ?? []) },
};
if (root && data) render(<Page data={data} />, root);
document.body.dataset.ready = "";
