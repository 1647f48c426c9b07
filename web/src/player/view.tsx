/** Play a puzzle: marks, check, hint, timer, undo; what is marked is kept in the browser. */

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { begin, type History, push, redo, undo } from "../model/history.ts";
import type { Cell } from "../model/picture.ts";
import type { Advice, Adviser } from "./advice.ts";
import { Board, cellOf, focusOn, inkClass, type Tool } from "./board.tsx";
import { brokenLines, CROSS, isSolved, type Line, marked, OPEN, straight } from "./game.ts";
import { clueRoom, type Puzzle } from "./puzzle.ts";
import { keepSave, keptSave } from "./saves.ts";
import type { PlayerTexts } from "./texts.ts";

const [LEAST_CELL, MOST_CELL] = [12, 64];
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

/** A stroke changes the cells that have the mark of its first cell. */
interface Stroke {
  base: Uint8Array;
  start: Cell;
  from: number;
  to: number;
  cells: Uint8Array;
}

interface Faults {
  lines: Line[];
  cells: Set<number>;
}
const NO_FAULTS: Faults = { lines: [], cells: new Set() };

export function clock(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** The side of cells with which the puzzle fits into a width and a height, all in the same unit. */
function fitting(puzzle: Puzzle, width: number, height: number): number {
  const { rows, columns } = puzzle.clues;
  const room = clueRoom(puzzle);
  return Math.min(width / (columns.length + 0.55 * room.width), height / (rows.length + 0.55 * room.depth));
}

function onScreen(puzzle: Puzzle): number {
  const cell = Math.floor(fitting(puzzle, Math.min(innerWidth, 1200) - 40, Math.max(240, innerHeight - 260)));
  return Math.max(matchMedia("(pointer: coarse)").matches ? 22 : 16, Math.min(36, cell));
}

/** On paper, in mm: what A4 and Letter share within margins of 10 mm, without the heading. */
function onPaper(puzzle: Puzzle): { cell: number; isWide: boolean } {
  const [upright, wide] = [fitting(puzzle, 188, 232), fitting(puzzle, 255, 164)];
  return { cell: Math.floor(100 * Math.max(upright, wide)) / 100, isWide: wide > upright };
}

/** Whether the page is dark: as the reader has set it here, else as the system is. */
function isDarkNow(): boolean {
  const chosen = document.documentElement.style.colorScheme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

export interface PlayerProps {
  puzzle: Puzzle;
  adviser?: Adviser;
  t: PlayerTexts;
  /** The heading of the puzzle; 1 on a page of its own. */
  level?: 1 | 2;
}

export function Player({ puzzle, adviser, t, level = 1 }: PlayerProps) {
  const { clues, palette } = puzzle;
  const columns = clues.columns.length;
  const saved = useMemo(() => keptSave(puzzle), []);
  const [history, setHistory] = useState<History<Uint8Array>>(() =>
    begin(saved?.cells ?? new Uint8Array(clues.rows.length * columns).fill(OPEN)),
  );
  const [preview, setPreview] = useState<Uint8Array>();
  const [tool, setTool] = useState<Tool>("fill");
  const [colour, setColour] = useState(1);
  const [focus, setFocus] = useState<Cell>({ row: 0, column: 0 });
  const [cellSize, setCellSize] = useState(() => onScreen(puzzle));
  const [seconds, setSeconds] = useState(saved?.seconds ?? 0);
  const [mistakes, setMistakes] = useState(saved?.mistakes ?? 0);
  const [faults, setFaults] = useState<Faults>(NO_FAULTS);
  const [advice, setAdvice] = useState<Advice>();
  const [message, setMessage] = useState(saved && !saved.isSolved && saved.cells.some((cell) => cell !== OPEN) ? t.resumed : "");
  const [isDark, setDark] = useState(isDarkNow);
  const stroke = useRef<Stroke | undefined>(undefined);
  const asked = useRef(0);

  const present = history.present;
  const cells = preview ?? present;
  const solved = useMemo(() => isSolved(clues, present), [present]);
  const isBegun = history.past.length > 0 || present.some((cell) => cell !== OPEN);
  const kept = useRef({ cells: present, seconds, mistakes, isSolved: solved });
  kept.current = { cells: present, seconds, mistakes, isSolved: solved };

  // Before the page shows the change: the list of puzzles may come next, and reads what is kept.
  useLayoutEffect(() => {
    if (isBegun) keepSave(puzzle, kept.current);
  }, [present, mistakes]);
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
    setFaults(NO_FAULTS);
    setAdvice(undefined);
    setMessage(said);
    setHistory(next);
  };
  const edit = (make: (cells: Uint8Array) => Uint8Array) => solved || step((old) => push(old, make(old.present)));

  const at = ({ row, column }: Cell) => row * columns + column;
  const press = (cell: Cell, isCross: boolean) => {
    setFocus(cell);
    if (solved) return;
    const wanted = isCross || tool === "cross" ? CROSS : colour;
    const from = present[at(cell)] ?? OPEN;
    stroke.current = { base: present, start: cell, from, to: from === wanted ? OPEN : wanted, cells: present };
    drag(cell);
  };
  const drag = (cell: Cell) => {
    const now = stroke.current;
    if (now) setPreview((now.cells = marked(now.base, straight(now.start, cell).map(at), now.from, now.to)));
  };
  const cancel = () => {
    stroke.current = undefined;
    setPreview(undefined);
  };
  const release = () => {
    const done = stroke.current;
    cancel();
    if (done) edit(() => done.cells);
  };
  /** Changes the mark of a cell to what `mark` makes of the marks, which may be newer than those on the screen. */
  const put = (cell: Cell, mark: (before: number, cells: Uint8Array) => number) =>
    edit((old) => marked(old, [at(cell)], old[at(cell)] ?? OPEN, mark(old[at(cell)] ?? OPEN, old)));
  const toggle = (cell: Cell, mark: number) => put(cell, (before) => (before === mark ? OPEN : mark));

  const keyed = (event: KeyboardEvent) => {
    const here = cellOf(event.target as Element) ?? focus;
    const move = MOVES[event.key];
    const key = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (move) {
      const clamp = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));
      const next = { row: clamp(here.row + move[0], clues.rows.length), column: clamp(here.column + move[1], columns) };
      if (event.shiftKey) put(next, (_, marks) => marks[at(here)] ?? OPEN);
      focusOn(event.currentTarget as Element, next);
    } else if (key === " " || key === "enter") toggle(here, tool === "cross" ? CROSS : colour);
    else if (key === "x") toggle(here, CROSS);
    else if (key === "delete" || key === "backspace" || key === "0") put(here, () => OPEN);
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
    const found = { lines, cells: new Set(wrong) };
    // Those that were told before count once.
    const isNew = ({ axis, index }: Line) => !faults.lines.some((line) => line.axis === axis && line.index === index);
    setMistakes((count) => count + (wrong.length ? wrong.filter((place) => !faults.cells.has(place)).length : lines.filter(isNew).length));
    setFaults(found);
    setAdvice(undefined);
    return found;
  };
  const tell = ({ lines, cells: wrong }: Faults) => t.faults(lines.map(t.line), wrong.size);
  const checked = async () => {
    const found = await check();
    if (found) setMessage(tell(found) || (adviser ? t.noMistake : t.noContradiction));
  };
  const hinted = async () => {
    const found = await check();
    if (!found || !adviser) return;
    if (found.lines.length || found.cells.size) return setMessage(`${tell(found)} ${t.mendFirst}`);
    const asking = asked.current;
    const next = await adviser.hint(present).catch(() => undefined);
    if (asking !== asked.current) return;
    setAdvice(next);
    setMessage(next ? "" : t.noHint);
  };
  const apply = ({ cells: told }: Advice) =>
    edit((old) => {
      const next = old.slice();
      for (const { place, colour: mark } of told) next[place] = mark;
      return next;
    });
  const restart = () => {
    step((old) => push(old, new Uint8Array(present.length).fill(OPEN)), t.restarted);
    setSeconds(0);
    setMistakes(0);
  };

  const zoom = (factor: number) => setCellSize((size) => Math.max(LEAST_CELL, Math.min(MOST_CELL, size * factor)));
  const clueText = (line: Line) => {
    const blocks = (line.axis === "row" ? clues.rows : clues.columns)[line.index] ?? [];
    const said = blocks.map(({ length, colour: ink }) => (palette.length > 2 ? `${length} ${palette[ink]?.name}` : length));
    return t.clue(line, said.join(palette.length > 2 ? ", " : " ") || t.empty);
  };
  const paper = onPaper(puzzle);
  const Heading = level === 1 ? "h1" : "h2";
  const button = (label: string, act: () => void, isDisabled = false) => (
    <button type="button" disabled={isDisabled} onClick={act}>
      {label}
    </button>
  );
  return (
    <section
      class={`player${paper.isWide ? " wide" : ""}`}
      style={{ "--print-cell": `${paper.cell}mm` }}
      onKeyDown={commanded}
    >
      <header class="player-head">
        <Heading>{puzzle.title || t.untitled}</Heading>
        <p class="about">
          {[t.size(clues.rows.length, columns), puzzle.author && t.by(puzzle.author), puzzle.licence].filter(Boolean).join(" · ")}
        </p>
        <p class="score">
          {t.time} <span role="timer">{clock(seconds)}</span> · {t.mistakes} <span id="player-mistakes">{mistakes}</span>
        </p>
        <p role="status" id="player-status" class={solved ? "solved" : ""}>
          {solved ? t.solved(clock(seconds), mistakes) : message}
          {advice?.line && `${t.line(advice.line)}: `}
          {advice && <span lang={advice.language}>{advice.text}</span>}
        </p>
      </header>
      <Board
        puzzle={puzzle}
        cells={cells}
        t={t}
        focus={focus}
        cellSize={cellSize}
        tool={tool}
        isSolved={solved}
        wrong={faults.cells}
        hinted={useMemo(() => new Set(advice?.cells.map(({ place }) => place)), [advice])}
        wrongLines={faults.lines}
        hintedLine={advice?.line}
        onFocus={setFocus}
        onPress={press}
        onDrag={drag}
        onRelease={release}
        onCancel={cancel}
        onZoom={zoom}
        onKey={keyed}
      />
      <p id="player-clues" class="note">
        {clueText({ axis: "row", index: focus.row })} · {clueText({ axis: "column", index: focus.column })}
      </p>
      <div class="bar">
        <div role="group" aria-label={t.marks}>
          {(["fill", "cross", "move"] as Tool[]).map((name) => (
            <button key={name} type="button" aria-pressed={tool === name} onClick={() => setTool(name)}>
              {t[name]}
            </button>
          ))}
        </div>
        {palette.length > 2 && (
          <div role="group" aria-label={t.colours} class="palette">
            {palette.slice(1).map(({ name, rgb, char }, i) => (
              <button
                key={name}
                type="button"
                aria-pressed={colour === i + 1}
                onClick={() => {
                  setColour(i + 1);
                  setTool("fill");
                }}
              >
                <span class={`swatch ${inkClass(i + 1)}`} style={{ "--ink": rgb }} />
                {name} <small>{char}</small>
              </button>
            ))}
          </div>
        )}
        <div role="group">
          {button(t.undo, () => step(undo), !history.past.length)}
          {button(t.redo, () => step(redo), !history.future.length)}
          {button(t.check, checked, solved)}
          {adviser && button(t.hint, hinted, solved)}
          {adviser && button(t.apply, () => advice && apply(advice), !advice)}
          {button(t.restart, restart, !isBegun)}
        </div>
        <div role="group">
          <button type="button" aria-label={t.smaller} onClick={() => zoom(1 / 1.25)}>
            −
          </button>
          <button type="button" aria-label={t.larger} onClick={() => zoom(1.25)}>
            +
          </button>
          {button(t.fit, () => setCellSize(Math.max(LEAST_CELL, fitting(puzzle, innerWidth - 40, innerHeight - 260))))}
          {button(t.print, () => print())}
          <button
            type="button"
            aria-pressed={isDark}
            onClick={() => {
              document.documentElement.style.colorScheme = isDark ? "light" : "dark";
              setDark(!isDark);
            }}
          >
            {t.dark}
          </button>
        </div>
      </div>
      <p class="note" id="player-help">
        {t.howTo} {t.help}
      </p>
    </section>
  );
}
