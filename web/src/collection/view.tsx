/** The gallery of own puzzles, which the browser keeps each under a key of its own: keep, open, duplicate, delete, and take all along as one file. */

import { useState } from "preact/hooks";
import type { Picture } from "../model/picture.ts";
import { download } from "../shared/data.ts";
import { Button } from "../shared/controls.tsx";
import { Cells, useListeners } from "../shared/parts.tsx";
import type { ViewProps } from "../studio/views.ts";
import { useTexts } from "../texts/language.ts";
import { documentOf, FileError, readDocument } from "../model/files.ts";

export interface Kept {
  id: string;
  /** When it was kept, in ms since 1970. */
  changed: number;
  picture: Picture;
}

const PREFIX = "nonocsp.gallery.";

/** All kept puzzles, the newest first; what cannot be read is left out, and left alone. */
export function keptPuzzles(): Kept[] {
  const found: Kept[] = [];
  for (const key of storedKeys()) {
    try {
      const { changed, puzzle } = JSON.parse(localStorage.getItem(key) ?? "");
      found.push({ id: key.slice(PREFIX.length), changed: Number(changed) || 0, picture: pictureOf(puzzle) });
    } catch {
      // Another version of the page may read it.
    }
  }
  return found.sort((a, b) => b.changed - a.changed || (a.id < b.id ? 1 : -1));
}

function storedKeys(): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  } catch {
    return [];
  }
}

/** Keeps a picture as a new puzzle, or in the place of a kept one; throws if the browser does not store it. */
export function keepPuzzle(picture: Picture, { id = newId(), changed = Date.now() } = {}): void {
  localStorage.setItem(PREFIX + id, JSON.stringify({ changed, puzzle: documentOf(picture) }));
}

export function forgetPuzzle(id: string): void {
  localStorage.removeItem(PREFIX + id);
}

const newId = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 10)}`;

function pictureOf(puzzle: unknown): Picture {
  const read = readDocument(puzzle);
  if (!("cells" in read)) throw new FileError("it has no picture (goal)");
  return read;
}

/** All puzzles as one file: the list that `nonocsp` reads as format `json`. */
export function exported(puzzles: Kept[]): string {
  return `[\n${puzzles.map(({ picture }) => JSON.stringify(documentOf(picture))).join(",\n")}\n]\n`;
}

/** Keeps the puzzles of such a file, or of a file with one; the messages of those that are none. */
export function imported(text: string): { count: number; faults: string[] } {
  const value: unknown = JSON.parse(text);
  const faults: string[] = [];
  let count = 0;
  for (const [i, puzzle] of (Array.isArray(value) ? value : [value]).entries()) {
    let picture: Picture;
    try {
      picture = pictureOf(puzzle);
    } catch (error) {
      faults.push(`${i + 1}: ${error instanceof Error ? error.message : String(error)}`);
      continue;
    }
    keepPuzzle(picture, { changed: Date.now() - i });
    count++;
  }
  return { count, faults };
}

export function CollectionView({ picture, open }: ViewProps) {
  const { collection: t, studio } = useTexts();
  const [puzzles, setPuzzles] = useState(keptPuzzles);
  const [said, say] = useState("");
  const [removed, setRemoved] = useState<Kept>();
  useListeners({ storage: () => setPuzzles(keptPuzzles()) }, []); // another window keeps something

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
