/** Colours as people call them. */

import names from "../../../nonocsp/grading/explain/colours.json" with { type: "json" };
import type { Language } from "./language.ts";

/** The name of a colour in a language; a name that is no word of ours stays. */
export const colourName = (name = "", language: Language): string => (language === "en" ? name : ((names[language] as Record<string, string>)[name] ?? name));
