/** The dialog that takes clues without a picture: typed or pasted, solved at once, and which of them is wrong. */

import { useState } from "preact/hooks";
import type { CoreClient } from "../core/client.ts";
import type { Block } from "../core/module.ts";
import { opened, solved } from "../model/files.ts";
import { type Draft, FileError, type Puzzle, puzzleOf } from "../model/formats/puzzle.ts";
import { INKS, type Picture, WHITE } from "../model/picture.ts";
import { Button } from "../shared/controls.tsx";
import { Dialog } from "../shared/parts.tsx";
import { useTexts } from "../texts/language.ts";
import { type Advice, adviceOf } from "./mending.ts";
import { readFile } from "./opening.ts";

interface CluesDialogProps {
  core: CoreClient;
  onUse(picture: Picture, notes: string[]): void;
  onClose(): void;
}

/** A number, and the character of its colour as the board shows it. */
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

export function CluesDialog({ core, onUse, onClose }: CluesDialogProps) {
  const texts = useTexts();
  const t = texts.importing;
  const [[rows, columns], setClues] = useState<[rows: string, columns: string]>(["", ""]);
  const [{ fault, advice }, say] = useState<{ fault: string; advice?: Advice }>({ fault: "" });

  /** Reads and solves; one list alone may be a whole puzzle in any format. */
  const solve = async (rows: string, columns: string) => {
    say({ fault: texts.studio.solving });
    try {
      const { puzzles, notes } = columns.trim() && rows.trim() ? { puzzles: [typed(rows, columns)], notes: [] } : await readFile(new File([rows.trim() ? rows : columns], t.clues), core);
      const puzzle = puzzles[0] as Puzzle;
      const found = await solved(opened(puzzle), (clues) => core.solve(clues));
      if (found) return onUse(found, notes);
      say({ fault: texts.studio.noSolution, advice: await adviceOf(puzzle, core, t) });
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error);
      say(error instanceof FileError && error.draft ? { fault, advice: await adviceOf(error.draft, core, t) } : { fault });
    }
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
      <p class="note">{t.howToType}</p>
      <div class="sides">
        {side(texts.studio.rows, rows, (text) => [text, columns])}
        {side(texts.studio.columns, columns, (text) => [rows, text])}
      </div>
      <p role="status">
        {fault} {advice && !advice.mends.length && advice.text}
      </p>
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
