/** Parts that pages share: the choice of language and theme, dialogs, and a small picture. */

import { SunMoon } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { isPlain, type Picture } from "../model/picture.ts";
import { Button, ToolButton } from "./controls.tsx";
import { chooseLanguage, LANGUAGES, type Language, LEVELS, useLanguage } from "./language.ts";

/** Listens to events of the window while the component is there, each time anew unless its inputs are the same. */
export function useListeners(listeners: Record<string, (event: never) => void>, inputs?: unknown[]): void {
  useLayoutEffect(() => {
    const all = Object.entries(listeners) as [string, EventListener][];
    for (const [type, listener] of all) addEventListener(type, listener);
    return () => {
      for (const [type, listener] of all) removeEventListener(type, listener);
    };
  }, inputs);
}

const TEXTS = { en: { dark: "Dark", language: "Language" }, de: { dark: "Dunkel", language: "Sprache" } };

/** A level as dots of four. */
export function Dots({ level = "" }: { level: string | undefined }) {
  const levels = Object.keys(LEVELS.en);
  return levels.includes(level) ? <span class="dots" aria-hidden="true">{levels.map((_, i) => (i <= levels.indexOf(level) ? "●" : "○")).join("")}</span> : null;
}

/** Light or dark: as the reader has set it here, else as the system is. */
export function ThemeSwitch() {
  const { dark } = TEXTS[useLanguage()];
  const chosen = document.documentElement.style.colorScheme;
  const [isDark, setDark] = useState(chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  const change = () => {
    document.documentElement.style.colorScheme = isDark ? "light" : "dark";
    setDark(!isDark);
  };
  return <ToolButton icon={SunMoon} name={dark} isPressed={isDark} onClick={change} />;
}

export function LanguageChoice() {
  const chosen = useLanguage();
  return (
    <select class="language" aria-label={TEXTS[chosen].language} value={chosen} onChange={(event) => chooseLanguage(event.currentTarget.value as Language)}>
      {Object.entries(LANGUAGES).map(([name, words]) => (
        <option key={name} value={name} lang={name}>{words}</option>
      ))}
    </select>
  );
}

interface HeadProps {
  title: string;
  /** Of the page; that of the reader if missing. */
  lang?: string | undefined;
  children: ComponentChildren;
}

/** The heading of a page, what it is about, and the choice of its language if it has several. */
export function Head({ title, lang, children }: HeadProps) {
  return (
    <header lang={lang}>
      <div>
        <h1>{title}</h1>
        <p class="note">{children}</p>
      </div>
      {!lang && <LanguageChoice />}
    </header>
  );
}

interface DialogProps {
  title: string;
  class?: string;
  /** What the button says that closes it, and the main one with what it does. */
  close: string;
  action?: readonly [label: string, act: () => void, isDisabled?: boolean];
  /** What is said beside the buttons. */
  note?: string;
  onClose(): void;
  children: ComponentChildren;
}

/** What stands above the page until it is closed: in the middle, on phones a sheet from below. */
export function Dialog({ title, class: look = "", close, action, note, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const name = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class={`dialog ${look}`} aria-labelledby={name} onClose={onClose}>
      <h2 id={name}>{title}</h2>
      <div class="inside">{children}</div>
      <footer>
        <span role="status">{note}</span>
        <Button label={close} kind="calm" onClick={onClose} />
        {action && <Button label={action[0]} kind="primary" isDisabled={action[2] ?? false} onClick={action[1]} />}
      </footer>
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
