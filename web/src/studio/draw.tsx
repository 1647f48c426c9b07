/** The view that draws: the picture, its tools, and the verdict on the puzzle at once. */

import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { CircleCheck, CircleHelp, CircleX, type IconNode, LoaderCircle, Pencil } from "lucide";
import { Board, readableOn } from "../board/board.tsx";
import { useDrawnRoom } from "../board/lines.ts";
import { cellOf } from "../board/pointer.ts";
import type { Listener } from "../core/client.ts";
import { type Change, EFFECTS } from "../core/module.ts";
import type { Grade, Verdict } from "../core/records.ts";
import { Export } from "../exporting/panel.tsx";
import { type History, push } from "../model/history.ts";
import { at, type Cell, cluesOf, drawingOf, isPlain, line, type Mirror, paint, patch, type Picture } from "../model/picture.ts";
import { colourName } from "../shared/colours.ts";
import { Icon } from "../shared/controls.tsx";
import { useLanguage } from "../shared/language.ts";
import { Dots } from "../shared/parts.tsx";
import { Colours, Inks } from "./colours.tsx";
import { About, Effort, Field, type Repair, Repairs, repairsOf, Shape, type Tool, Tools } from "./panels.tsx";
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
const SIGNS = { simple: "★", unique: "☆" } as Record<string, string>;
const VERDICTS: Record<string, IconNode> = { one: CircleCheck, several: CircleHelp, none: CircleX };

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
  brush: Brush;
  setBrush(change: (old: Brush) => Brush): void;
  /** Whom the core tells what it finds. */
  listener: Listener;
  /** Another number when the core has done something else. */
  asks: number;
  /** Says something of the present picture, of the one that follows, or of any. */
  tell(text: string, about?: Picture | "any"): void;
  onStroke(): void;
}

export function DrawView({ core, listener, history, setHistory, brush, setBrush, asks, tell, onStroke }: DrawProps) {
  const t = useTexts().studio;
  const language = useLanguage();
  const { tool, mirror } = brush;
  const colour = Math.min(brush.colour, history.present.palette.length - 1);
  const setColour = (colour: number) => setBrush((old) => ({ ...old, colour }));
  const [preview, setPreview] = useState<Picture>();
  const [focus, setFocus] = useState<Cell>({ row: 0, column: 0 });
  const [wantsRepairs, setWantsRepairs] = useState(false);
  const [wantsHeat, setWantsHeat] = useState(false);
  const [graded, setGraded] = useState<{ cells: Uint8Array; grade: Grade }>();
  const [adapting, setAdapting] = useState<{ changes: number; open: number }>();
  const [adapted, setAdapted] = useState<{ cells: Uint8Array; changes: Change[]; text: string }>();
  const [judged, setJudged] = useState<Judged>({ picture: history.present, left: 0 });
  const stroke = useRef<Stroke | undefined>(undefined);
  const asked = useRef<Picture>(history.present);

  const picture = preview ?? history.present;
  const clues = useMemo(() => cluesOf(picture), [picture]);
  const isBlank = picture.cells.every((cell) => cell === 0);
  const room = useDrawnRoom(clues, preview !== undefined);
  useMemo(
    () =>
      Object.assign(listener, {
        verdict: (verdict: Verdict) => setJudged((old) => ({ ...(old.picture === asked.current ? old : { left: 0 }), picture: asked.current, verdict })),
        repairs: (effects: Uint8Array, left: number) => setJudged((old) => ({ ...old, picture: asked.current, effects, left })),
        died: (isAsking: boolean) => {
          setJudged({ picture: asked.current, left: 0, isFailed: !isAsking });
          tell(isAsking ? texts().studio.askedAgain : texts().studio.notJudged, "any");
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
  }, [picture.cells, picture.columns, picture.palette.length, wantsRepairs, asks]);

  const isFresh = judged.picture.cells === picture.cells && judged.picture.columns === picture.columns;
  const verdict = isFresh ? judged.verdict : undefined;
  const effects = isFresh && wantsRepairs ? judged.effects : undefined;
  const repairs = useMemo(() => effects && repairsOf(effects, picture), [effects, picture]);
  const [wished, setWished] = useState<Repair>();
  const chosen = repairs?.find(({ row, column, colour }) => row === wished?.row && column === wished.column && colour === wished.colour) ?? repairs?.[0];
  /** Shows the repair of a cell that is pointed at or focused. */
  const wish = (cell: Cell | undefined) => {
    const found = cell && repairs?.find(({ row, column }) => row === cell.row && column === cell.column);
    if (found) setWished(found);
  };
  const repair = ({ row, column, colour }: Repair) => change(paint(history.present, [{ row, column }], colour));
  const nameOf = (colour: number) => colourName(picture.palette[colour]?.name, language);
  const grade = !isBlank && graded?.cells === picture.cells ? graded.grade : undefined;
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
  const isAdapted = adapted?.cells === picture.cells;
  const marks = useMemo(() => {
    const changed = isAdapted ? adapted.changes.map(({ row, column }): [number, string] => [row * picture.columns + column, "hinted"]) : [];
    return new Map([...changed, ...marksOf(picture, ambiguous, repairs ?? [], chosen, heat)]);
  }, [picture.cells.length, picture.columns, ambiguous, repairs, chosen, heat, isAdapted]);
  const say = useCallback(
    (row: number, column: number, colour: number, mark: string) => {
      const effect = EFFECTS.find((name) => mark.includes(name)) ?? "none";
      const grade = /hard\|(.)/.exec(mark)?.[1];
      return t.cell(row, column, nameOf(colour), mark.startsWith("ambiguous"), effect) + (grade ? t.heat(grade === "!" ? undefined : Number(grade)) : "");
    },
    [t, picture.palette],
  );
  // The last verdict and its marks stay until the next one, so that nothing flickers while the author draws.
  const last = verdict ?? judged.verdict;
  const status = isBlank ? t.blank : last ? t.verdict(last) : isFresh && judged.isFailed ? t.notJudged : t.checking;
  const level = grade?.level && !isBlank && verdict ? grade.level : undefined;

  const change = (next: Picture) => setHistory((old) => push(old, next));
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
    if (!changes) return setAdapted({ cells: base.cells, changes: [], text: t.notAdapted });
    const next = changes.reduce((picture, change) => paint(picture, [change], change.colour), base);
    change(next);
    setAdapted({ cells: next.cells, changes, text: t.adapted(changes.map(({ row, column, colour }) => t.changed(row, column, nameOf(colour)))) });
  };

  const press = (cell: Cell, isOther = false) => {
    setFocus(cell);
    onStroke();
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
    cancel();
    // Another tab may have drawn meanwhile.
    if (now) setHistory((old) => push(old, paint(old.present, now.cells, now.colour, mirror)));
  };

  const cancel = () => {
    stroke.current = undefined;
    setPreview(undefined);
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
    else if (!isCommand && event.key.toLowerCase() === "r" && chosen) repair(chosen);
    else if (!isCommand && /^[0-9]$/.test(event.key) && Number(event.key) < picture.palette.length) setColour(Number(event.key));
    else if (!isCommand && TOOL_KEYS[event.key.toLowerCase()]) setBrush((old) => ({ ...old, tool: TOOL_KEYS[event.key.toLowerCase()] as Tool }));
    else return;
    event.preventDefault();
  };

  return (
    <div class="bench">
      <div class="rail">
        <Tools brush={brush} setBrush={setBrush} history={history} setHistory={setHistory} />
        <Inks picture={history.present} onChange={change} chosen={colour} onChoose={setColour} />
      </div>
      <section class="stage" style={chosen && offerOf(chosen, picture)} onPointerOver={(event) => event.pointerType === "mouse" && wish(cellOf(event.target as Element))}>
        <header>
          <h1>
            <Field label={t.title} value={picture.title} maxLength={200} placeholder={t.untitled} onCommit={(title) => change({ ...history.present, title })} />
          </h1>
          <p role="status" id="verdict" aria-busy={!verdict && !(isFresh && judged.isFailed)} class={last && !isBlank ? last.solutions : ""}>
            <Icon of={isBlank ? Pencil : ((last && VERDICTS[last.solutions]) ?? LoaderCircle)} />
            <span class="words" title={status}>
              {status}
              {level && ` · ${t.level(level)}`}
            </span>
            <Dots level={level} />
          </p>
        </header>
        <p class="credit">{[picture.author, picture.licence].filter(Boolean).join(" · ")}</p>
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
          onFocus={(cell) => {
            setFocus(cell);
            wish(cell);
          }}
          onKey={keyed}
          onMove={drag}
          strokes={{ onPress: press, onDrag: drag, onRelease: release, onCancel: cancel }}
          run={preview && stroke.current && runOf(stroke.current)}
        />
        <p class="note legend">{wantsHeat ? grade && t.heatLegend : marks.size > 0 && !isAdapted && (repairs?.length ? t.legend : t.ambiguous)}</p>
        <p class="note" id="help">{t.help}</p>
      </section>
      <div class="side">
        <Repairs
          {...{ picture, isBlank, repairs, chosen, adapting }}
          isWanted={wantsRepairs}
          isUnique={!isBlank && verdict?.solutions === "one"}
          left={judged.left}
          adapted={isAdapted ? adapted.text : ""}
          onAdapt={adapt}
          onWant={setWantsRepairs}
          onChoose={setWished}
          onApply={repair}
        />
        <Effort grade={grade} isUnique={!isBlank && last?.solutions === "one"} isWanted={wantsHeat} onWant={setWantsHeat} />
        <Export picture={history.present} certify={!isBlank && verdict?.isComplete && verdict.solutions === "one" ? () => core.certify(clues) : undefined} onSay={tell} />
        <Shape picture={history.present} onChange={change} />
        <Colours picture={history.present} onChange={change} />
        <About picture={history.present} onChange={change} />
      </div>
    </div>
  );
}

/** For each cell the grade of the technique that decides it, `STAYS_OPEN` if none does. */
function heatOf({ effort }: Grade, cells: number): Uint8Array {
  return Uint8Array.from({ length: cells }, (_, cell) => effort.grades[(effort.decidedIn[cell] ?? 0) - 1] ?? STAYS_OPEN);
}

/** What is marked in the cells, with its sign. */
function marksOf({ cells, columns }: Picture, ambiguous: Uint8Array, repairs: Repair[], chosen: Repair | undefined, heat: Uint8Array): Map<number, string> {
  const marks = new Map<number, string>();
  const placeOf = ({ row, column }: Cell) => row * columns + column;
  // Of the repairs of a cell the first is the best.
  const effects = new Map(repairs.toReversed().map((repair) => [placeOf(repair), repair.effect]));
  for (let place = 0; place < cells.length; place++) {
    const effect = effects.get(place);
    if (!ambiguous[place] && !effect && !heat[place]) continue;
    const grade = heat[place] ?? 0;
    const isOffered = chosen && placeOf(chosen) === place;
    const looks = [ambiguous[place] && "ambiguous", effect, isOffered && "offered", grade >= HARD && "hard"].filter(Boolean);
    if (looks.length) marks.set(place, `${looks.join(" ")}|${(effect && SIGNS[effect]) ?? (ambiguous[place] ? "?" : grade === STAYS_OPEN ? "!" : grade)}`);
  }
  return marks;
}

/** The colour that a repair gives its cell, for the style sheet. */
function offerOf({ colour }: Repair, { palette }: Picture): Record<string, string> {
  const rgb = palette[colour]?.rgb ?? "";
  return isPlain(palette) ? { "--offer": `var(--${colour ? "ink" : "paper"})`, "--on-offer": `var(--${colour ? "paper" : "ink"})` } : { "--offer": rgb, "--on-offer": readableOn(rgb) };
}

/** How long a straight stroke is. */
function runOf({ start, last }: Stroke): { cell: Cell; length: number } {
  const [down, right] = [Math.abs(last.row - start.row), Math.abs(last.column - start.column)];
  return { cell: last, length: down && right ? 1 : down + right + 1 };
}
