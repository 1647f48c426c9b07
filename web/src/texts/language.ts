/** The language of the page: that of the address (`?lang=de`), else the chosen one, else the browser's. */

import { useEffect, useState } from "preact/hooks";
import { de } from "./de.ts";
import { en } from "./en.ts";

export type Texts = typeof en;

const TABLES = { en, de } satisfies Record<string, Texts>;
export type Language = keyof typeof TABLES;
/** What a chooser offers, each in its own words. */
export const LANGUAGES: Record<Language, string> = { en: "English", de: "Deutsch" };

const KEY = "nonocsp.language";
const listeners = new Set<() => void>();
let present = firstLanguage();
document.documentElement.lang = present;

function isKnown(name: string | null): name is Language {
  return Object.hasOwn(TABLES, name ?? "");
}

function firstLanguage(): Language {
  const asked = new URLSearchParams(location.search).get("lang");
  const wanted = [asked, kept(), ...navigator.languages.map((tag) => tag.slice(0, 2))];
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
  present = next;
  document.documentElement.lang = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // The choice lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

export function texts(): Texts {
  return TABLES[present];
}

/** The texts of the present language; the component is drawn again when another one is chosen. */
export function useTexts(): Texts {
  const [shown, show] = useState(texts);
  useEffect(() => {
    const listener = () => show(texts());
    listeners.add(listener);
    listener();
    return () => void listeners.delete(listener);
  }, []);
  return shown;
}
