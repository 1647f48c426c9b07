/** The page to step through an explanation, or a ladder of methods: `nonocsp explain --output page.html`. */

import { render } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { Block } from "../core/module.ts";
import type { Colour } from "../model/picture.ts";
import { Head } from "../shared/parts.tsx";
import { pageData } from "../shared/data.ts";
import { type Language, useLanguage } from "../shared/language.ts";
import { TABLES } from "./texts.ts";
import type { Puzzle, Step } from "./walk.ts";
import { Walkthrough } from "./walkthrough.tsx";
import "../shared/theme.css";
import "../shared/page.css";
import "./style.css";

/** How long a step lasts when it plays, in ms. */
const PACE = 1000;

/** What `nonocsp.grading.ladder.telling` writes into the page, beside the puzzle. */
export interface Climbed {
  /** The candidates of each cell before the steps of each rung. */
  starts: string[][];
  rungs: Record<Language, Rung[]>;
}

interface Rung {
  method: string;
  name: string;
  about: string;
  /** Cells that it decides, of how many. */
  known: number;
  cells: number;
  derives: string;
  cannot: string;
  backend: string;
  search: string;
  steps: Step[];
}

export function Ladder({ data, puzzle }: { data: Climbed & { title: string; author: string }; puzzle: Puzzle }) {
  const language = useLanguage();
  const t = TABLES[language];
  const rungs = data.rungs[language];
  const [chosen, setChosen] = useState(() => Math.max(0, rungs.findIndex(({ method }) => `#${method}` === location.hash)));
  const rung = rungs[chosen];
  const choose = (place: number) => {
    setChosen(place);
    history.replaceState(null, "", `#${rungs[place]?.method}`);
  };
  return (
    <main>
      <Head title={data.title || t.untitled}>{t.ladder.about(puzzle.clues.rows.length, puzzle.clues.columns.length, data.author)}</Head>
      <nav aria-label={t.ladder.methods}>
        <ol class="rungs">
          {rungs.map(({ method, name, known, cells }, place) => (
            <li key={method}>
              <button type="button" aria-current={place === chosen ? "true" : undefined} onClick={() => choose(place)}>
                {name}
                <span class="note">{t.ladder.known(known, cells)}</span>
                <progress aria-hidden="true" max={cells} value={known} />
              </button>
            </li>
          ))}
        </ol>
      </nav>
      {rung && (
        <>
          <p class="method">{rung.about}</p>
          <Walkthrough key={chosen} puzzle={puzzle} start={data.starts[chosen]} steps={rung.steps} ending={rung.cannot} pace={PACE} />
          <dl class="method">
            <dt>{t.ladder.derives}</dt>
            <dd>{rung.derives}</dd>
            <dt>{t.ladder.cannot}</dt>
            <dd>{rung.cannot}</dd>
            <dt>{t.ladder.search}</dt>
            <dd>
              {rung.search} (<code>{rung.backend}</code>)
            </dd>
          </dl>
        </>
      )}
    </main>
  );
}

/** What Python writes into the page of a puzzle; a block is its length and colour. */
interface About {
  title: string;
  author: string;
  palette: Colour[];
  rows: [number, number][][];
  columns: [number, number][][];
}

/** What `nonocsp.grading.explain.html` adds. */
interface Data extends About {
  /** The candidates of each cell at the start; missing for the empty grid. */
  start?: string[];
  steps: Omit<Step, "title" | "text">[];
  words: Record<Language, Words>;
  pace: number;
}

interface Words {
  /** Title and text of each step. */
  steps: [title: string, text: string][];
  ending: string;
  /** How hard it is, and the numbers behind that. */
  level: string;
}

function Page({ data }: { data: Data }) {
  const language = useLanguage();
  const t = TABLES[language];
  const { title, author, rows, columns, start, pace } = data;
  const { steps: texts, ending, level } = data.words[language];
  const steps = useMemo(() => data.steps.map((step, i) => ({ ...step, title: texts[i]?.[0] ?? "", text: texts[i]?.[1] ?? "" })), [texts]);
  return (
    <main>
      <Head title={title || t.untitled}>
        {t.about(rows.length, columns.length, author)} {ending} {t.level} {level}.
      </Head>
      <Walkthrough puzzle={puzzle} start={start} steps={steps} ending={ending} pace={pace} />
    </main>
  );
}

const data = pageData<Data | (About & Climbed)>();
const root = document.getElementById("steps");
const side = (clues: [number, number][][]): Block[][] => clues.map((clue) => clue.map(([length, colour]) => ({ length, colour })));
const puzzle: Puzzle = {
  palette: data?.palette ?? [],
  clues: { colours: data?.palette.length ?? 0, rows: side(data?.rows ?? []), columns: side(data?.columns ?? []) },
};
if (root && data) render("rungs" in data ? <Ladder data={data} puzzle={puzzle} /> : <Page data={data} />, root);
document.body.dataset.ready = "";
