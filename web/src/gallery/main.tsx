/** The page of a gallery; what it shows depends on the data that Python wrote into it. */

import { render } from "preact";
import { useMemo, useState } from "preact/hooks";
import { isPlayable, nextUnsolved, type Puzzle } from "../player/puzzle.ts";
import { TABLES as PLAYER } from "../player/texts.ts";
import { Player } from "../player/view.tsx";
import { colourName } from "../shared/colours.ts";
import { pageData } from "../shared/data.ts";
import { language, useLanguage } from "../shared/language.ts";
import { Head, useListeners } from "../shared/parts.tsx";
import { markSeries } from "../shared/series.tsx";
import { type Data, type Packed, puzzleOf } from "./data.ts";
import { MadeView } from "./made.tsx";
import { PackView } from "./pack.tsx";
import { SheetView } from "./sheet.tsx";
import { type GalleryTexts, TABLES } from "./texts.ts";
import "../shared/theme.css";
import "../shared/page.css";
import "../player/style.css";
import "../player/page.css";
import "./style.css";

/** The heading of a page and what stands below it. */
function heading(data: Data, t: GalleryTexts): [title: string, intro: string] {
  if (data.kind === "sheet") return [t.sheet.title(data.name), `${t.sheet.intro(data.entries.length)} ${t.spoiler}`];
  if (data.kind === "pack") return [t.pack.title(data.puzzles.length), t.pack.intro(data.certifiers)];
  const { puzzles, rows, columns, palette, name } = data;
  const inks = palette.map(({ name }) => colourName(name, language()));
  return [t.made.title(name), `${t.made.intro(puzzles.length, `${rows}x${columns}`, inks)} ${t.spoiler}`];
}

/** The number in the address, of a puzzle in the order in which the page has them, or 0. */
const asked = () => Number(/^#([0-9]+)$/.exec(location.hash)?.[1] ?? 0);

function puzzleAt(data: Data, number: number): Puzzle | undefined {
  if (data.kind === "sheet") return data.entries.slice(number - 1, number).map((one) => puzzleOf(one, one.puzzle, data.name))[0];
  return data.puzzles.slice(number - 1, number).map((one) => puzzleOf(data.kind === "made" ? data : (one as Packed), one.cells, one.title))[0];
}

function Page({ data }: { data: Data }) {
  const language = useLanguage();
  const [t, player] = [TABLES[language], PLAYER[language]];
  const [number, play] = useState(asked);
  useListeners({ hashchange: () => play(asked()) }, []);
  const puzzle = useMemo(() => (number ? puzzleAt(data, number) : undefined), [number]);
  const [title, intro] = heading(data, t);
  if (puzzle && isPlayable(puzzle.clues.rows.length, puzzle.clues.columns.length))
    return (
      <main>
        <a href="#">{player.allPuzzles}</a>
        <Player key={number} puzzle={puzzle} name={data.kind === "pack" ? player.number(number) : ""} next={() => nextUnsolved(number, (data.kind === "sheet" ? data.entries : data.puzzles).length, (other) => puzzleAt(data, other))} t={player} />
      </main>
    );
  return (
    <main>
      <Head title={title}>{intro}</Head>
      {data.kind === "sheet" && <SheetView data={data} t={t} />}
      {data.kind === "made" && <MadeView data={data} t={t} />}
      {data.kind === "pack" && <PackView data={data} t={t} />}
    </main>
  );
}

const data = pageData<Data>();
const root = document.getElementById("gallery");
markSeries();
if (root && data) render(<Page data={data} />, root);
document.body.dataset.ready = "";
