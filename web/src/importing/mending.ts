/** Say which clue is wrong of clues that have no solution (`nonocsp.making.mend`). */

import type { CoreClient } from "../core/client.ts";
import type { Line, Mend } from "../core/records.ts";
import { clueText, type Draft } from "../model/formats/puzzle.ts";
import { MOST_COLOURS, MOST_LINES } from "../model/picture.ts";
import type { importingEn } from "./texts.ts";

/** The most changes that are named. */
const MOST_NAMED = 3;

/** What to change in the clues, as a sentence; empty if the core refuses them. */
export async function mendText(draft: Draft, core: Pick<CoreClient, "mend">, t: typeof importingEn): Promise<string> {
  const { rows, columns, palette } = draft;
  if (Math.max(rows.length, columns.length) > MOST_LINES || palette.length > MOST_COLOURS) return "";
  const found = await core.mend({ rows, columns, colours: palette.length }).catch(() => undefined);
  if (!found) return "";
  const early = found.isComplete ? "" : ` ${t.stoppedEarly}`;
  if (found.mends.length) {
    const named = found.mends.slice(0, MOST_NAMED).map((mend) => mended(mend, draft, t));
    return t.mends(found.mends.length, named.join("; ")) + early;
  }
  const names = found.contradiction.map(([axis, position]) => t.line[axis](position + 1));
  return (names.length ? t.contradiction(names.join(", ")) : t.noMend) + early;
}

function mended({ lines }: Mend, { rows, columns, palette }: Draft, t: typeof importingEn): string {
  const name = ([axis, position]: Line) => t.line[axis](position + 1);
  const [first, second] = lines;
  if (!first) return t.otherSizes(columns.length, rows.length);
  if (second) return t.exchanged(name(first.line), name(second.line));
  const [axis, position] = first.line;
  const before = (axis === "row" ? rows : columns)[position] ?? [];
  return t.should(name(first.line), clueText(before, palette), clueText(first.clue, palette));
}
