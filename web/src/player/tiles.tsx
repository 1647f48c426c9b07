/** Several puzzles to choose from, as cards: a solved one shows its picture and name, another how full its lines are. */

import { Cells, Dots } from "../shared/parts.tsx";
import type { Clues } from "../core/module.ts";
import { isPlain } from "../model/picture.ts";
import { type PageData, type Puzzle, readPuzzle } from "./puzzle.ts";
import { keptSave, type Save } from "./saves.ts";
import type { PlayerTexts } from "./texts.ts";

interface Item {
  level: string | undefined;
  /** Missing for an entry that is no puzzle. */
  puzzle?: Puzzle;
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

export function Tiles({ puzzles, t }: { puzzles: PageData["puzzles"]; t: PlayerTexts }) {
  const items = puzzles.map(itemOf);
  return (
    <>
      <h1>{document.title || t.puzzles}</h1>
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

function Tile({ item: { level, puzzle, save }, number, t }: { item: Item; number: number; t: PlayerTexts }) {
  const { rows = [], columns = [] } = puzzle?.clues ?? {};
  const colours = puzzle && !isPlain(puzzle.palette) ? puzzle.palette.slice(1, 9) : [];
  const state = save && (save.isSolved ? `✓ ${t.isSolved}` : t.isBegun);
  return (
    <a class="tile" href={`#${number}`}>
      {puzzle && save?.isSolved ? <Cells class="pic" picture={{ ...puzzle, rows: rows.length, columns: columns.length, cells: save.cells }} /> : <Fullness clues={puzzle?.clues} />}
      <strong>{(save?.isSolved && puzzle?.title) || t.number(number)}</strong>
      <span class="note">
        {puzzle && t.size(rows.length, columns.length)}
        {colours.map(({ rgb }, i) => (
          <i key={i} style={{ background: rgb }} />
        ))}
      </span>
      <span>
        <Dots level={level} /> {level && (t.level[level] ?? level)}
        {state && <span class="note"> · {state}</span>}
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
