/** The gallery of own puzzles: keep, open, duplicate, delete, and take all along as one file. */

import { useEffect, useState } from "preact/hooks";
import type { Picture } from "../model/picture.ts";
import { download } from "../shared/files.ts";
import { Button } from "../shared/controls.tsx";
import { Cells } from "../shared/parts.tsx";
import type { ViewProps } from "../studio/views.ts";
import { exported, forgetPuzzle, imported, type Kept, keepPuzzle, keptPuzzles } from "./store.ts";
import { useTexts } from "../texts/language.ts";

export function CollectionView({ picture, open }: ViewProps) {
  const { collection: t, studio } = useTexts();
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
        <Button label={t.keep} onClick={() => keep(picture)} />
        {same && <Button label={t.replace(picture.title)} onClick={() => keep(picture, { id: same.id })} />}
        <Button label={t.exportAll} isDisabled={!puzzles.length} onClick={() => download(new Blob([exported(puzzles)], { type: "application/json" }), "puzzles.json")} />
        <label>
          {t.importAll} <input type="file" accept=".json,application/json" onChange={(event) => load(event.currentTarget)} />
        </label>
      </fieldset>
      <p role="status">
        {said}{" "}
        {removed && <Button label={t.undo} onClick={() => keep(removed.picture, removed)} />}
      </p>
      {puzzles.length ? (
        <ul aria-label={t.list}>
          {puzzles.map((one) => {
            const title = one.picture.title || studio.untitled;
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
                  <Button label={t.actions.open} name={t.open(title)} onClick={() => open(one.picture)} />
                  <Button label={t.actions.play} name={t.play(title)} onClick={() => open(one.picture, "play")} />
                  <Button label={t.actions.duplicate} name={t.duplicate(title)} onClick={() => keep(one.picture)} />
                  <Button label={t.actions.remove} name={t.remove(title)} onClick={() => change(() => (forgetPuzzle(one.id), t.removed(title)), one)} />
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
