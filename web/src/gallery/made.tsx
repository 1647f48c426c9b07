/** How puzzles came out of a picture, like figures 10 to 13 of Batenburg et al. (2009). */

import { useState } from "preact/hooks";
import { CurvePlot } from "./curves.tsx";
import type { Grid, Made, MadePuzzle } from "./data.ts";
import { Cells, PlayLink } from "./parts.tsx";
import type { GalleryTexts } from "./texts.ts";

export function MadeView({ data, t }: { data: Made; t: GalleryTexts }) {
  const { puzzles, stages } = data;
  const isVaried = puzzles.some((one) => one.isVaried);
  const [highlighted, highlight] = useState<number>();
  return (
    <>
      <section>
        <h2>{t.made.stages}</h2>
        <div class="strip" id="stages">
          {stages.map(([stage, image]) => {
            const said = t.made.stage(stage, data.palette.length);
            return (
              <figure key={stage}>
                {stage === "picture" ? <img src={image} alt={said} /> : <Cells grid={data} cells={image} label={said} />}
                <figcaption>{said}</figcaption>
              </figure>
            );
          })}
        </div>
      </section>
      <section>
        <h2>{t.made.puzzles}</h2>
        <p class="note">{t.made.sweeps} {puzzles.some(({ changes }) => changes.length > 0) && t.made.framed} {isVaried && t.made.varied}</p>
        <div class="strip small" id="puzzles">
          {puzzles.map((one, i) => (
            <div key={i} onPointerEnter={() => highlight(i)} onPointerLeave={() => highlight(undefined)}>
              <Puzzle one={one} number={i + 1} grid={data} t={t} />
            </div>
          ))}
        </div>
      </section>
      {isVaried && (
        <section>
          <h2>{t.made.curves}</h2>
          <CurvePlot grid={data} puzzles={puzzles} highlighted={highlighted} onHighlight={highlight} t={t} />
        </section>
      )}
    </>
  );
}

/** A puzzle above its last variation. */
function Puzzle({ one, number, grid, t }: { one: MadePuzzle; number: number; grid: Grid; t: GalleryTexts }) {
  const last = one.isVaried ? one.curve.at(-1) : undefined;
  return (
    <>
      <figure>
        <Cells grid={grid} cells={one.cells} label={t.made.solution(number)} framed={one.changes} />
        <figcaption>
          <strong>{one.grade}</strong>
          {!one.isWanted && <span class="line">{t.made.missed}</span>}
        </figcaption>
        <PlayLink grid={grid} number={number} t={t} />
      </figure>
      {last && (
        <figure class="later">
          <Cells grid={grid} cells={last[2]} label={t.made.variation(number)} />
          <figcaption>
            <strong>{last[1]}</strong>
            <span class="line">{t.made.later(last[0])}</span>
          </figcaption>
        </figure>
      )}
    </>
  );
}
