/**
 * Keeps drawings in the browser's database, each with its undo under an id of its own. A version tells whether another
 * tab wrote in between: then the later one goes on as a copy, and nothing is overwritten.
 */

import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { readDocument, readLink } from "../model/files.ts";
import { begin, type History } from "../model/history.ts";
import { MOST_COLOURS, MOST_LINES, type Picture } from "../model/picture.ts";

export interface Drawing {
  id: string;
  version: number;
  /** In ms since 1970. */
  changed: number;
  history: History<Picture>;
}

/** What a tab tells its page: that nothing is kept, that its drawing went on as a copy, or what another tab drew. */
export interface Listener {
  failed(reason: "full" | "forbidden"): void;
  copied(): void;
  followed(history: History<Picture>): void;
}

interface Schema extends DBSchema {
  drawings: { key: string; value: Drawing; indexes: { changed: number } };
}

/** States that undo reaches after a reload. */
const MOST_STATES = 100;
/** How long the database may take to open, in ms; a browser may never answer. */
const PATIENCE = 3000;
const SESSION = "nonocsp.drawing";
/** What earlier pages kept: the one picture, and documents of others. */
const [EARLIER, EARLIER_OTHERS] = ["nonocsp.studio.picture", "nonocsp.gallery."];

let opening: Promise<IDBPDatabase<Schema>> | undefined;

function database(): Promise<IDBPDatabase<Schema>> {
  opening ??= Promise.race([
    openDB<Schema>("nonocsp", 1, { upgrade: (made) => void made.createObjectStore("drawings", { keyPath: "id" }).createIndex("changed", "changed") }),
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error("the database does not open")), PATIENCE)),
  ]);
  return opening;
}

/** Runs with a storage that may be forbidden. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

const newId = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 10)}`;

export const isBlank = ({ cells }: Picture): boolean => cells.every((cell) => cell === 0);

function isPicture(value: unknown): value is Picture {
  const { title, palette, rows, columns, cells } = (value ?? {}) as Picture;
  const isSize = [rows, columns].every((count) => Number.isInteger(count) && count >= 1 && count <= MOST_LINES);
  const isPalette = Array.isArray(palette) && palette.length >= 2 && palette.length <= MOST_COLOURS && palette.every((ink) => typeof ink?.name === "string" && typeof ink.char === "string" && /^#[0-9a-f]{6}$/i.test(ink.rgb));
  return typeof title === "string" && isSize && isPalette && cells instanceof Uint8Array && cells.length === rows * columns && cells.every((cell) => cell < palette.length);
}

const isDrawing = ({ history, version }: Drawing): boolean =>
  Number.isInteger(version) && isPicture(history?.present) && Array.isArray(history.past) && history.past.every(isPicture) && Array.isArray(history.future) && history.future.every(isPicture);

/** Returns the drawing that this tab had, or the newest one, and whether one was damaged; fails without a database. */
export async function lastDrawing(): Promise<{ drawing: Drawing | undefined; isDamaged: boolean }> {
  const drawings = await database();
  const newest = (await drawings.getAllKeysFromIndex("drawings", "changed")).reverse();
  const own = attempt(() => sessionStorage.getItem(SESSION));
  const wanted = [...newest.filter((id) => id === own), ...newest];
  for (const id of wanted) {
    const drawing = await drawings.get("drawings", id);
    if (drawing && isDrawing(drawing)) return { drawing, isDamaged: id !== wanted[0] };
  }
  if (wanted.length) return { drawing: undefined, isDamaged: true };
  const earlier = attempt(() => readLink(localStorage.getItem(EARLIER) ?? ""));
  return { drawing: earlier && { id: newId(), version: 0, changed: 0, history: begin(earlier) }, isDamaged: false };
}

/** Moves what earlier pages kept into the drawings; the old key is the new id, so that two tabs move it once. */
export async function moveEarlier(): Promise<void> {
  for (const key of attempt(() => Object.keys(localStorage)) ?? []) {
    if (!key.startsWith(EARLIER_OTHERS)) continue;
    const earlier = attempt(() => JSON.parse(localStorage.getItem(key) ?? ""));
    const read = attempt(() => readDocument(earlier.puzzle));
    if (!read || !("cells" in read)) continue;
    const isMoved = await (await database()).getKey("drawings", key);
    if (!isMoved) await putDrawing({ ...drawingOf(read), id: key, changed: Number(earlier.changed) || 0 });
    localStorage.removeItem(key);
  }
}

/** The drawings that are kept, the newest first. */
export async function keptDrawings(): Promise<Drawing[]> {
  const all = await (await database()).getAllFromIndex("drawings", "changed");
  return all.reverse().filter((drawing) => isDrawing(drawing) && !isBlank(drawing.history.present));
}

export const drawingOf = (picture: Picture): Drawing => ({ id: newId(), version: 1, changed: Date.now(), history: begin(picture) });

export async function putDrawing(drawing: Drawing): Promise<void> {
  await (await database()).put("drawings", drawing);
}

export async function forgetDrawing(id: string): Promise<void> {
  await (await database()).delete("drawings", id);
}

/** Why the browser does not store something. */
export const reasonOf = (error: unknown) => (error instanceof DOMException && error.name === "QuotaExceededError" ? "full" : "forbidden");

/** Keeps what one tab draws. */
export class Keeper {
  private id: string;
  private version: number;
  private readonly listener: Listener;
  private readonly channel = attempt(() => new BroadcastChannel("nonocsp.drawings"));
  /** What is to be written next; the newest state is enough. */
  private waiting: History<Picture> | undefined;
  private isWriting = false;
  private shown: History<Picture> | undefined;

  constructor(drawing: Drawing | undefined, listener: Listener) {
    this.listener = listener;
    this.id = drawing?.id ?? newId();
    this.version = drawing?.version ?? 0;
    this.shown = drawing?.history;
    if (this.channel) this.channel.onmessage = ({ data }) => void this.follow(data).catch(() => {});
  }

  /** Goes on with a kept drawing or a new one; the last one stays as it is. */
  renew(drawing?: Drawing): void {
    this.id = drawing?.id ?? newId();
    this.version = drawing?.version ?? 0;
    this.shown = drawing?.history;
    if (drawing) attempt(() => sessionStorage.setItem(SESSION, this.id));
  }

  /** Writes a state, unless it came from the database. */
  keep(history: History<Picture>): void {
    if (history === this.shown) return;
    this.shown = history;
    if (!this.version && isBlank(history.present) && !history.past.length) return;
    this.waiting = history;
    if (!this.isWriting) void this.writeAll();
  }

  private async writeAll(): Promise<void> {
    this.isWriting = true;
    try {
      while (this.waiting) {
        const history = this.waiting;
        this.waiting = undefined;
        await this.write(history);
      }
    } catch (error) {
      this.listener.failed(reasonOf(error));
    } finally {
      this.isWriting = false;
    }
  }

  private async write({ past, present, future }: History<Picture>): Promise<void> {
    const changing = (await database()).transaction("drawings", "readwrite");
    const found = await changing.store.get(this.id);
    const isCopy = found !== undefined && found.version !== this.version;
    if (isCopy) this.renew();
    this.version++;
    const history = { past: past.slice(-MOST_STATES), present, future: future.slice(0, MOST_STATES) };
    await changing.store.put({ id: this.id, version: this.version, changed: Date.now(), history });
    await changing.done;
    attempt(() => sessionStorage.setItem(SESSION, this.id));
    this.channel?.postMessage({ id: this.id, version: this.version });
    if (isCopy) this.listener.copied();
  }

  /** Shows what another tab has drawn, if this one has nothing of its own to write. */
  private async follow({ id, version }: { id?: string; version?: number }): Promise<void> {
    if (id !== this.id || this.waiting || this.isWriting || version === this.version) return;
    const found = await (await database()).get("drawings", this.id);
    if (!found || !isDrawing(found) || this.waiting || this.isWriting || found.id !== this.id) return;
    this.version = found.version;
    this.shown = found.history;
    this.listener.followed(found.history);
  }
}
