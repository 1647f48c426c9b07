/** How puzzles came out of a picture, like figures 10 to 13 of Batenburg et al. (2009). */

import { useState } from "preact/hooks";
import { CurvePlot } from "./curves.tsx";
import type { Made, MadePuzzle } from "./data.ts";
import { Picture } from "./parts.tsx";
import type { GalleryTexts } from "./texts.ts";

export function MadeView({ data, t }: { data: Made; t: GalleryTexts }) {
  const { puzzles, stages, rows, columns, colours } = data;
  const isVaried = puzzles.some((one) => one.isVaried);
  const [highlighted, highlight] = useState<number>();
  return (
    <>
      <section>
        <h2>{t.made.stages}</h2>
        <div class="strip" id="stages">
          {stages.map(([stage, image]) => (
            <figure key={stage}>
              <Picture image={image} alt={t.made.stage(stage, colours.length)} />
              <figcaption class="note">{t.made.stage(stage, colours.length)}</figcaption>
            </figure>
          ))}
        </div>
      </section>
      <section>
        <h2>{t.made.puzzles}</h2>
        <p class="note">
          {t.made.sweeps} {puzzles.some(({ changes }) => changes.length > 0) && t.made.framed} {isVaried && t.made.varied}
        </p>
        <div class="strip small" id="puzzles">
          {puzzles.map((one, i) => (
            <div key={i} onPointerEnter={() => highlight(i)} onPointerLeave={() => highlight(undefined)}>
              <Puzzle one={one} number={i + 1} rows={rows} columns={columns} t={t} />
            </div>
          ))}
        </div>
      </section>
      {isVaried && (
        <section>
          <h2>{t.made.curves}</h2>
          <CurvePlot puzzles={puzzles} highlighted={highlighted} onHighlight={highlight} t={t} />
        </section>
      )}
    </>
  );
}

interface PuzzleProps {
  one: MadePuzzle;
  number: number;
  rows: number;
  columns: number;
  t: GalleryTexts;
}

/** A puzzle above its last variation. */
function Puzzle({ one, number, rows, columns, t }: PuzzleProps) {
  const last = one.isVaried ? one.curve.at(-1) : undefined;
  return (
    <>
      <figure>
        <Picture image={one.image} alt={t.made.solution(number)} rows={rows} columns={columns} framed={one.changes} />
        <figcaption class="note">
          <strong>{one.grade}</strong>
          {!one.isWanted && <span class="line">{t.made.missed}</span>}
        </figcaption>
      </figure>
      {last && (
        <figure class="later">
          <Picture image={last[2]} alt={t.made.variation(number)} />
          <figcaption class="note">
            <strong>{last[1]}</strong>
            <span class="line">{t.made.later(last[0])}</span>
          </figcaption>
        </figure>
      )}
    </>
  );
}
