/** Play a puzzle: marks, check, hint, timer, undo; what is marked is kept in the browser. */

import { CheckCheck, Lightbulb, Printer, Redo2, RotateCcw, Square, Undo2, X } from "lucide";
import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Board, Swatches } from "../board/board.tsx";
import { isSame, type Line, lineCells, OPEN, roomOf } from "../board/lines.ts";
import { begin, type History, push, redo, undo } from "../model/history.ts";
import type { Cell, Colour } from "../model/picture.ts";
import { colourName } from "../shared/colours.ts";
import { Button, Switch, ToolButton } from "../shared/controls.tsx";
import { language } from "../shared/language.ts";
import { LanguageChoice, ThemeSwitch } from "../shared/parts.tsx";
import { brokenLines, CROSS, crossedOut, doubted, finished, foundBlocks, marked, straight } from "./game.ts";
import { type Advice, type Adviser, keepSave, keptSave, type Puzzle, useOption } from "./puzzle.ts";
import type { PlayerTexts } from "./texts.ts";

type Tool = "fill" | "cross";

/** A stroke changes the cells that have the mark of its first cell. */
interface Stroke {
  base: Uint8Array;
  start: Cell;
  end: Cell;
  from: number;
  to: number;
  cells: Uint8Array;
}

interface Faults {
  lines: Line[];
  cells: Set<number>;
  /** Marks that may be wrong, where nobody knows which are. */
  doubts: number[];
}
/** The size of printed clues, in cells. */
const PRINTED = 0.55;
/** The stage of a hint that shows the cells. */
const CELLS = 2;
const NO_FAULTS: Faults = { lines: [], cells: new Set(), doubts: [] };

export function clock(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** On paper, in mm: what A4 and Letter share within margins of 10 mm, without the heading. */
function onPaper(puzzle: Puzzle): { cell: number; isWide: boolean } {
  const { rows, columns } = puzzle.clues;
  const { width, depth } = roomOf(puzzle.clues);
  const [upright = 0, wide = 0] = [[188, 232], [255, 164]].map(([across = 0, down = 0]) => Math.min(across / (columns.length + PRINTED * width), down / (rows.length + PRINTED * depth)));
  return { cell: Math.floor(100 * Math.max(upright, wide)) / 100, isWide: wide > upright };
}

export interface PlayerProps {
  puzzle: Puzzle;
  /** What to call it until it is solved, where its title would give it away. */
  name?: string;
  adviser?: Adviser | undefined;
  /** The number of the puzzle to go on with, in the address; 0 if there is none. */
  next?(): number;
  t: PlayerTexts;
  /** The heading of the puzzle; 1 on a page of its own. */
  level?: 1 | 2;
  /** What else can be done with it. */
  children?: ComponentChildren;
}

export function Player({ puzzle, name = "", adviser, next, t, level = 1, children }: PlayerProps) {
  const { clues, palette } = puzzle;
  const columns = clues.columns.length;
  const saved = useMemo(() => keptSave(puzzle), []);
  const [history, setHistory] = useState<History<Uint8Array>>(() => begin(saved?.cells ?? new Uint8Array(clues.rows.length * columns).fill(OPEN)));
  const [preview, setPreview] = useState<Uint8Array>();
  const [tool, setTool] = useState<Tool>("fill");
  const [colour, setColour] = useState(1);
  const [focus, setFocus] = useState<Cell>({ row: 0, column: 0 });
  const [seconds, setSeconds] = useState(saved?.seconds ?? 0);
  const [mistakes, setMistakes] = useState(saved?.mistakes ?? 0);
  const counted = useRef(saved?.counted ?? []);
  const [hints, setHints] = useState(saved?.hints ?? 0);
  const [faults, setFaults] = useState<Faults>(NO_FAULTS);
  const [advice, setAdvice] = useState<Advice & { stage: number }>();
  const [hasAutoCross, setAutoCross] = useOption("auto-cross");
  const [hasNoTimer, setNoTimer] = useOption("no-timer");
  const [isLive, setLive] = useOption("live-mistakes");
  const [points, setPoints] = useState<Uint8Array[]>([]);
  const [message, setMessage] = useState(saved && !saved.isSolved && saved.cells.some((cell) => cell !== OPEN) ? t.resumed : "");
  const stroke = useRef<Stroke | undefined>(undefined);
  const asked = useRef(0);

  const present = history.present;
  const cells = preview ?? present;
  const lines = clues.rows.length + columns;
  const done = useMemo(() => finished(clues, present), [present]);
  const solved = done === lines;
  const following = useMemo(() => (solved && next?.()) || 0, [solved]);
  const isBegun = history.past.length + history.future.length + seconds + mistakes > 0 || present.some((cell) => cell !== OPEN);
  const save = { cells: present, seconds, mistakes, counted: counted.current, hints, isSolved: solved };
  const kept = useRef(save);
  kept.current = save;

  // Before the page shows the change: the list of puzzles may come next, and reads what is kept.
  useLayoutEffect(() => {
    if (isBegun) keepSave(puzzle, kept.current);
  }, [present, mistakes, hints]);
  useEffect(() => {
    if (!isBegun || solved) return;
    const tick = setInterval(() => !document.hidden && setSeconds((before) => before + 1), 1000);
    const leave = () => keepSave(puzzle, kept.current);
    addEventListener("pagehide", leave);
    document.addEventListener("visibilitychange", leave);
    return () => {
      clearInterval(tick);
      leave();
      removeEventListener("pagehide", leave);
      document.removeEventListener("visibilitychange", leave);
    };
  }, [isBegun, solved]);

  const step = (next: (old: History<Uint8Array>) => History<Uint8Array>, said = "") => {
    asked.current++;
    if (!isLive) setFaults(NO_FAULTS);
    setAdvice(undefined);
    setMessage(said);
    setHistory(next);
  };
  const edit = (make: (cells: Uint8Array) => Uint8Array) => solved || step((old) => push(old, make(old.present)));
  const cross = (old: Uint8Array) => crossedOut(clues, old);

  const at = ({ row, column }: Cell) => row * columns + column;
  const press = (cell: Cell, isCross: boolean) => {
    setFocus(cell);
    if (solved) return;
    const wanted = isCross || tool === "cross" ? CROSS : colour;
    const from = present[at(cell)] ?? OPEN;
    stroke.current = { base: present, start: cell, end: cell, from, to: from === wanted ? OPEN : wanted, cells: present };
    drag(cell);
  };
  const drag = (cell: Cell) => {
    const now = stroke.current;
    if (!now) return;
    now.end = cell;
    setPreview((now.cells = marked(now.base, straight(now.start, cell).map(at), now.from, now.to)));
  };
  const cancel = () => {
    stroke.current = undefined;
    setPreview(undefined);
  };
  const release = () => {
    const done = stroke.current;
    cancel();
    if (done) edit(() => (hasAutoCross ? cross(done.cells) : done.cells));
  };
  /** Changes the mark of a cell to what `mark` makes of the marks, which may be newer than those on the screen. */
  const put = (cell: Cell, mark: (before: number, cells: Uint8Array) => number) =>
    edit((old) => marked(old, [at(cell)], old[at(cell)] ?? OPEN, mark(old[at(cell)] ?? OPEN, old)));
  const toggle = (cell: Cell, mark: number) => put(cell, (before) => (before === mark ? OPEN : mark));

  const keyed = (event: KeyboardEvent) => {
    const key = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (key === " " || key === "enter") toggle(focus, tool === "cross" ? CROSS : colour);
    else if (key === "x") toggle(focus, CROSS);
    else if (key === "delete" || key === "backspace" || key === "0") put(focus, () => OPEN);
    else if (/^[1-9]$/.test(key) && Number(key) < palette.length) setColour(Number(key));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const commanded = (event: KeyboardEvent) => {
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || (key !== "z" && key !== "y")) return;
    step(key === "y" || event.shiftKey ? redo : undo);
    event.preventDefault();
    event.stopPropagation();
  };

  /** Finds what is wrong; undefined if the marks have changed meanwhile. */
  const check = async (): Promise<Faults | undefined> => {
    const asking = ++asked.current;
    const lines = brokenLines(clues, present);
    const wrong = (await adviser?.wrong(present).catch(() => [])) ?? [];
    if (asking !== asked.current) return undefined;
    const found = { lines, cells: new Set(wrong), doubts: wrong.length ? [] : doubted(clues, present, lines) };
    const told = wrong.length ? wrong : lines.map(({ axis, index }) => `${axis} ${index}`);
    const isNew = told.some((one) => !counted.current.includes(one));
    counted.current = told;
    if (isNew) setMistakes((count) => count + 1);
    setFaults(found);
    setAdvice(undefined);
    return found;
  };
  // What is told already stays until the marks are checked again, so that it counts once.
  useEffect(() => {
    if (isLive && isBegun && !solved) void check();
  }, [isLive, present]);
  const tell = ({ lines, cells: wrong, doubts }: Faults) => t.faults(lines.map(t.line), wrong.size, doubts.length > 0);
  const checked = async () => {
    const found = await check();
    if (found) setMessage(tell(found) || (adviser ? t.noMistake : t.noContradiction));
  };
  /** Tells the next step, then its reason and its cells, and fills these in. */
  const hinted = async () => {
    if (advice) return advice.stage < CELLS ? setAdvice({ ...advice, stage: advice.stage + 1 }) : apply(advice);
    const found = await check();
    if (!found || !adviser) return;
    if (found.lines.length || found.cells.size) return setMessage(`${tell(found)} ${t.mendFirst}`);
    const asking = asked.current;
    const step = await adviser.hint(present).catch(() => undefined);
    if (asking !== asked.current) return;
    setAdvice(step && { ...step, stage: 0 });
    if (step) setHints((count) => count + 1);
    setMessage(step ? "" : t.noHint);
  };
  const apply = ({ cells: told }: Advice) =>
    edit((old) => {
      const next = old.slice();
      for (const { place, colour: mark } of told) next[place] = mark;
      return next;
    });
  /** Goes back to the last checkpoint, which is gone then; undo brings the marks back. */
  const back = (all: Uint8Array[]) => {
    const point = all.at(-1);
    if (point) step((old) => push(old, point));
    setPoints(all.slice(0, -1));
  };
  const restart = () => {
    step((old) => push(old, new Uint8Array(present.length).fill(OPEN)), t.restarted);
    setSeconds(0);
    setMistakes(0);
    setHints(0);
    counted.current = [];
  };

  const room = useMemo(() => roomOf(clues), [clues]);
  const marks = useMemo(() => {
    const told = new Map<number, string>(advice?.stage === CELLS ? advice.cells.map(({ place }) => [place, "hinted"]) : []);
    for (const place of faults.doubts) told.set(place, "ambiguous|?");
    for (const place of faults.cells) told.set(place, "wrong|!");
    return told;
  }, [advice, faults]);
  const say = useCallback((row: number, column: number, mark: number) => t.cell(row, column, markName(mark, palette, t)), [t, palette]);
  const lookOf = (line: Line) => ({
    found: foundBlocks((line.axis === "row" ? clues.rows : clues.columns)[line.index] ?? [], lineCells(cells, line, columns)),
    isWrong: faults.lines.some((one) => isSame(one, line)),
    isTold: isSame(line, advice?.line),
  });
  const run = stroke.current && preview ? { cell: stroke.current.end, length: straight(stroke.current.start, stroke.current.end).length } : undefined;
  const paper = onPaper(puzzle);
  const Heading = level === 1 ? "h1" : "h2";
  const helps = [adviser && ([Lightbulb, t.hint, hinted] as const), [CheckCheck, t.check, checked] as const].filter((help) => help !== undefined);
  return (
    <section class={`player bench${paper.isWide ? " wide" : ""}`} style={{ "--print-cell": `${paper.cell}mm` }} onKeyDown={commanded}>
      <div class="rail">
        <div role="group" aria-label={t.marks} class="tools">
          <ToolButton icon={Square} name={t.fill} isPressed={tool === "fill"} onClick={() => setTool("fill")} />
          <ToolButton icon={X} name={t.cross} title={`${t.cross} (X)`} isPressed={tool === "cross"} onClick={() => setTool("cross")} />
          <ToolButton icon={Undo2} name={t.undo} isDisabled={!history.past.length} onClick={() => step(undo)} />
          <ToolButton icon={Redo2} name={t.redo} isDisabled={!history.future.length} onClick={() => step(redo)} />
          <span class="thumb">
            {helps.map(([icon, label, act]) => (
              <ToolButton key={label} icon={icon} name={label} isDisabled={solved} onClick={act} />
            ))}
          </span>
        </div>
        {palette.length > 2 && (
          <Swatches label={t.colours} palette={palette} chosen={colour} onChoose={(chosen) => (setColour(chosen), setTool("fill"))} />
        )}
      </div>
      <div class="stage">
        <header class="player-head">
          <Heading>{(!solved && name) || puzzle.title || t.untitled}</Heading>
          <p class="about">{[t.size(clues.rows.length, columns), puzzle.author && t.by(puzzle.author), puzzle.licence].filter(Boolean).join(" · ")}</p>
          <p class="score" hidden={hasNoTimer}>
            {t.time} <span role="timer">{clock(seconds)}</span> · {t.mistakes} <span id="player-mistakes">{mistakes}</span>
          </p>
        </header>
      <Board
        label={t.grid(clues.rows.length, columns)}
        describedBy="player-help"
        {...{ clues, palette, cells, room, marks, lookOf, say, focus, run }}
        hasCrosses
        class={solved ? "solved" : ""}
        band={advice?.line}
        onFocus={setFocus}
        onKey={keyed}
        onMove={(to, from, isShift) => isShift && put(to, (_, marks) => marks[at(from)] ?? OPEN)}
        strokes={{ onPress: press, onDrag: drag, onRelease: release, onCancel: cancel, hasHold: true }}
      />
      </div>
      <div class="side">
        <div class="pair helps">
          {helps.map(([icon, label, act], i) => (
            <Button key={label} icon={icon} label={label} kind={adviser && !i && !advice ? "primary" : undefined} isDisabled={solved} onClick={act} />
          ))}
        </div>
        <div class="card message">
          <p role="status" id="player-status" class={solved ? "solved" : ""}>
            {solved ? t.solved(name && puzzle.title, clock(seconds), mistakes, hints) : message}
            {advice && !advice.stage && t.lookAt(advice.line && t.line(advice.line), advice.cells.length)}
            {advice && advice.stage > 0 && advice.line && `${t.line(advice.line)}: `}
            {advice && advice.stage > 0 && <span lang={advice.language}>{advice.text}</span>}
          </p>
          {!advice && !message && !solved && <span class="note">{t.finished(done, lines)}</span>}
          {advice && <Button label={t.stages[advice.stage] ?? ""} kind="primary" onClick={hinted} />}
          {following > 0 && <Button label={t.next} kind="primary" onClick={() => (location.hash = `${following}`)} />}
        </div>
        <div class="pair">
          <Button label={t.setPoint} isDisabled={!isBegun || solved || points.at(-1) === present} onClick={() => setPoints((old) => [...old, present])} />
          <Button label={t.goBack(points.length)} isDisabled={!points.length} onClick={() => back(points)} />
        </div>
        <div class="card options">
          <Switch label={t.autoCross} isOn={hasAutoCross} onChange={(isOn) => (setAutoCross(isOn), isOn && edit(cross))} />
          <Switch label={t.live} isOn={isLive} onChange={(isOn) => (setLive(isOn), setFaults(NO_FAULTS))} />
          <Switch label={t.showTimer} isOn={!hasNoTimer} onChange={(isOn) => setNoTimer(!isOn)} />
        </div>
        <div class="pair">
          <Button icon={Printer} label={t.print} kind="calm" onClick={() => print()} />
          <Button icon={RotateCcw} label={t.restart} kind="calm" isDisabled={!isBegun} onClick={restart} />
        </div>
        {level === 1 && (
          <div class="entry">
            <LanguageChoice />
            <ThemeSwitch />
          </div>
        )}
        {children}
        <p class="note" id="player-help">
          <span class="mouse">{t.howTo}</span>
          <span class="touch">{t.byFinger}</span>
        </p>
      </div>
    </section>
  );
}

function markName(mark: number, palette: Colour[], t: PlayerTexts): string {
  if (mark === OPEN) return t.open;
  if (mark === CROSS) return t.crossed;
  return palette.length > 2 ? colourName(palette[mark]?.name, language()) : t.filled;
}
