/**
 * *Adapt*: changes a few cells of a drawing until it is the only solution of its clues (Batenburg et al. 2009).
 *
 * If one cell suffices, the repair map finds it. Otherwise each step makes the change after which line solving
 * leaves the fewest cells open, the least visible of several; at the end every change that is not needed is undone.
 */

import { type Change, closing, type Core, type Drawing } from "./module.ts";

/** Works in portions until `advance` is done; throws if a newer request has come. */
export type Run = (advance: (size: number) => boolean) => Promise<void>;

/** Changes to compare in one portion. */
const PORTION = 300;
/** Up to so many open cells, the repair map is worth its time after a change. */
const FEW = 40;

/** Returns the changes, none if the drawing is fine, undefined if none are found; calls `report` after each step. */
export async function adapt(core: Core, drawing: Drawing, run: Run, report: (changes: number, open: number) => void): Promise<Change[] | undefined> {
  const { columns } = drawing;
  let cells: Uint8Array<ArrayBufferLike> = drawing.cells.slice();
  const now = () => ({ ...drawing, cells });
  const changed: Change[] = [];
  const apply = (change: Change) => {
    cells = cells.slice();
    cells[change.row * columns + change.column] = change.colour;
  };
  for (;;) {
    const { isUnique, open, known } = await judged(core, now(), run);
    if (isUnique) break;
    report(changed.length, open);
    const isNew = (change: Change) => !changed.some(({ row, column }) => row === change.row && column === change.column);
    const repairs = changed.length === 0 || open <= FEW ? (await repairsOf(core, now(), run)).filter(isNew) : [];
    const others = repairs.length ? repairs : useful(known, now()).filter(isNew);
    if (!others.length) return undefined;
    const best = repairs.length ? leastVisible(repairs, now()) : await bestOf(core, now(), others, run);
    changed.push(best);
    apply(best);
  }
  // The first changes are often superfluous in the end.
  const needed: Change[] = [];
  for (const change of changed) {
    const after = cells;
    apply({ ...change, colour: drawing.cells[change.row * columns + change.column] as number });
    if ((await judged(core, now(), run)).isUnique) continue;
    cells = after;
    needed.push(change);
  }
  return needed;
}

/** The changes that repair a drawing alone: those that make it line-solvable if there are any. */
function repairsOf(core: Core, drawing: Drawing, run: Run): Promise<Change[]> {
  return closing(core.judge(drawing), async (judge) => {
    await run((size) => judge.advance(4 * size) || judge.solutions === "several");
    return closing(judge.repairs(), async (map) => {
      await run((size) => map.advance(size) === 0);
      const effects = map.effects();
      const most = effects.reduce((best, effect) => Math.max(best, effect), 2);
      return Array.from(effects.keys()).filter((i) => effects[i] === most).map((i) => changeOf(i, drawing.columns, drawing.colours));
    });
  });
}

function changeOf(i: number, columns: number, colours: number): Change {
  const cell = Math.floor(i / colours);
  return { row: Math.floor(cell / columns), column: cell % columns, colour: i % colours };
}

function judged(core: Core, drawing: Drawing, run: Run) {
  return closing(core.judge(drawing), async (judge) => {
    await run((size) => judge.advance(4 * size) || judge.solutions !== "unknown");
    const known = Array.from(judge.known, (candidates) => (candidates & (candidates - 1n)) !== 0n);
    return { isUnique: judge.solutions === "one", open: known.filter(Boolean).length, known };
  });
}

/** Where line solving is stuck, it stays stuck unless a line with an open cell changes. */
function useful(isOpen: boolean[], { rows, columns, colours, cells }: Drawing): Change[] {
  const inRow = new Set<number>();
  const inColumn = new Set<number>();
  isOpen.forEach((open, cell) => {
    if (!open) return;
    inRow.add(Math.floor(cell / columns));
    inColumn.add(cell % columns);
  });
  return Array.from({ length: rows * columns * colours }, (_, i) => changeOf(i, columns, colours)).filter(
    ({ row, column, colour }) => (inRow.has(row) || inColumn.has(column)) && cells[row * columns + column] !== colour,
  );
}

/** The change after which the fewest cells stay open: the best of the best ones of each portion. */
async function bestOf(core: Core, drawing: Drawing, changes: Change[], run: Run): Promise<Change> {
  const best = (some: Change[]) => some[core.bestChange(drawing, some, Float64Array.from(some, (change) => visibility(change, drawing)), 1)] as Change;
  const winners: Change[] = [];
  let at = 0;
  await run(() => {
    if (at < changes.length) winners.push(best(changes.slice(at, at + PORTION)));
    at += PORTION;
    return at >= changes.length;
  });
  return best(winners);
}

function leastVisible(changes: Change[], drawing: Drawing): Change {
  return changes.reduce((best, change) => (visibility(change, drawing) < visibility(best, drawing) ? change : best));
}

/** 0 to .8: how few of the neighbours have the new colour; a rim that moves is seen less than a speck or a hole. */
function visibility({ row, column, colour }: Change, { rows, columns, cells }: Drawing): number {
  const beside = [[row - 1, column], [row + 1, column], [row, column - 1], [row, column + 1]] as const;
  const same = beside.filter(([r, c]) => (r < 0 || c < 0 || r >= rows || c >= columns ? 0 : cells[r * columns + c]) === colour);
  return 0.8 - 0.2 * same.length;
}
