/** The page of the player: one puzzle, or a list of several to choose from. */

import { render } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { pageData } from "../shared/data.ts";
import { preferLanguage, useLanguage } from "../shared/language.ts";
import { Cells, Dots, LanguageChoice, useListeners } from "../shared/parts.tsx";
import { en, type PlayerTexts, TABLES } from "./texts.ts";
import { Player, type PlayerProps } from "./view.tsx";
import type { Clues } from "../core/module.ts";
import { isPlain } from "../model/picture.ts";
import { adviserOf, isPlayable, keptSave, nextUnsolved, type PageData, type Puzzle, readPuzzle, type Save } from "./puzzle.ts";
import "../shared/theme.css";
import "./style.css";
import "./page.css";

interface Item {
  level: string | undefined;
  /** Missing for an entry that is no puzzle. */
  puzzle?: Puzzle | undefined;
  save?: Save | undefined;
}

function itemOf({ puzzle: json, level }: PageData["puzzles"][number]): Item {
  try {
    const puzzle = readPuzzle(json);
    return { level, puzzle, save: keptSave(puzzle) };
  } catch {
    return { level };
  }
}

/** The title that the page was given. */
const titleOf = (otherwise: string) => (document.title === en.untitled ? otherwise : document.title);

export function Tiles({ puzzles, t }: { puzzles: PageData["puzzles"]; t: PlayerTexts }) {
  const items = puzzles.map(itemOf);
  return (
    <>
      <header>
        <h1>{titleOf(t.puzzles(puzzles.length))}</h1>
        <LanguageChoice />
      </header>
      <p class="note">{t.solvedOf(items.filter(({ save }) => save?.isSolved).length, items.length)}</p>
      <ol class="tiles">
        {items.map((item, i) => (
          <li key={i}>
            <Tile item={item} number={i + 1} t={t} />
          </li>
        ))}
      </ol>
    </>
  );
}

export function Tile({ item: { level, puzzle, save }, number, t }: { item: Item; number: number; t: PlayerTexts }) {
  const { rows = [], columns = [] } = puzzle?.clues ?? {};
  const colours = puzzle && !isPlain(puzzle.palette) ? puzzle.palette.slice(1, 9) : [];
  const state = save && (save.isSolved ? `✓ ${t.isSolved}` : t.isBegun);
  return (
    <a class="tile" href={isPlayable(rows.length, columns.length) ? `#${number}` : undefined}>
      {puzzle && save?.isSolved ? <Cells class="pic" picture={{ ...puzzle, rows: rows.length, columns: columns.length, cells: save.cells }} /> : <Fullness clues={puzzle?.clues} />}
      <strong>{(save?.isSolved && puzzle?.title) || t.number(number)}</strong>
      <span class="note">
        {puzzle && t.size(rows.length, columns.length)}
        {colours.map(({ rgb }, i) => (
          <i key={i} style={{ background: rgb }} />
        ))}
      </span>
      <span>
        <Dots level={level} /> {[level && (t.level[level] ?? level), state].filter(Boolean).join(" · ")}
      </span>
    </a>
  );
}

/** A bar for each line, which is no more than its clue says. */
function Fullness({ clues }: { clues: Clues | undefined }) {
  const { rows = [[]], columns = [[]] } = clues ?? {};
  const filled = (side: typeof rows) => side.map((blocks) => blocks.reduce((sum, { length }) => sum + length, 0));
  const across = filled(rows).map((count, i) => `M0 ${i + 0.2}h${count}v.6h${-count}z`);
  const down = filled(columns).map((count, i) => `M${i + 0.2} 0v${count}h.6v${-count}z`);
  return (
    <svg class="pic" viewBox={`0 0 ${columns.length} ${rows.length}`} aria-hidden="true">
      <path d={across.join("")} />
      <path d={down.join("")} />
    </svg>
  );
}

type Entry = PageData["puzzles"][number];

const chosen = () => Number(/^#([0-9]+)$/.exec(location.hash)?.[1] ?? 0) - 1;

function Page({ puzzles }: PageData) {
  const t = TABLES[useLanguage()];
  const [shown, setShown] = useState(chosen);
  useListeners({ hashchange: () => setShown(chosen()) }, []);
  const entry = puzzles[puzzles.length === 1 ? 0 : shown];
  useLayoutEffect(() => entry && scrollTo(0, 0), [entry]);
  return (
    <main>
      {!puzzles.length && <p>{t.noPuzzle}</p>}
      {puzzles.length > 1 && (entry ? <a href="#">{t.allPuzzles}</a> : <Tiles puzzles={puzzles} t={t} />)}
      {entry && <Entry key={shown} entry={entry} name={puzzles.length > 1 ? t.number(shown + 1) : titleOf(t.untitled)} next={() => nextUnsolved(shown + 1, puzzles.length, (number) => itemOf(puzzles[number - 1] as Entry).puzzle)} t={t} />}
    </main>
  );
}

function Entry({ entry, ...rest }: { entry: Entry } & Pick<PlayerProps, "name" | "next" | "t">) {
  let puzzle: ReturnType<typeof readPuzzle>;
  try {
    puzzle = readPuzzle(entry.puzzle);
  } catch (error) {
    return <p role="alert">{rest.t.badPuzzle(error instanceof Error ? error.message : String(error))}</p>;
  }
  return <Player {...rest} puzzle={puzzle} adviser={entry.steps && adviserOf(puzzle, entry.steps, entry.stepsLanguage ?? "en")} />;
}

// In the page of the studio, which has this script for what they share, there is no root.
const root = document.getElementById("player");
if (root) {
  const data = pageData<PageData>();
  const told = data?.puzzles.find(({ steps }) => steps);
  preferLanguage(data?.language ?? (told && (told.stepsLanguage ?? "en")));
  render(<Page puzzles={data?.puzzles ?? []} />, root);
}
