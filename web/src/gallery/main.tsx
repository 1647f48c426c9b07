/** The page of a gallery; what it shows depends on the data that Python wrote into it. */

import { Fragment, render } from "preact";
import { Head } from "../shared/parts.tsx";
import { pageData } from "../shared/data.ts";
import { useLanguage } from "../shared/language.ts";
import type { Compared, ComparedEntry, Data } from "./data.ts";
import { MadeView } from "./made.tsx";
import { PackView } from "./pack.tsx";
import { SheetView } from "./sheet.tsx";
import { type GalleryTexts, TABLES } from "./texts.ts";
import { Picture } from "./parts.tsx";
import "../shared/theme.css";
import "../shared/page.css";
import "./style.css";

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

/** The heading of a page and what stands below it. */
function heading(data: Data, t: GalleryTexts): [title: string, intro: string] {
  if (data.kind === "sheet") return [t.sheet.title(data.name), `${t.sheet.intro(data.entries.length)} ${t.spoiler}`];
  if (data.kind === "pack") return [t.pack.title(data.puzzles.length), t.pack.intro(data.certifiers)];
  if (data.kind === "compared")
    return [
      data.title,
      "Each row shows a picture, the picture in cells as nonocsp prepared it, and the puzzle's solution. Cells that were changed so that the puzzle has one solution are framed. Spoiler: solutions below.",
    ];
  const { puzzles, rows, columns, colours, name } = data;
  return [t.made.title(name), `${t.made.intro(puzzles.length, `${rows}x${columns}`, colours)} ${t.spoiler}`];
}

function Page({ data }: { data: Data }) {
  const t = TABLES[useLanguage()];
  const [title, intro] = heading(data, t);
  return (
    <main>
      <Head title={title} lang={data.kind === "compared" ? "en" : undefined}>
        {intro}
      </Head>
      {data.kind === "sheet" && <SheetView data={data} t={t} />}
      {data.kind === "made" && <MadeView data={data} t={t} />}
      {data.kind === "pack" && <PackView data={data} t={t} />}
      {data.kind === "compared" && <ComparedView data={data} />}
    </main>
  );
}

const data = pageData<Data>();
const root = document.getElementById("gallery");
if (root && data) render(<Page data={data} />, root);
document.body.dataset.ready = "";
