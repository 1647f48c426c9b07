/** The view that draws: the picture, its tools, and the verdict on the puzzle at once. */

import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Board } from "../board/board.tsx";
import { useDrawnRoom } from "../board/lines.ts";
import type { Listener } from "../core/client.ts";
import type { Verdict } from "../core/messages.ts";
import { type Drawing, EFFECTS } from "../core/module.ts";
import type { Grade } from "../core/records.ts";
import { FilesPanel } from "../importing/panel.tsx";
import { type History, push, redo, undo } from "../model/history.ts";
import { at, type Cell, cluesOf, line, type Mirror, paint, patch, type Picture } from "../model/picture.ts";
import { Colours, Effort, Inks, Repairs, Size, Title, type Tool, Tools } from "./panels.tsx";
import { texts, useTexts } from "../texts/language.ts";
import type { ViewProps } from "./views.ts";

const NOTHING = new Uint8Array(0);
/** How long the author must pause before the puzzle is graded, in ms. */
const PAUSE = 250;
const TOOL_KEYS: Record<string, Tool> = { p: "pen", f: "fill", l: "line" };
/** Beyond the grades of techniques: a cell that stays open. */
const STAYS_OPEN = 6;
/** The least grade that is shown. */
const HARD = 2;
const SIGNS = { simple: "●", unique: "○" } as Record<string, string>;

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
  isFailed?: boolean;
}

/** What the author has chosen to draw with. */
export interface Brush {
  tool: Tool;
  colour: number;
  mirror: Mirror;
}

export interface DrawProps extends ViewProps {
  history: History<Picture>;
  setHistory(change: (old: History<Picture>) => History<Picture>): void;
  /** Opens another picture, as a drawing of its own. */
  onOpen(picture: Picture): void;
  brush: Brush;
  setBrush(change: (old: Brush) => Brush): void;
  /** Whom the core tells what it finds. */
  listener: Listener;
  /** Why the page did not open what its address has. */
  problem: string;
}

export function DrawView({ core, listener, history, setHistory, onOpen, brush, setBrush, problem }: DrawProps) {
  const t = useTexts().studio;
  const { tool, colour, mirror } = brush;
  const setColour = (colour: number) => setBrush((old) => ({ ...old, colour }));
  const [preview, setPreview] = useState<Picture>();
  const [message, setMessage] = useState<{ text: string; about?: Picture }>({ text: problem, about: history.present });
  const [focus, setFocus] = useState<Cell>({ row: 0, column: 0 });
  const [wantsRepairs, setWantsRepairs] = useState(false);
  const [wantsHeat, setWantsHeat] = useState(false);
  const [graded, setGraded] = useState<{ cells: Uint8Array; grade: Grade }>();
  const [adapting, setAdapting] = useState<{ changes: number; open: number }>();
  const [judged, setJudged] = useState<Judged>({ picture: history.present, left: 0 });
  const stroke = useRef<Stroke | undefined>(undefined);
  const asked = useRef<Picture>(history.present);

  const picture = preview ?? history.present;
  const clues = useMemo(() => cluesOf(picture), [picture]);
  const room = useDrawnRoom(clues, preview !== undefined);
  // A message about a picture goes with it, another one with the next stroke.
  const said = !message.about || message.about === history.present ? message.text : "";
  const present = useRef(history.present);
  present.current = history.present;
  const tell = (text: string, about = present.current) => setMessage({ text, about });
  useMemo(
    () =>
      Object.assign(listener, {
        verdict: (verdict: Verdict) => setJudged((old) => ({ ...(old.picture === asked.current ? old : { left: 0 }), picture: asked.current, verdict })),
        repairs: (effects: Uint8Array, left: number) => setJudged((old) => ({ ...old, picture: asked.current, effects, left })),
        failed: (reason: string) => tell(reason),
        died: (isAsking: boolean) => {
          setJudged({ picture: asked.current, left: 0, isFailed: !isAsking });
          setMessage({ text: isAsking ? texts().studio.askedAgain : texts().studio.notJudged });
        },
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
  const ambiguous = judged.verdict?.ambiguous.length === picture.cells.length ? judged.verdict.ambiguous : NOTHING;
  const marks = useMemo(() => marksOf(picture.cells.length, ambiguous, best, heat), [picture.cells.length, ambiguous, best, heat]);
  const say = useCallback(
    (row: number, column: number, colour: number, mark: string) => {
      const effect = EFFECTS.find((name) => mark.includes(name)) ?? "none";
      const grade = /hard\|(.)/.exec(mark)?.[1];
      return t.cell(row, column, picture.palette[colour]?.name ?? "", mark.startsWith("ambiguous"), effect) + (grade ? t.heat(grade === "!" ? undefined : Number(grade)) : "");
    },
    [t, picture.palette],
  );
  const isBlank = picture.cells.every((cell) => cell === 0);
  // The last verdict and its marks stay until the next one, so that nothing flickers while the author draws.
  const last = verdict ?? judged.verdict;
  const status = isBlank ? t.blank : last ? `${t.verdict(last)}${grade?.level ? ` ${t.level(grade.level)}` : ""}` : isFresh && judged.isFailed ? t.notJudged : t.checking;

  const change = (next: Picture) => setHistory((old) => push(old, next));
  const replace = (next: Picture) => {
    onOpen(next);
    setFocus({ row: 0, column: 0 });
    setColour(1);
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
    if (!changes) return tell(t.notAdapted);
    const adapted = changes.reduce((picture, change) => paint(picture, [change], change.colour), base);
    change(adapted);
    const named = changes.map(({ row, column, colour }) => t.changed(row, column, base.palette[colour]?.name ?? ""));
    tell(t.adapted(named), adapted);
  };

  const press = (cell: Cell, isOther = false) => {
    setFocus(cell);
    if (!message.about) tell("");
    const base = history.present;
    if (tool === "fill") return change(paint(base, patch(base, cell), isOther ? 0 : colour, mirror));
    const isErasing = isOther || (tool === "pen" && at(base, cell) === colour);
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
    // Another tab may have drawn meanwhile.
    if (now) setHistory((old) => push(old, paint(old.present, now.cells, now.colour, mirror)));
  };

  const cancel = () => {
    stroke.current = undefined;
    setPreview(undefined);
    tell("");
  };

  const keyed = (event: KeyboardEvent) => {
    const isCommand = event.ctrlKey || event.metaKey;
    if (event.key === " " || event.key === "Enter") {
      if (stroke.current) release();
      else press(focus);
      if (tool === "pen") release();
      else if (stroke.current) tell(t.lineStarted);
    } else if (event.key === "Escape" && stroke.current) cancel();
    else if (event.key === "Delete" || event.key === "Backspace") change(paint(history.present, [focus], 0, mirror));
    else if (!isCommand && /^[0-9]$/.test(event.key) && Number(event.key) < picture.palette.length) setColour(Number(event.key));
    else if (!isCommand && TOOL_KEYS[event.key.toLowerCase()]) setBrush((old) => ({ ...old, tool: TOOL_KEYS[event.key.toLowerCase()] as Tool }));
    else return;
    event.preventDefault();
  };

  return (
    <>
      <div class="bench">
        <div class="rail">
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
        </div>
        <section class="stage">
      <p role="status" id="verdict" aria-busy={!verdict && !(isFresh && judged.isFailed)} class={last && !isBlank ? last.solutions : ""}>
          <span class="words">{status}</span> {said && <span class="said">{said}</span>}
        </p>
          <Board
            label={t.picture(picture.rows, picture.columns)}
            describedBy="help"
            clues={clues}
            palette={picture.palette}
            cells={picture.cells}
            room={room}
            marks={marks}
            lookOf={() => ({})}
            say={say}
            focus={{ row: Math.min(focus.row, picture.rows - 1), column: Math.min(focus.column, picture.columns - 1) }}
            onFocus={setFocus}
            onKey={keyed}
            onMove={drag}
            strokes={{ onPress: press, onDrag: drag, onRelease: release, onCancel: cancel }}
            run={preview && stroke.current && runOf(stroke.current)}
          />
          <p class="note">{wantsHeat ? t.heatLegend : t.legend}</p>
          <p class="note" id="help">
            {t.help}
          </p>
        </section>
        <div class="side">
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
        <Size picture={history.present} onChange={change} />
        <Title title={history.present.title} onTitle={(title) => change({ ...history.present, title })} />
        <FilesPanel picture={history.present} core={core} onOpen={replace} onSay={tell} />
        </div>
      </div>
    </>
  );
}

const drawingOf = ({ rows, columns, palette, cells }: Picture): Drawing => ({ rows, columns, colours: palette.length, cells });

/** For each cell the grade of the technique that decides it, `STAYS_OPEN` if none does. */
function heatOf({ effort }: Grade, cells: number): Uint8Array {
  return Uint8Array.from({ length: cells }, (_, cell) => effort.grades[(effort.decidedIn[cell] ?? 0) - 1] ?? STAYS_OPEN);
}

/** What is marked in the cells, with its sign. */
function marksOf(cells: number, ambiguous: Uint8Array, effects: Uint8Array, heat: Uint8Array): Map<number, string> {
  const marks = new Map<number, string>();
  for (let place = 0; place < cells; place++) {
    const effect = EFFECTS[effects[place] ?? 0] ?? "none";
    const grade = heat[place] ?? 0;
    const looks = [ambiguous[place] && "ambiguous", SIGNS[effect] && effect, grade >= HARD && "hard"].filter(Boolean);
    if (looks.length) marks.set(place, `${looks.join(" ")}|${SIGNS[effect] ?? (ambiguous[place] ? "?" : grade === STAYS_OPEN ? "!" : grade)}`);
  }
  return marks;
}

/** How long a straight stroke is. */
function runOf({ start, last }: Stroke): { cell: Cell; length: number } {
  const [down, right] = [Math.abs(last.row - start.row), Math.abs(last.column - start.column)];
  return { cell: last, length: down && right ? 1 : down + right + 1 };
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
