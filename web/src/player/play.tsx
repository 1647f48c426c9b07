/** The view of the player in the studio: the puzzle that is drawn, with the hints of the core. */

import { useMemo } from "preact/hooks";
import type { CoreClient } from "../core/client.ts";
import { Words } from "../core/words.ts";
import { cluesOf, type Picture } from "../model/picture.ts";
import { type Language, useLanguage } from "../shared/language.ts";
import type { ViewProps } from "../studio/views.ts";
import type { Adviser } from "./advice.ts";
import { OPEN } from "../board/lines.ts";
import { Publish } from "./publish.tsx";
import type { Puzzle } from "./puzzle.ts";
import { keyOf } from "./saves.ts";
import { TABLES } from "./texts.ts";
import { Player } from "./view.tsx";
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
  const asked = (marks: Uint8Array) =>
    core.hint(clues, BigUint64Array.from(marks, (mark) => (mark === OPEN ? all : 1n << BigInt(mark))));
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
    <>
      <Player key={keyOf(puzzle)} puzzle={puzzle} adviser={adviser} t={TABLES[language]} level={2} />
      <Publish puzzle={puzzle} core={core} />
    </>
  );
}
