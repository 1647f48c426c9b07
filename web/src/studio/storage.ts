/**
 * Keeps drawings in the browser's database, each with its undo under an id of its own. A version tells whether another
 * tab wrote in between: then the later one goes on as a copy, and nothing is overwritten.
 */

import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from "idb";
import { readDocument, readLink } from "../model/files.ts";
import { begin, type History } from "../model/history.ts";
import { MOST_COLOURS, MOST_LINES, type Picture } from "../model/picture.ts";

interface Dated {
  id: string;
  version: number;
  /** In ms since 1970. */
  changed: number;
}

/** A kept drawing as lists show it, without its undo. */
export type Kept = Dated & { present: Picture };
export type Drawing = Dated & { history: History<Picture> };

/** What a tab tells its page: that nothing is kept, that its drawing went on as a copy, or what another tab drew. */
export interface Listener {
  failed(reason: "full" | "forbidden"): void;
  copied(): void;
  followed(history: History<Picture>): void;
}

interface Schema extends DBSchema {
  drawings: { key: string; value: Kept; indexes: { changed: number } };
  undo: { key: string; value: { id: string } & Pick<History<Picture>, "past" | "future"> };
}

type Changing = IDBPTransaction<Schema, ("drawings" | "undo")[], "readwrite" | "versionchange">;

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
    openDB<Schema>("nonocsp", 2, { upgrade: (made, before, _, changing) => upgrade(made, before, changing), blocking: (_, __, { target }) => (target as IDBDatabase).close() }),
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error("the database does not open")), PATIENCE)),
  ]);
  return opening;
}

/** Makes the stores. Version 1 had the undo in the drawings, so that every list read all of it. */
async function upgrade(made: IDBPDatabase<Schema>, before: number, changing: Changing): Promise<void> {
  made.createObjectStore("undo", { keyPath: "id" });
  if (!before) return void made.createObjectStore("drawings", { keyPath: "id" }).createIndex("changed", "changed");
  for (const drawing of (await changing.objectStore("drawings").getAll()) as unknown as Drawing[]) if (drawing.history) await put(changing, drawing);
}

async function put(changing: Changing, { history: { past, present, future }, ...dated }: Drawing): Promise<void> {
  await changing.objectStore("drawings").put({ ...dated, present });
  await changing.objectStore("undo").put({ id: dated.id, past, future });
}

const change = async () => (await database()).transaction(["drawings", "undo"], "readwrite");

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

const isKept = ({ version, present }: Kept): boolean => Number.isInteger(version) && isPicture(present);

const statesOf = (states: Picture[] | undefined): Picture[] => (Array.isArray(states) && states.every(isPicture) ? states : []);

/** Returns the drawing that this tab had, or the newest one, and whether one was damaged; fails without a database. */
export async function lastDrawing(): Promise<{ drawing: Drawing | undefined; isDamaged: boolean }> {
  const newest = (await (await database()).getAllKeysFromIndex("drawings", "changed")).reverse();
  const own = attempt(() => sessionStorage.getItem(SESSION));
  const wanted = [...newest.filter((id) => id === own), ...newest];
  for (const id of wanted) {
    const drawing = await keptDrawing(id);
    if (drawing) return { drawing, isDamaged: id !== wanted[0] };
  }
  if (wanted.length) return { drawing: undefined, isDamaged: true };
  const earlier = attempt(() => readLink(localStorage.getItem(EARLIER) ?? ""));
  return { drawing: earlier && { id: newId(), version: 0, changed: 0, history: begin(earlier) }, isDamaged: false };
}

/** Returns a drawing with its undo, which is empty if it is damaged; undefined if the drawing is. */
export async function keptDrawing(id: string): Promise<Drawing | undefined> {
  const reading = (await database()).transaction(["drawings", "undo"]);
  const [kept, undo] = await Promise.all([reading.objectStore("drawings").get(id), reading.objectStore("undo").get(id)]);
  if (!kept || !isKept(kept)) return undefined;
  const { present, ...dated } = kept;
  return { ...dated, history: { past: statesOf(undo?.past), present, future: statesOf(undo?.future) } };
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
export async function keptDrawings(): Promise<Kept[]> {
  const all = await (await database()).getAllFromIndex("drawings", "changed");
  return all.reverse().filter((kept) => isKept(kept) && !isBlank(kept.present));
}

export const drawingOf = (picture: Picture): Drawing => ({ id: newId(), version: 1, changed: Date.now(), history: begin(picture) });

export const putDrawing = async (drawing: Drawing): Promise<void> => put(await change(), drawing);

export async function retitleDrawing({ present, version, ...rest }: Kept, title: string): Promise<void> {
  await (await database()).put("drawings", { ...rest, version: version + 1, present: { ...present, title } });
}

export async function forgetDrawing(id: string): Promise<void> {
  const changing = await change();
  await Promise.all([changing.objectStore("drawings").delete(id), changing.objectStore("undo").delete(id)]);
}

/** Why the browser does not store something. */
export const reasonOf = (error: unknown) => (error instanceof DOMException && error.name === "QuotaExceededError" ? "full" : "forbidden");

/** Keeps what one tab draws. */
export class Keeper {
  /** Of the drawing that goes on. */
  id: string;
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
    const changing = await change();
    const found = await changing.objectStore("drawings").get(this.id);
    const isCopy = found !== undefined && found.version !== this.version;
    if (isCopy) this.renew();
    this.version++;
    const history = { past: past.slice(-MOST_STATES), present, future: future.slice(0, MOST_STATES) };
    await put(changing, { id: this.id, version: this.version, changed: Date.now(), history });
    await changing.done;
    attempt(() => sessionStorage.setItem(SESSION, this.id));
    this.channel?.postMessage({ id: this.id, version: this.version });
    if (isCopy) this.listener.copied();
  }

  /** Shows what another tab has drawn, if this one has nothing of its own to write. */
  private async follow({ id, version }: { id?: string; version?: number }): Promise<void> {
    if (id !== this.id || this.waiting || this.isWriting || version === this.version) return;
    const found = await keptDrawing(this.id);
    if (!found || this.waiting || this.isWriting || found.id !== this.id) return;
    this.version = found.version;
    this.shown = found.history;
    this.listener.followed(found.history);
  }
}
