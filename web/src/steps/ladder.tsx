/** The ladder of methods on one puzzle: `nonocsp ladder --output page.html`. */

import { useState } from "preact/hooks";
import { type Language, useLanguage } from "../shared/language.ts";
import { Head } from "../shared/parts.tsx";
import { TABLES } from "./texts.ts";
import type { Puzzle, Step } from "./walk.ts";
import { Walkthrough } from "./walkthrough.tsx";

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

interface LadderProps {
  data: Climbed & { title: string; author: string };
  puzzle: Puzzle;
}

export function Ladder({ data, puzzle }: LadderProps) {
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
