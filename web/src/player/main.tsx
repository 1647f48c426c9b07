/** The page of the player: one puzzle, or a list of several to choose from. */

import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { pageData } from "../shared/data.ts";
import { preferLanguage, useLanguage } from "../shared/language.ts";
import { LanguageChoice } from "../shared/parts.tsx";
import { Tiles } from "./tiles.tsx";
import { adviserOf, type PageData, readPuzzle } from "./puzzle.ts";
import { type PlayerTexts, TABLES } from "./texts.ts";
import { Player } from "./view.tsx";
import "../shared/theme.css";
import "./style.css";
import "./page.css";

type Entry = PageData["puzzles"][number];

const chosen = () => Number(/^#([0-9]+)$/.exec(location.hash)?.[1] ?? 0) - 1;

function Page({ puzzles }: PageData) {
  const t = TABLES[useLanguage()];
  const [shown, setShown] = useState(chosen);
  useEffect(() => {
    const follow = () => setShown(chosen());
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  const entry = puzzles[puzzles.length === 1 ? 0 : shown];
  return (
    <main>
      {!puzzles.length && <p>{t.noPuzzle}</p>}
      {puzzles.length > 1 && (entry ? <a href="#">{t.allPuzzles}</a> : <Tiles puzzles={puzzles} t={t} />)}
      {entry && <Entry key={shown} entry={entry} name={puzzles.length > 1 ? t.number(shown + 1) : ""} t={t} />}
      <footer>
        <LanguageChoice />
      </footer>
    </main>
  );
}

function Entry({ entry, name, t }: { entry: Entry; name: string; t: PlayerTexts }) {
  let puzzle: ReturnType<typeof readPuzzle>;
  try {
    puzzle = readPuzzle(entry.puzzle);
  } catch (error) {
    return <p role="alert">{t.badPuzzle(error instanceof Error ? error.message : String(error))}</p>;
  }
  return <Player puzzle={puzzle} name={name} adviser={entry.steps && adviserOf(puzzle, entry.steps, entry.stepsLanguage ?? "en")} t={t} />;
}

// In the page of the studio, which has this script for what they share, there is no root.
const root = document.getElementById("player");
if (root) {
  const data = pageData<PageData>();
  preferLanguage(data?.language);
  render(<Page puzzles={data?.puzzles ?? []} />, root);
}
