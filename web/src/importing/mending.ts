/** Say which clue is wrong of clues that have no solution (`nonocsp.making.mend`). */

import type { CoreClient } from "../core/client.ts";
import type { Line, Mend } from "../core/records.ts";
import { clueText, type Draft } from "../model/formats/puzzle.ts";
import { MOST_COLOURS, MOST_LINES } from "../model/picture.ts";
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
