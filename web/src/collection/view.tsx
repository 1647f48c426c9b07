/** The gallery of own puzzles: keep, open, duplicate, delete, and take all along as one file. */

import { useEffect, useState } from "preact/hooks";
import type { Picture } from "../model/picture.ts";
import { download } from "../shared/files.ts";
import { useLanguage } from "../shared/language.ts";
import { Cells } from "../shared/parts.tsx";
import type { ViewProps } from "../studio/views.ts";
import { exported, forgetPuzzle, imported, type Kept, keepPuzzle, keptPuzzles } from "./store.ts";
import { de, en } from "./texts.ts";
import "./style.css";

const TABLES = { en, de };

export function CollectionView({ picture, open }: ViewProps) {
  const t = TABLES[useLanguage()];
  const [puzzles, setPuzzles] = useState(keptPuzzles);
  const [said, say] = useState("");
  const [removed, setRemoved] = useState<Kept>();
  useEffect(() => {
    const follow = () => setPuzzles(keptPuzzles());
    addEventListener("storage", follow); // another window keeps something
    return () => removeEventListener("storage", follow);
  }, []);

  /** Changes what is kept, and says how it went. */
  const change = (act: () => string, gone?: Kept) => {
    try {
      say(act());
      setRemoved(gone);
    } catch (error) {
      const isFull = error instanceof DOMException && error.name === "QuotaExceededError";
      const isForbidden = error instanceof DOMException && error.name === "SecurityError";
      say(isFull ? t.full : isForbidden ? t.forbidden : error instanceof SyntaxError ? t.noJson : String((error as Error).message));
    }
    setPuzzles(keptPuzzles());
  };
  const keep = (one: Picture, place?: Partial<Kept>) =>
    change(() => {
      keepPuzzle(one, place && { id: place.id, changed: place.changed });
      return t.kept;
    });
  const load = async (input: HTMLInputElement) => {
    const text = await input.files?.[0]?.text();
    input.value = "";
    if (text === undefined) return;
    change(() => {
      const { count, faults } = imported(text);
      return t.imported(count, faults);
    });
  };
  const same = picture.title && puzzles.find((one) => one.picture.title === picture.title);
  return (
    <section class="collection">
      <p class="note">{t.about}</p>
      <fieldset>
        <button type="button" onClick={() => keep(picture)}>
          {t.keep}
        </button>
        {same && (
          <button type="button" onClick={() => keep(picture, { id: same.id })}>
            {t.replace(picture.title)}
          </button>
        )}
        <button type="button" disabled={!puzzles.length} onClick={() => download(new Blob([exported(puzzles)], { type: "application/json" }), "puzzles.json")}>
          {t.exportAll}
        </button>
        <label>
          {t.importAll} <input type="file" accept=".json,application/json" onChange={(event) => load(event.currentTarget)} />
        </label>
      </fieldset>
      <p role="status">
        {said}{" "}
        {removed && (
          <button type="button" onClick={() => keep(removed.picture, removed)}>
            {t.undo}
          </button>
        )}
      </p>
      {puzzles.length ? (
        <ul aria-label={t.list}>
          {puzzles.map((one) => {
            const title = one.picture.title || t.untitled;
            return (
              <li key={one.id}>
                <Cells picture={one.picture} label={t.picture(title)} />
                <input
                  aria-label={t.title(title)}
                  value={one.picture.title}
                  maxLength={200}
                  onChange={(event) => keep({ ...one.picture, title: event.currentTarget.value }, one)}
                />
                <span class="note">
                  {one.picture.rows}x{one.picture.columns}
                </span>
                <div>
                  <button type="button" aria-label={t.open(title)} onClick={() => open(one.picture)}>
                    {t.actions.open}
                  </button>
                  <button type="button" aria-label={t.play(title)} onClick={() => open(one.picture, "play")}>
                    {t.actions.play}
                  </button>
                  <button type="button" aria-label={t.duplicate(title)} onClick={() => keep(one.picture)}>
                    {t.actions.duplicate}
                  </button>
                  <button
                    type="button"
                    aria-label={t.remove(title)}
                    onClick={() =>
                      change(() => {
                        forgetPuzzle(one.id);
                        return t.removed(title);
                      }, one)
                    }
                  >
                    {t.actions.remove}
                  </button>
                </div>
              </li>
            );
          })}
        </ul>
      ) : (
        <p>{t.none}</p>
      )}
    </section>
  );
}
