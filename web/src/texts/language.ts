/** The texts of the studio in the language of the page. */

import { type Language, language, useLanguage } from "../shared/language.ts";
import { de } from "./de.ts";
import { en, type Texts } from "./en.ts";

const TABLES: Record<Language, Texts> = { en, de };

export function texts(): Texts {
  return TABLES[language()];
}

/** The texts of the present language; the component is drawn again when another one is chosen. */
export function useTexts(): Texts {
  return TABLES[useLanguage()];
}
