/** The choice of the page's language. */

import { chooseLanguage, LANGUAGES, type Language, useLanguage } from "./language.ts";

export function LanguageChoice({ label }: { label: string }) {
  return (
    <select class="language" aria-label={label} value={useLanguage()} onChange={(event) => chooseLanguage(event.currentTarget.value as Language)}>
      {Object.entries(LANGUAGES).map(([name, words]) => (
        <option key={name} value={name} lang={name}>
          {words}
        </option>
      ))}
    </select>
  );
}
