/** The dialog that takes clues without a picture: typed or pasted, solved at once, and which of them is wrong. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { CoreClient } from "../core/client.ts";
import type { Block } from "../core/module.ts";
import { opened, solved } from "../model/files.ts";
import { clueText, type Draft, FileError, type Puzzle, puzzleOf } from "../model/formats/puzzle.ts";
import { INKS, MOST_COLOURS, MOST_LINES, type Picture, WHITE } from "../model/picture.ts";
import { colourName } from "../shared/colours.ts";
import { Button } from "../shared/controls.tsx";
import { useLanguage } from "../shared/language.ts";
import { Dialog } from "../shared/parts.tsx";
import { useTexts } from "../texts/language.ts";
import { readFile } from "./opening.ts";
import type { Line, Mend } from "../core/records.ts";
import type { Texts } from "../texts/en.ts";

/** The most changes that are named. */
const MOST_NAMED = 3;

export interface Advice {
  /** What to change in the clues, as a sentence; empty if the core refuses them. */
  text: string;
  /** The changes that are named, and the clues after each. */
  mends: { name: string; draft: Draft }[];
}

/** Returns the changes of clues each of which leaves one solution, or the lines that contradict each other. */
export async function adviceOf(draft: Draft, core: Pick<CoreClient, "mend">, t: Texts["importing"]): Promise<Advice> {
  const { rows, columns, palette } = draft;
  const isTooLarge = Math.max(rows.length, columns.length) > MOST_LINES || palette.length > MOST_COLOURS;
  const found = isTooLarge ? undefined : await core.mend({ rows, columns, colours: palette.length }).catch(() => undefined);
  if (!found) return { text: "", mends: [] };
  const early = found.isComplete ? "" : ` ${t.stoppedEarly}`;
  if (found.mends.length) {
    const mends = found.mends.slice(0, MOST_NAMED).map((mend) => ({ name: mended(mend, draft, t), draft: after(mend, draft) }));
    return { text: t.mends(found.mends.length, mends.map(({ name }) => name).join("; ")) + early, mends };
  }
  const names = found.contradiction.map(([axis, position]) => t.line[axis](position + 1));
  return { text: (names.length ? t.contradiction(names.join(", ")) : t.noMend) + early, mends: [] };
}

function mended({ lines }: Mend, { rows, columns, palette }: Draft, t: Texts["importing"]): string {
  const name = ([axis, position]: Line) => t.line[axis](position + 1);
  const [first, second] = lines;
  if (!first) return t.otherSizes(columns.length, rows.length);
  if (second) return t.exchanged(name(first.line), name(second.line));
  const [axis, position] = first.line;
  const before = (axis === "row" ? rows : columns)[position] ?? [];
  return t.should(name(first.line), clueText(before, palette), clueText(first.clue, palette));
}

/** The clues with a change. */
function after({ lines }: Mend, { rows, columns, palette }: Draft): Draft {
  const all = [...rows, ...columns];
  for (const { line: [axis, position], clue } of lines) all[axis === "row" ? position : rows.length + position] = clue;
  const count = lines.length ? rows.length : columns.length;
  return { rows: all.slice(0, count), columns: all.slice(count), palette };
}

/** A number, and the character of its colour. */
const BLOCK = /([0-9]+)\s*([#a-h])?/g;

/** Returns the puzzle of two lists with a clue a line, each number with the character of its colour if there are several. */
function typed(rows: string, columns: string): Puzzle {
  const chars = new Set(Array.from(`${rows}\n${columns}`.matchAll(BLOCK), ([, , char = "#"]) => char));
  const inks = INKS.filter(({ char }) => chars.has(char));
  const side = (axis: string, text: string) =>
    text.trimEnd().split("\n").map((line, i): Block[] => {
      const strange = line.replace(BLOCK, "").match(/[^\s,;.|-]+/)?.[0];
      if (strange) throw new FileError(`${axis} ${i + 1}: '${strange}' is no number`, { expected: "numbers such as 3 1 2" });
      const blocks = [...line.matchAll(BLOCK)].map(([, number, char = "#"]) => ({ length: Number(number), colour: 1 + inks.findIndex((ink) => ink.char === char) }));
      return blocks.filter(({ length }) => length);
    });
  return puzzleOf({ rows: side("row", rows), columns: side("column", columns), palette: [WHITE, ...inks] });
}

/** A side of clues as they are typed. */
function textOf(clues: Draft["rows"], palette: Draft["palette"]): string {
  return clues.map((clue) => clue.map(({ length, colour }) => (palette.length > 2 ? `${length}${palette[colour]?.char}` : length)).join(" ") || "0").join("\n");
}

export function CluesDialog({ core, onUse, onClose }: { core: CoreClient; onUse(picture: Picture, notes: string[]): void; onClose(): void }) {
  const texts = useTexts();
  const t = texts.importing;
  const language = useLanguage();
  const [[rows, columns], setClues] = useState<[rows: string, columns: string]>(["", ""]);
  const [{ fault, advice }, say] = useState<{ fault: string; advice?: Advice }>({ fault: "" });

  const isOpen = useRef(true);
  useEffect(() => () => void (isOpen.current = false), []);

  /** Reads and solves until the dialog closes; one list alone may be a whole puzzle in any format. */
  const solve = async (rows: string, columns: string) => {
    say({ fault: texts.studio.solving });
    let fault = texts.studio.noSolution;
    let wrong: Draft | undefined;
    try {
      const { puzzles, notes } = columns.trim() && rows.trim() ? { puzzles: [typed(rows, columns)], notes: [] } : await readFile(new File([rows.trim() ? rows : columns], t.clues), core);
      if (!isOpen.current) return;
      wrong = puzzles[0] as Puzzle;
      const found = await solved(opened(puzzles[0] as Puzzle), (clues) => core.solve(clues));
      if (!isOpen.current) return;
      if (found) return onUse(found, notes);
    } catch (error) {
      fault = error instanceof Error ? error.message : String(error);
      wrong = error instanceof FileError ? error.draft : undefined;
    }
    if (isOpen.current) say(wrong ? { fault, advice: await adviceOf(wrong, core, t) } : { fault });
  };
  const apply = (draft: Draft) => {
    const next: [string, string] = [textOf(draft.rows, draft.palette), textOf(draft.columns, draft.palette)];
    setClues(next);
    solve(...next);
  };
  const side = (label: string, value: string, change: (text: string) => [string, string]) => (
    <label>
      {label}
      <textarea rows={10} value={value} placeholder={"2 1\n0\n4"} spellcheck={false} onInput={({ currentTarget }) => setClues(change(currentTarget.value))} />
    </label>
  );
  const isEmpty = !rows.trim() && !columns.trim();
  return (
    <Dialog title={t.fromClues} class="clues" close={t.cancel} action={[t.solve, () => solve(rows, columns), isEmpty]} onClose={onClose}>
      <p class="note">{t.howToType(INKS.map(({ name, char }) => `${char} ${colourName(name, language)}`).join(", "))}</p>
      <div class="sides">
        {side(texts.studio.rows, rows, (text) => [text, columns])}
        {side(texts.studio.columns, columns, (text) => [rows, text])}
      </div>
      <p role="status">{fault} {advice && !advice.mends.length && advice.text}</p>
      {advice && advice.mends.length > 0 && (
        <>
          <p>{t.oneChange}</p>
          {advice.mends.map(({ name, draft }) => (
            <Button key={name} label={name} onClick={() => apply(draft)} />
          ))}
        </>
      )}
    </Dialog>
  );
}
