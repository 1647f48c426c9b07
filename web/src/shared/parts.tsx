/** Parts that pages share: a labelled choice, the choice of the language, and a small picture. */

import { SunMoon } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import { isPlain, type Picture } from "../model/picture.ts";
import { ToolButton } from "./icons.tsx";
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

/** Light or dark: as the reader has set it here, else as the system is. */
export function ThemeSwitch({ label }: { label: string }) {
  const chosen = document.documentElement.style.colorScheme;
  const [isDark, setDark] = useState(chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  const change = () => {
    document.documentElement.style.colorScheme = isDark ? "light" : "dark";
    setDark(!isDark);
  };
  return <ToolButton icon={SunMoon} name={label} isPressed={isDark} onClick={change} />;
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

interface QuestionProps {
  text: string;
  /** What can be answered, and what follows; Escape is the last one. */
  answers: [label: string, act: () => void][];
  onAnswer(): void;
}

/** A question above the page that has to be answered first. */
export function Question({ text, answers, onAnswer }: QuestionProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const answer = (act?: () => void) => {
    dialog.current?.close();
    onAnswer();
    act?.();
  };
  return (
    <dialog ref={dialog} class="question" aria-label={text} onCancel={() => answer(answers.at(-1)?.[1])}>
      <p>{text}</p>
      {answers.map(([label, act]) => (
        <button key={label} type="button" onClick={() => answer(act)}>
          {label}
        </button>
      ))}
    </dialog>
  );
}

interface CellsProps {
  picture: Picture | undefined;
  /** For those who do not see it; without one it is decoration. */
  label?: string;
  class?: string;
}

/** A picture with a pixel for each cell, which the style sheet enlarges; the ink of a plain one is its colour in CSS. */
export function Cells({ picture, label, ...look }: CellsProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context || !picture || !canvas.current) return;
    const { rows, columns, palette, cells } = picture;
    const image = context.createImageData(columns, rows);
    const rgba = new Uint32Array(image.data.buffer);
    const inks = palette.map(({ rgb }) => Number.parseInt(`ff${rgb.slice(5, 7)}${rgb.slice(3, 5)}${rgb.slice(1, 3)}`, 16));
    if (isPlain(palette)) {
      const [red = 0, green = 0, blue = 0] = getComputedStyle(canvas.current).color.match(/[0-9]+/g)?.map(Number) ?? [];
      inks.splice(0, 2, 0, ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0);
    }
    rgba.forEach((_, i) => (rgba[i] = inks[cells[i] as number] ?? 0));
    context.putImageData(image, 0, 0);
  }, [picture]);
  const said = label ? ({ role: "img", "aria-label": label } as const) : ({ "aria-hidden": "true" } as const);
  return <canvas ref={canvas} width={picture?.columns} height={picture?.rows} {...said} {...look} />;
}
