/** The page to step through an explanation, or a ladder of methods: `nonocsp explain --output page.html`. */

import { render } from "preact";
import { useMemo } from "preact/hooks";
import type { Block } from "../core/module.ts";
import type { Colour } from "../model/picture.ts";
import { Head } from "../shared/parts.tsx";
import { pageData } from "../shared/data.ts";
import { type Language, useLanguage } from "../shared/language.ts";
import { type Climbed, Ladder } from "./ladder.tsx";
import { TABLES } from "./texts.ts";
import type { Puzzle, Step } from "./walk.ts";
import { Walkthrough } from "./walkthrough.tsx";
import "../shared/theme.css";
import "../shared/page.css";
import "./style.css";

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
