/** Parts that pages share: a labelled choice, the choice of the language, and a small picture. */

import { useEffect, useRef } from "preact/hooks";
import type { Picture } from "../model/picture.ts";
import { chooseLanguage, LANGUAGES, type Language, useLanguage } from "./language.ts";

interface ChoiceProps {
  label: string;
  /** Value and text of each. */
  options: Iterable<readonly [value: string, text: string, title?: string]>;
  value?: string | undefined;
  onChange(value: string): void;
  id?: string;
}

export function Choice({ label, options, value, onChange, id }: ChoiceProps) {
  return (
    <label>
      {label}{" "}
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {[...options].map(([option, text, title]) => (
          <option key={option} value={option} title={title}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

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

interface CellsProps {
  picture: Picture | undefined;
  /** For those who do not see it; without one it is decoration. */
  label?: string;
  class?: string;
}

/** A picture with a pixel for each cell, which the style sheet enlarges. */
export function Cells({ picture, label, ...look }: CellsProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context || !picture) return;
    for (const [i, colour] of picture.cells.entries()) {
      context.fillStyle = picture.palette[colour]?.rgb ?? "";
      context.fillRect(i % picture.columns, Math.floor(i / picture.columns), 1, 1);
    }
  }, [picture]);
  const said = label ? ({ role: "img", "aria-label": label } as const) : ({ "aria-hidden": "true" } as const);
  return <canvas ref={canvas} width={picture?.columns} height={picture?.rows} {...said} {...look} />;
}
