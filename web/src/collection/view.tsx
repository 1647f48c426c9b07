/** The drawings that the browser keeps: open, play, rename, duplicate, delete, and take all along as one file. */

import { useEffect, useState } from "preact/hooks";
import { documentOf, FileError, readDocument } from "../model/files.ts";
import type { Picture } from "../model/picture.ts";
import { Button } from "../shared/controls.tsx";
import { download } from "../shared/data.ts";
import { Cells } from "../shared/parts.tsx";
import { type Drawing, drawingOf, forgetDrawing, isBlank, type Kept, keptDrawing, keptDrawings, moveEarlier, putDrawing, reasonOf, retitleDrawing } from "../studio/storage.ts";
import type { ViewName, ViewProps } from "../studio/views.ts";
import { useTexts } from "../texts/language.ts";

/** All as one file: the list that `nonocsp` reads as format `json`. */
const exported = (pictures: Picture[]) => `[\n${pictures.map((one) => JSON.stringify(documentOf(one))).join(",\n")}\n]\n`;

/** Keeps the puzzles of such a file, or of a file with one; the messages of those that are none. */
async function imported(text: string): Promise<{ count: number; faults: string[] }> {
  const value: unknown = JSON.parse(text);
  const faults: string[] = [];
  let count = 0;
  for (const [i, puzzle] of (Array.isArray(value) ? value : [value]).entries()) {
    try {
      const picture = readDocument(puzzle);
      if (!("cells" in picture)) throw new FileError("it has no picture (goal)");
      await putDrawing({ ...drawingOf(picture), changed: Date.now() - i });
      count++;
    } catch (error) {
      if (error instanceof DOMException) throw error;
      faults.push(`${i + 1}: ${(error as Error).message}`);
    }
  }
  return { count, faults };
}

export function CollectionView({ picture, id, open }: ViewProps) {
  const { collection: t, studio } = useTexts();
  const [drawings, setDrawings] = useState<Kept[]>();
  const [said, say] = useState("");
  const [removed, setRemoved] = useState<Drawing>();
  /** Changes what is kept, and says how it went. */
  const change = async (act: () => Promise<unknown>, told = "", gone?: Drawing) => {
    const fail = (error: unknown) => say(error instanceof SyntaxError ? t.noJson : t[reasonOf(error)]);
    const done = (found: unknown) => (say(typeof found === "string" ? found : told), setRemoved(gone));
    await act().then(done, fail);
    await keptDrawings().then((all) => setDrawings(all.filter((one) => one.id !== id)), fail);
  };
  useEffect(() => void change(moveEarlier), []);
  const load = async (input: HTMLInputElement) => {
    const text = await input.files?.[0]?.text();
    input.value = "";
    if (text === undefined) return;
    change(async () => {
      const { count, faults } = await imported(text);
      return t.imported(count, faults);
    });
  };
  const goOn = (one: Kept, view: ViewName) => keptDrawing(one.id).then((drawing) => drawing && open(drawing.history.present, view, drawing));
  const remove = async (one: Kept, title: string) => {
    const gone = await keptDrawing(one.id).catch(() => undefined);
    await change(() => forgetDrawing(one.id), t.removed(title), gone);
  };
  const save = () => {
    const pictures = [picture, ...(drawings ?? []).map(({ present }) => present)].filter((one) => !isBlank(one));
    download(new Blob([exported(pictures)], { type: "application/json" }), "puzzles.json");
  };
  return (
    <section class="collection">
      <p class="note">{t.about}</p>
      <fieldset>
        <Button label={t.exportAll} isDisabled={!drawings?.length && isBlank(picture)} onClick={save} />
        <label>
          {t.importAll} <input type="file" accept=".json,application/json" onChange={(event) => load(event.currentTarget)} />
        </label>
      </fieldset>
      <p role="status">{said} {removed && <Button label={t.undo} onClick={() => change(() => putDrawing(removed))} />}</p>
      {drawings?.length ? (
        <ul aria-label={t.list}>
          {drawings.map((one) => {
            const { present } = one;
            const title = present.title || studio.untitled;
            return (
              <li key={one.id}>
                <Cells picture={present} label={t.picture(title)} />
                <input aria-label={t.title(title)} value={present.title} maxLength={200} onChange={(event) => change(() => retitleDrawing(one, event.currentTarget.value))} />
                <span class="note">{present.rows}x{present.columns}, {new Date(one.changed).toLocaleDateString()}</span>
                <div>
                  <Button label={t.actions.open} name={t.open(title)} onClick={() => goOn(one, "draw")} />
                  <Button label={t.actions.play} name={t.play(title)} onClick={() => goOn(one, "play")} />
                  <Button label={t.actions.duplicate} name={t.duplicate(title)} onClick={() => change(() => putDrawing(drawingOf(present)))} />
                  <Button label={t.actions.remove} name={t.remove(title)} onClick={() => remove(one, title)} />
                </div>
              </li>
            );
          })}
        </ul>
      ) : (
        drawings && <p>{t.none}</p>
      )}
    </section>
  );
}
