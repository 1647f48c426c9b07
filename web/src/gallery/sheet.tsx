/** The contact sheet: renderings of a picture side by side, each with the command that makes it. */

import { Fragment } from "preact";
import { useRef, useState } from "preact/hooks";
import { Choice } from "../shared/controls.tsx";
import type { Entry, Sheet } from "./data.ts";
import { Cells, LevelChoice, levelValue, PlayLink, useSelection } from "./parts.tsx";
import type { GalleryTexts, Order } from "./texts.ts";

const likeness = (value: number) => value.toFixed(2);

export function SheetView({ data, t }: { data: Sheet; t: GalleryTexts }) {
  const { entries } = data;
  const [said, setSaid] = useState("");
  const { chosen, order, orderBy, level, setLevel } = useSelection<Entry, Order>(entries, "given", {
    given: (entry) => entries.indexOf(entry),
    likeness: (entry) => -entry.likeness,
    changes: ({ changes }) => changes.length,
    level: levelValue,
    size: ({ rows, columns }) => rows * columns,
  });
  return (
    <>
      <figure class="original">
        <img src={data.picture} alt={t.picture} />
        <figcaption>{t.picture}</figcaption>
      </figure>
      {entries.length > 1 && (
        <p class="choices">
          <Choice id="order" label={t.order} options={Object.entries(t.orders)} value={order} onChange={(chosen) => orderBy(chosen as Order)} />
          <LevelChoice items={entries} level={level} shown={chosen.length} onChoose={setLevel} t={t} />
        </p>
      )}
      <div class="sheet">
        {chosen.map((entry) => (
          <Card key={entries.indexOf(entry)} entry={entry} number={entries.indexOf(entry) + 1} onSaid={setSaid} t={t} />
        ))}
      </div>
      <p class="note print-less">
        {t.sheet.hint} <code>--output FILE</code>.
      </p>
      <p class="unseen" id="said" role="status">{said}</p>
    </>
  );
}

interface CardProps {
  entry: Entry;
  number: number;
  onSaid(said: string): void;
  t: GalleryTexts;
}

function Card({ entry, number, onSaid, t }: CardProps) {
  const { rows, columns, changes, command } = entry;
  const [isPressed, setPressed] = useState(false);
  const [label, setLabel] = useState("");
  const code = useRef<HTMLElement>(null);
  const told = t.sheet.changed(changes.length);
  const alt = `${t.sheet.solution}; ${told}${changes.length ? `: ${t.sheet.named(changes)}` : ""}`;
  const puzzle = <Cells grid={entry} cells={entry.puzzle} label={alt} framed={changes} />;
  const copy = async () => {
    // So that the keys for copying work where scripts may not copy.
    if (code.current) getSelection()?.selectAllChildren(code.current);
    let done = t.sheet.copied;
    try {
      await navigator.clipboard.writeText(command);
    } catch {
      done = t.sheet.selected;
    }
    setLabel(done);
    onSaid(done);
  };
  const facts = {
    size: `${rows}x${columns}`,
    colours: entry.palette.length - 1,
    likeness: likeness(entry.likeness),
    level: entry.level ? (t.levels[entry.level] ?? entry.level) : "–",
    class: entry.class,
  };
  return (
    <article class="card" id={`rendering-${number}`}>
      <h2>
        {number}. <span lang="en">{entry.look}</span>
      </h2>
      <div class="sides">
        <figure>
          <Cells grid={entry} cells={entry.prepared} label={t.sheet.before(number)} />
          <figcaption>{t.prepared}</figcaption>
        </figure>
        <figure>
          {changes.length ? (
            <button type="button" class="reveal" aria-pressed={isPressed} title={t.sheet.show} onClick={() => setPressed(!isPressed)}>
              {puzzle}
            </button>
          ) : puzzle}
          <figcaption>{t.puzzle}: {told}</figcaption>
        </figure>
      </div>
      <dl>
        {Object.entries(facts).map(([name, value]) => (
          <div key={name}>
            <dt>{t.sheet.facts[name as keyof typeof facts]}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p class="command">
        <code ref={code}>
          {command.split(" ").map((word, i) => (
            <Fragment key={i}>
              {i > 0 && " "}
              <span>{word}</span>
            </Fragment>
          ))}
        </code>{" "}
        <PlayLink grid={entry} number={number} t={t} />
        <button type="button" class="copy" aria-label={t.sheet.copyCommand(number)} onClick={copy}>{label || t.sheet.copy}</button>
      </p>
    </article>
  );
}
