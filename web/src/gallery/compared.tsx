/** Pictures beside their puzzles, with figures: a page of results, in English. */

import { Fragment } from "preact";
import type { Compared, ComparedEntry } from "./data.ts";
import { Picture } from "./parts.tsx";

export function ComparedView({ data }: { data: Compared }) {
  return (
    <div lang="en">
      <ul>
        {data.summary.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {data.groups.map(({ heading, entries }) => (
        <section key={heading}>
          <h2>{heading}</h2>
          {entries.map((entry) => (
            <Row key={entry.name} entry={entry} />
          ))}
        </section>
      ))}
    </div>
  );
}

function Row({ entry }: { entry: ComparedEntry }) {
  const { name, rows, columns } = entry;
  return (
    <article class="card compared">
      <h3>
        {name} <span class="note">{entry.about}</span>
      </h3>
      <div class="three">
        {(["picture", "prepared", "puzzle"] as const).map((stage) => (
          <figure key={stage} class={stage === "picture" && entry.isSmooth ? "smooth" : undefined}>
            <Picture image={entry[stage]} alt={stage} rows={rows} columns={columns} framed={stage === "puzzle" ? entry.changes : []} />
            <figcaption class="note">{stage}</figcaption>
          </figure>
        ))}
        <dl>
          {entry.facts.map(([what, value]) => (
            <Fragment key={what}>
              <dt>{what}</dt>
              <dd>{value}</dd>
            </Fragment>
          ))}
          <dt>publish?</dt>
          <dd class={entry.remark ? "bad" : "good"}>{entry.remark || "yes"}</dd>
        </dl>
      </div>
    </article>
  );
}
