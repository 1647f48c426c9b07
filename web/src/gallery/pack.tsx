/** The contents of a folder of puzzles as cards that lead to playing, paper and files; what is not solved shows neither picture nor name. */

import { Tile } from "../player/main.tsx";
import { keptSave } from "../player/puzzle.ts";
import { TABLES as PLAYER } from "../player/texts.ts";
import { Choice } from "../shared/controls.tsx";
import { useLanguage } from "../shared/language.ts";
import { type Pack, type Packed, puzzleOf } from "./data.ts";
import { Cells, LevelChoice, levelValue, useSelection } from "./parts.tsx";
import type { GalleryTexts, Column } from "./texts.ts";

export function PackView({ data, t }: { data: Pack; t: GalleryTexts }) {
  const player = PLAYER[useLanguage()];
  const { puzzles } = data;
  const number = (one: Packed) => puzzles.indexOf(one) + 1;
  const items = new Map(puzzles.map((one) => [one, puzzleOf(one, one.cells, one.title)]));
  const { chosen, order, orderBy, level, setLevel } = useSelection<Packed, Column>(puzzles, "given", {
    given: number,
    hardest: (one) => -number(one),
    level: levelValue,
    size: ({ rows, columns }) => rows * columns,
    colours: ({ palette }) => palette.length,
    sweeps: ({ sweeps }) => sweeps,
  });
  const link = (one: Packed, kind: "page" | "file") => (
    <a href={one[kind].split("/").map(encodeURIComponent).join("/")} aria-label={`${t.pack[kind]}: ${player.number(number(one))}`}>{t.pack[kind]}</a>
  );
  return (
    <>
      <p class="choices">
        <LevelChoice items={puzzles} level={level} shown={chosen.length} onChoose={setLevel} t={t} />
        <Choice id="order" label={t.order} options={Object.entries(t.pack.columns)} value={order} onChange={(chosen) => orderBy(chosen as Column)} />
      </p>
      <ol class="tiles">
        {chosen.map((one) => {
          const puzzle = items.get(one);
          return (
            <li key={one.file}>
              <Tile item={{ level: one.level, puzzle, save: puzzle && keptSave(puzzle) }} number={number(one)} t={player} />
              <span class="note">{t.pack.swept(one.sweeps)} · {link(one, "page")} · {link(one, "file")}</span>
            </li>
          );
        })}
      </ol>
      <section>
        <h2>{t.pack.solutions}</h2>
        <details>
          <summary>{t.pack.show}</summary>
          <div class="strip small">
            {chosen.map((one) => (
              <figure key={one.file}>
                <Cells grid={one} cells={one.cells} label={t.pack.solution(one.title)} />
                <figcaption>{number(one)}. {one.title}</figcaption>
              </figure>
            ))}
          </div>
        </details>
      </section>
    </>
  );
}
