/** The language of the page: that of the address (`?lang=de`), else the chosen one, else the browser's. */

import { useEffect, useState } from "preact/hooks";

/** What a chooser offers, each in its own words. */
export const LANGUAGES = { en: "English", de: "Deutsch" };
export type Language = keyof typeof LANGUAGES;

const KEY = "nonocsp.language";
const listeners = new Set<() => void>();
let present = firstLanguage([]);
document.documentElement.lang = present;

function isKnown(name: string | null | undefined): name is Language {
  return Object.hasOwn(LANGUAGES, name ?? "");
}

function firstLanguage(preferred: (string | undefined)[]): Language {
  const asked = new URLSearchParams(location.search).get("lang");
  const wanted = [asked, kept(), ...preferred, ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return wanted.find(isKnown) ?? "en";
}

function kept(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function language(): Language {
  return present;
}

/** Changes the language of the page, now and for later visits if the browser stores anything. */
export function chooseLanguage(next: Language): void {
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // The choice lasts as long as the page.
  }
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
