/** The contents of a folder of puzzles: a table that leads to playing, paper and files; pictures and names are hidden at first. */

import type { Pack, Packed } from "./data.ts";
import { LevelChoice, levelValue, Picture, useSelection } from "./parts.tsx";
import type { Column, GalleryTexts } from "./texts.ts";

export function PackView({ data, t }: { data: Pack; t: GalleryTexts }) {
  const { puzzles } = data;
  const hardest = Math.max(...puzzles.map(({ sweeps }) => sweeps));
  const { chosen, order, isDescending, orderBy, level, setLevel } = useSelection<Packed, Column>(puzzles, "given", {
    given: (one) => puzzles.indexOf(one),
    level: levelValue,
    size: ({ rows, columns }) => rows * columns,
    colours: ({ colours }) => colours,
    sweeps: ({ sweeps }) => sweeps,
  });
  const head = (column: Column) => (
    <th scope="col" aria-sort={order === column ? (isDescending ? "descending" : "ascending") : undefined}>
      <button type="button" onClick={() => orderBy(column)}>
        {t.pack.columns[column]}
      </button>
    </th>
  );
  return (
    <>
      <section>
        <h2>{t.pack.contents}</h2>
        {data.play && (
          <p>
            <a class="primary" href={data.play}>
              {t.pack.play}
            </a>
          </p>
        )}
        <p class="choices">
          <LevelChoice items={puzzles} level={level} shown={chosen.length} onChoose={setLevel} t={t} />
        </p>
        <div class="card scroll" tabIndex={0} role="group" aria-label={t.pack.contents}>
          <table>
            <thead>
              <tr>
                {head("given")}
                <th scope="col">{t.pack.puzzle}</th>
                <th scope="col">{t.pack.pages}</th>
                {head("level")}
                {head("size")}
                {head("colours")}
                {head("sweeps")}
              </tr>
            </thead>
            <tbody>
              {chosen.map((one) => (
                <tr key={one.file}>
                  <td>{puzzles.indexOf(one) + 1}</td>
                  <th scope="row">
                    <a href={data.play ? `${data.play}#${puzzles.indexOf(one) + 1}` : address(one.page)}>{t.pack.number(puzzles.indexOf(one) + 1)}</a>
                  </th>
                  <td class="pages">
                    <a href={address(one.page)} aria-label={`${t.pack.print}: ${t.pack.number(puzzles.indexOf(one) + 1)}`}>
                      {t.pack.print}
                    </a>
                    {" · "}
                    <a href={address(one.file)} aria-label={`${t.pack.file}: ${t.pack.number(puzzles.indexOf(one) + 1)}`}>
                      {t.pack.file}
                    </a>
                  </td>
                  <td>{t.levels[one.level] ?? one.level}</td>
                  <td>
                    {one.rows}x{one.columns}
                  </td>
                  <td>{one.colours}</td>
                  <td>
                    {one.sweeps}
                    <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                      <rect width={(100 * one.sweeps) / hardest} height="10" />
                    </svg>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
      <section>
        <h2>{t.pack.solutions}</h2>
        <details>
          <summary>{t.pack.show}</summary>
          <div class="strip small">
            {chosen.map((one) => (
              <figure key={one.file}>
                <Picture image={one.image} alt={t.pack.solution(one.title)} />
                <figcaption class="note">
                  {puzzles.indexOf(one) + 1}. {one.title}
                </figcaption>
              </figure>
            ))}
          </div>
        </details>
      </section>
    </>
  );
}

/** A path in the folder as an address relative to the page. */
const address = (path: string) => path.split("/").map(encodeURIComponent).join("/");
