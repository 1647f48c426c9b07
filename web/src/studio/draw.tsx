/** The view that draws: the picture, its tools, and the verdict on the puzzle at once. */

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Listener } from "../core/client.ts";
import type { Verdict } from "../core/messages.ts";
import type { Drawing } from "../core/module.ts";
import type { Grade } from "../core/records.ts";
import { FilesPanel } from "../importing/panel.tsx";
import { type History, push, redo, undo } from "../model/history.ts";
import { at, type Cell, cluesOf, line, type Mirror, paint, patch, type Picture } from "../model/picture.ts";
import { focusOn, Grid, OPEN } from "./grid.tsx";
import { Colours, Effort, Inks, Repairs, Size, Title, type Tool, Tools } from "./panels.tsx";
import { useTexts } from "../texts/language.ts";
import type { ViewProps } from "./views.ts";

const NOTHING = new Uint8Array(0);
/** How long the author must pause before the puzzle is graded, in ms. */
const PAUSE = 250;
const TOOL_KEYS: Record<string, Tool> = { p: "pen", f: "fill", l: "line" };
const MOVES: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, -Infinity],
  End: [0, Infinity],
  PageUp: [-Infinity, 0],
  PageDown: [Infinity, 0],
};

/** A stroke of the pointer, or a line begun by the keyboard: one step of undo. */
interface Stroke {
  base: Picture;
  start: Cell;
  last: Cell;
  cells: Cell[];
  colour: number;
}

interface Judged {
  picture: Picture;
  verdict?: Verdict;
  effects?: Uint8Array;
  left: number;
}

const fitting = (columns: number) => Math.max(14, Math.min(32, Math.floor((Math.min(innerWidth, 760) - 110) / columns)));

/** What the author has chosen to draw with. */
export interface Brush {
  tool: Tool;
  colour: number;
  mirror: Mirror;
}

export interface DrawProps extends ViewProps {
  history: History<Picture>;
  setHistory(change: (old: History<Picture>) => History<Picture>): void;
  brush: Brush;
  setBrush(change: (old: Brush) => Brush): void;
  /** Whom the core tells what it finds. */
  listener: Listener;
  /** Why the page did not open what its address has. */
  problem: string;
}

export function DrawView({ core, listener, history, setHistory, brush, setBrush, problem }: DrawProps) {
  const t = useTexts().studio;
  const { tool, colour, mirror } = brush;
  const setColour = (colour: number) => setBrush((old) => ({ ...old, colour }));
  const [preview, setPreview] = useState<Picture>();
  const [message, setMessage] = useState({ text: problem, about: history.present });
  const [focus, setFocus] = useState<Cell>({ row: 0, column: 0 });
  const [cellSize, setCellSize] = useState(() => fitting(history.present.columns));
  const [wantsRepairs, setWantsRepairs] = useState(false);
  const [wantsHeat, setWantsHeat] = useState(false);
  const [graded, setGraded] = useState<{ cells: Uint8Array; grade: Grade }>();
  const [adapting, setAdapting] = useState<{ changes: number; open: number }>();
  const [judged, setJudged] = useState<Judged>({ picture: history.present, left: 0 });
  const stroke = useRef<Stroke | undefined>(undefined);
  const asked = useRef<Picture>(history.present);

  const picture = preview ?? history.present;
  const clues = useMemo(() => cluesOf(picture), [picture]);
  // A message is about a picture, and goes with it.
  const said = message.about === history.present ? message.text : "";
  const present = useRef(history.present);
  present.current = history.present;
  const say = (text: string, about = present.current) => setMessage({ text, about });
  useMemo(
    () =>
      Object.assign(listener, {
        verdict: (verdict: Verdict) => setJudged((old) => ({ ...(old.picture === asked.current ? old : { left: 0 }), picture: asked.current, verdict })),
        repairs: (effects: Uint8Array, left: number) => setJudged((old) => ({ ...old, picture: asked.current, effects, left })),
        failed: (reason: string) => say(reason),
      }),
    [listener],
  );
  const ask = () => core.judge(drawingOf(picture), wantsRepairs);
  // At once, not after the next frame is painted.
  useLayoutEffect(() => {
    asked.current = picture;
    setAdapting(undefined);
    ask();
  }, [picture.cells, picture.columns, picture.palette.length, wantsRepairs]);

  const isFresh = judged.picture.cells === picture.cells && judged.picture.columns === picture.columns;
  const verdict = isFresh ? judged.verdict : undefined;
  const effects = isFresh && wantsRepairs ? judged.effects : undefined;
  const best = useMemo(() => bestEffects(effects, picture), [effects, picture]);
  const grade = graded?.cells === picture.cells ? graded.grade : undefined;
  const heat = useMemo(() => (wantsHeat && grade ? heatOf(grade, picture.cells.length) : NOTHING), [wantsHeat, grade]);
  // Once nothing else is to be known, and the author pauses.
  const isRepairing = wantsRepairs && verdict?.open !== 0 && (!effects || judged.left > 0);
  useEffect(() => {
    if (!verdict?.isComplete || verdict.solutions !== "one" || isRepairing || adapting) return;
    const report = (grade: Grade) => setGraded({ cells: picture.cells, grade });
    // Whatever else was asked meanwhile comes first.
    const { latest } = core;
    const timer = setTimeout(() => core.latest === latest && core.grade(clues, report).then(report, () => {}), PAUSE);
    return () => clearTimeout(timer);
  }, [verdict?.isComplete, picture.cells, isRepairing]);
  const isBlank = picture.cells.every((cell) => cell === 0);
  // The last verdict and its marks stay until the next one, so that nothing flickers while the author draws.
  const last = verdict ?? judged.verdict;
  const status = isBlank ? t.blank : last ? `${t.verdict(last)}${grade?.level ? ` ${t.level(grade.level)}` : ""}` : t.checking;

  const change = (next: Picture) => setHistory((old) => push(old, next));
  const replace = (next: Picture) => {
    change(next);
    setFocus({ row: 0, column: 0 });
    setColour(1);
    setCellSize(fitting(next.columns));
  };

  const adapt = async () => {
    if (adapting) {
      setAdapting(undefined);
      ask();
      return;
    }
    const base = history.present;
    setAdapting({ changes: 0, open: 0 });
    const changes = await core.adapt(drawingOf(base), (changes, open) => setAdapting({ changes, open })).catch(() => undefined);
    setAdapting(undefined);
    if (!changes) return say(t.notAdapted);
    const adapted = changes.reduce((picture, change) => paint(picture, [change], change.colour), base);
    change(adapted);
    const named = changes.map(({ row, column, colour }) => t.changed(row, column, base.palette[colour]?.name ?? ""));
    say(t.adapted(named), adapted);
  };

  const press = (cell: Cell) => {
    setFocus(cell);
    const base = history.present;
    if (tool === "fill") return change(paint(base, patch(base, cell), colour, mirror));
    const isErasing = tool === "pen" && at(base, cell) === colour;
    stroke.current = { base, start: cell, last: cell, cells: [cell], colour: isErasing ? 0 : colour };
    setPreview(paint(base, [cell], stroke.current.colour, mirror));
  };
  const drag = (cell: Cell) => {
    const now = stroke.current;
    if (!now || (cell.row === now.last.row && cell.column === now.last.column)) return;
    now.cells = tool === "line" ? line(now.start, cell) : [...now.cells, ...line(now.last, cell)];
    now.last = cell;
    setPreview(paint(now.base, now.cells, now.colour, mirror));
  };
  const release = () => {
    const now = stroke.current;
    stroke.current = undefined;
    setPreview(undefined);
    if (now) change(paint(now.base, now.cells, now.colour, mirror));
  };

  const cancel = () => {
    stroke.current = undefined;
    setPreview(undefined);
    say("");
  };

  const keyed = (event: KeyboardEvent) => {
    const move = MOVES[event.key];
    const isCommand = event.ctrlKey || event.metaKey;
    if (move) {
      const clamp = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));
      const next = { row: clamp(focus.row + move[0], picture.rows), column: clamp(focus.column + move[1], picture.columns) };
      focusOn(event.currentTarget as Element, next);
      drag(next);
    } else if (event.key === " " || event.key === "Enter") {
      if (stroke.current) release();
      else press(focus);
      if (tool === "pen") release();
      else if (stroke.current) say(t.lineStarted);
    } else if (event.key === "Escape" && stroke.current) cancel();
    else if (event.key === "Delete" || event.key === "Backspace") change(paint(history.present, [focus], 0, mirror));
    else if (!isCommand && /^[0-9]$/.test(event.key) && Number(event.key) < picture.palette.length) setColour(Number(event.key));
    else if (!isCommand && TOOL_KEYS[event.key.toLowerCase()]) setBrush((old) => ({ ...old, tool: TOOL_KEYS[event.key.toLowerCase()] as Tool }));
    else return;
    event.preventDefault();
  };

  return (
    <>
      <p role="status" id="verdict" aria-busy={!verdict} class={last && !isBlank ? last.solutions : ""}>
        {status} {said && <span class="said">{said}</span>}
      </p>
      <div class="studio">
        <section>
          <Tools
            tool={tool}
            mirror={mirror}
            canUndo={history.past.length > 0}
            canRedo={history.future.length > 0}
            onTool={(tool) => setBrush((old) => ({ ...old, tool }))}
            onMirror={(mirror) => setBrush((old) => ({ ...old, mirror }))}
            onUndo={() => setHistory(undo)}
            onRedo={() => setHistory(redo)}
            onClear={() => change({ ...history.present, cells: new Uint8Array(picture.cells.length) })}
          />
          <Inks picture={history.present} onChange={change} chosen={colour} onChoose={setColour} />
          <Grid
            picture={picture}
            clues={clues}
            ambiguous={last?.ambiguous.length === picture.cells.length ? last.ambiguous : NOTHING}
            effects={best}
            heat={heat}
            focus={{ row: Math.min(focus.row, picture.rows - 1), column: Math.min(focus.column, picture.columns - 1) }}
            cellSize={cellSize}
            onFocus={setFocus}
            onPress={press}
            onDrag={drag}
            onRelease={release}
            onCancel={cancel}
            onKey={keyed}
          />
          <p class="note">{t.legend}</p>
          {wantsHeat && <p class="note">{t.heatLegend}</p>}
          <p class="note" id="help">
            {t.help}
          </p>
        </section>
        <div class="panels">
        <Repairs
          picture={picture}
          isWanted={wantsRepairs}
          isUnique={verdict?.solutions === "one"}
          effects={effects}
          left={judged.left}
          adapting={adapting}
          onAdapt={adapt}
          onWant={setWantsRepairs}
          onApply={({ row, column, colour }) => change(paint(history.present, [{ row, column }], colour))}
        />
        <Effort grade={grade} isWanted={wantsHeat} onWant={setWantsHeat} />
        <Colours picture={history.present} onChange={change} />
        <Size picture={history.present} onChange={change} cellSize={cellSize} onCellSize={setCellSize} />
        <Title title={history.present.title} onTitle={(title) => change({ ...history.present, title })} />
        <FilesPanel picture={history.present} core={core} onOpen={replace} onSay={say} />
        </div>
      </div>
    </>
  );
}

const drawingOf = ({ rows, columns, palette, cells }: Picture): Drawing => ({ rows, columns, colours: palette.length, cells });

/** For each cell the grade of the technique that decides it, `OPEN` if none does. */
function heatOf({ effort }: Grade, cells: number): Uint8Array {
  return Uint8Array.from({ length: cells }, (_, cell) => effort.grades[(effort.decidedIn[cell] ?? 0) - 1] ?? OPEN);
}

/** The best effect of the changes of each cell. */
function bestEffects(effects: Uint8Array | undefined, { cells, palette }: Picture): Uint8Array {
  const colours = palette.length;
  if (effects?.length !== cells.length * colours) return NOTHING;
  return cells.map((_, cell) => {
    const best = Math.max(...effects.subarray(cell * colours, (cell + 1) * colours));
    return best > 1 ? best : 0;
  });
}
