/** The language of the page: that of the address (`?lang=de`), else the chosen one, else the browser's. */

import { useEffect, useState } from "preact/hooks";
import { store, stored } from "./data.ts";

/** What a chooser offers, each in its own words. */
export const LANGUAGES = { en: "English", de: "Deutsch" };
export type Language = keyof typeof LANGUAGES;

/** Levels for people, the easiest first, as each language calls them. */
export const LEVELS: Record<Language, Record<string, string>> = {
  en: { easy: "easy", medium: "medium", hard: "hard", expert: "expert" },
  de: { easy: "leicht", medium: "mittel", hard: "schwer", expert: "sehr schwer" },
};

/** A number with its noun. */
export const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

/** Items in a sentence. */
export const listed = (items: string[], and: string): string => (items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} ${and} ${items.at(-1)}`);

const KEY = "nonocsp.language";
const listeners = new Set<() => void>();
let present = firstLanguage([]);
document.documentElement.lang = present;

function isKnown(name: string | null | undefined): name is Language {
  return Object.hasOwn(LANGUAGES, name ?? "");
}

function firstLanguage(preferred: (string | undefined)[]): Language {
  const asked = new URLSearchParams(location.search).get("lang");
  const wanted = [asked, stored(KEY), ...preferred, ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return wanted.find(isKnown) ?? "en";
}

export function language(): Language {
  return present;
}

/** Changes the language of the page, now and for later visits if the browser stores anything. */
export function chooseLanguage(next: Language): void {
  store(KEY, next);
  show(next);
}

/** Puts a language that the page was made for before the browser's; what a reader chose stays. */
export function preferLanguage(name: string | undefined): void {
  show(firstLanguage([name]));
}

function show(next: Language): void {
  present = next;
  document.documentElement.lang = next;
  for (const listener of listeners) listener();
}

/** The present language; the component is drawn again when another one is chosen. */
export function useLanguage(): Language {
  const [shown, setShown] = useState(language);
  useEffect(() => {
    const listener = () => setShown(language());
    listeners.add(listener);
    listener();
    return () => void listeners.delete(listener);
  }, []);
  return shown;
}
