/** The steps of the puzzle that is being drawn, found in the page itself. */

import { useEffect, useMemo, useState } from "preact/hooks";
import type { Ending, Grade, StepRecord } from "../core/records.ts";
import { Words } from "../core/words.ts";
import { cluesOf } from "../model/picture.ts";
import { useLanguage } from "../shared/language.ts";
import type { ViewProps } from "../studio/views.ts";
import { TABLES } from "./texts.ts";
import { emptyGrid, gridAfter, type Puzzle, type Step } from "./walk.ts";
import { Walkthrough } from "./walkthrough.tsx";
import "./style.css";

/** How long a step lasts when it plays, in ms. */
const PACE = 1000;

interface Found {
  records: StepRecord[];
  ending?: Ending;
  grade?: Grade;
  problem?: string;
}

export function StepsView({ picture, core }: ViewProps) {
  const language = useLanguage();
  const t = TABLES[language];
  const puzzle = useMemo<Puzzle>(() => ({ palette: picture.palette, clues: cluesOf(picture) }), [picture.cells, picture.columns, picture.palette]);
  const [{ records, ending, grade, problem }, setFound] = useState<Found>({ records: [] });
  useEffect(() => {
    let isPresent = true;
    const add = (found: (old: Found) => Found) => isPresent && setFound(found);
    add(() => ({ records: [] }));
    // A view that is shown instead may have asked something already: its question stays.
    let question = -1;
    const isAsked = () => core.latest === question;
    const asked = <T,>(answer: Promise<T>) => {
      question = core.latest;
      return answer;
    };
    const explain = async () => {
      const end = await asked(core.explain(puzzle.clues, (more) => add((old) => ({ records: [...old.records, ...more] }))));
      add((old) => ({ ...old, ending: end }));
      if (!isPresent || !isAsked()) return;
      const graded = await asked(core.grade(puzzle.clues));
      add((old) => ({ ...old, grade: graded }));
    };
    explain().catch((error: Error) => add((old) => ({ ...old, problem: error.message })));
    return () => {
      isPresent = false;
      if (isAsked()) core.stop();
    };
  }, [puzzle, core]);

  const words = useMemo(() => new Words({ ...puzzle.clues, palette: puzzle.palette }, language), [puzzle, language]);
  const steps = useMemo(() => records.map((record, i): Step => ({ ...words.step(record, i + 1), title: words.title(record) })), [records, words]);
  const open = useMemo(() => {
    const chars = puzzle.palette.map(({ char }) => char);
    return gridAfter(emptyGrid(puzzle), steps, steps.length, puzzle.clues.columns.length).filter((cell) => !chars.includes(cell)).length;
  }, [steps, puzzle]);
  const firstProbe = records.findIndex(({ technique }) => technique === "probe");
  const end = ending && words.ending(ending, records, open);
  const isDeeper = ending?.verdict === "stuck" && grade?.solutions === "one";
  return (
    <div class="walked">
      <p class="note" id="walk" role="status" aria-busy={!grade && !problem}>
        {problem ?? end ?? (records.length ? t.soFar(records.length) : t.waiting)}
        {grade?.level && ` ${t.level} ${words.level(grade.level)}: ${words.reasons(grade.effort, records.length)}.`}
        {ending?.verdict === "stuck" && grade?.solutions === "several" && ` ${t.several}`}
        {isDeeper && ` ${words.deeper}`}
        {firstProbe >= 0 && ` ${t.guessing(firstProbe + 1)}`}
      </p>
      <Walkthrough key={keyOf(puzzle)} puzzle={puzzle} steps={steps} ending={end} pace={PACE} />
    </div>
  );
}

/** Another puzzle starts at its first step. */
const keyOf = ({ clues }: Puzzle) => JSON.stringify([clues.rows, clues.columns]);
