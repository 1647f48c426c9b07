/** What `nonocsp studio` adds to the page: calls of its API. A page that was opened as a file has no server. */

import { pageData } from "../shared/data.ts";
import { texts } from "../texts/language.ts";

/** A puzzle in the project's JSON. */
export type PuzzleJson = Record<string, unknown>;

interface Format {
  name: string;
  suffix: string;
  summary: string;
}

/** What the server writes into the page. */
interface Served {
  token: string;
  /** Of a request. */
  mostBytes: number;
  reportKey: string;
  /** The folder that it saves in. */
  folder: string;
  /** The name of the puzzle to begin with; empty for none. */
  file: string;
  puzzle: PuzzleJson | null;
  formats: Format[];
}

export interface Listing {
  files: string[];
  reports: string[];
  isCut: boolean;
}

interface ReadFile {
  puzzles: { puzzle: PuzzleJson }[];
  notes: string[];
}

export interface Made {
  puzzle: PuzzleJson;
  level: string;
  changes: number;
}

/** How puzzles are printed, as `nonocsp studio` names it. */
interface BookOptions {
  title: string;
  paper: string;
  is_book: boolean;
  is_solved: boolean;
  has_patterns: boolean;
}

/** Options of `nonocsp generate`, with its names. */
interface PictureOptions {
  rows?: number;
  count: number;
  difficulty?: string;
  edges: string;
  colours?: number;
}

/** The server refused, or could not do it; the message is for people. */
export class ServerError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The status of a file that is there already. */
export const EXISTS = 409;

const served = pageData<Served>();

/** The place of the token in the storage of this tab, where a reload finds it (nonocsp/studio/app.py). */
const TOKEN = "studio-token";
const isReloaded = !!served?.token && sessionStorage.getItem(TOKEN) === served.token;
if (served?.token) {
  sessionStorage.setItem(TOKEN, served.token);
  history.replaceState(history.state, "", location.pathname + location.hash); // the address may be shown to others
}

/** The server of this page; undefined if there is none. */
export const server = served?.token ? () => connected : () => undefined;

const connected = {
  folder: served?.folder ?? "",
  formats: served?.formats ?? [],

  /** The puzzle that the command line names; only once, so that a reload keeps what was drawn. */
  first: (): PuzzleJson | null => (isReloaded ? null : (served?.puzzle ?? null)),
  reportAddress: (name: string) => `/report/${served?.reportKey}/${name.split("/").map(encodeURIComponent).join("/")}`,

  files: () => call<Listing>("files", {}),
  /** Reads a file of the folder. */
  open: (name: string) => call<ReadFile>("open", { name }),
  /** Reads a file of any format. */
  read: async (name: string, content: Blob) => call<ReadFile>("read", { name, content: await packed(content) }),
  /** A puzzle as a file, with what the format has no place for. */
  async write(format: string, puzzle: PuzzleJson): Promise<{ file: Blob; lost: string[] }> {
    const { content, lost } = await call<{ content: string; lost: string[] }>("write", { format, puzzle });
    return { file: unpacked(content, "application/octet-stream"), lost };
  },
  save: (name: string, format: string, puzzle: PuzzleJson, replace: boolean) => call<{ lost: string[] }>("save", { name, format, puzzle, replace }),
  async book(puzzles: PuzzleJson[], options: BookOptions, signal?: AbortSignal): Promise<{ file: Blob; pages: number; faults: string[] }> {
    const { content, pages, faults } = await call<{ content: string; pages: number; faults: string[] }>("book", { puzzles, ...options }, signal);
    return { file: unpacked(content, "application/pdf"), pages, faults };
  },
  /** Puzzles of a picture, by the pipeline of `nonocsp generate`. */
  picture: async (name: string, content: Blob, options: PictureOptions, signal?: AbortSignal) =>
    call<{ puzzles: Made[]; shortage: string }>("picture", { name, content: await packed(content), options }, signal),
};

export type Server = typeof connected;

async function call<T>(name: string, request: unknown, signal?: AbortSignal): Promise<T> {
  const headers = { "Content-Type": "application/json", "X-Studio-Token": served?.token ?? "" };
  const body = JSON.stringify(request);
  const most = served?.mostBytes ?? 0;
  if (body.length > most) throw new ServerError(413, texts().folder.tooLarge(Math.floor((most >> 20) * 0.75)));
  const response = await fetch(`/api/${name}`, { method: "POST", headers, body, signal }).catch((error) => {
    throw signal?.aborted ? error : new ServerError(0, texts().folder.ended);
  });
  const answer = await response.json();
  if (!response.ok) throw new ServerError(response.status, String(answer.error));
  return answer as T;
}

async function packed(content: Blob): Promise<string> {
  const reader = new FileReader();
  const isDone = new Promise((resolve, reject) => Object.assign(reader, { onload: resolve, onerror: () => reject(reader.error) }));
  reader.readAsDataURL(content);
  await isDone;
  return String(reader.result).replace(/^[^,]*,/, "");
}

function unpacked(content: string, type: string): Blob {
  return new Blob([Uint8Array.from(atob(content), (char) => char.charCodeAt(0))], { type });
}
