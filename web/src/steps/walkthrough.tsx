/** Steps to go through: the board, the present step with its reason, controls, and the list of all steps. */

import { ChevronLeft, ChevronRight, Flag, Pause, Play, SkipBack, SkipForward } from "lucide";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { colourName } from "../shared/colours.ts";
import { language, useLanguage } from "../shared/language.ts";
import { Board } from "../board/board.tsx";
import { isSame, type Line, lineCells, OPEN, readLine, roomOf } from "../board/lines.ts";
import { Icon } from "../shared/controls.tsx";
import { useListeners } from "../shared/parts.tsx";
import { foundBlocks } from "../player/game.ts";
import { TABLES } from "./texts.ts";
import { emptyGrid, gridAfter, hardest, type Puzzle, type Step } from "./walk.ts";

export interface WalkthroughProps {
  puzzle: Puzzle;
  /** The grid before the first step; the empty one if missing. */
  start?: string[] | undefined;
  steps: Step[];
  /** How they end, in words; missing while more steps are on their way. */
  ending?: string | undefined;
  /** How long a step lasts when it plays, in ms. */
  pace: number;
}

/** Where the reader is: after `count` steps, or before the last of them, asked to find it. */
interface Place {
  count: number;
  isAsking: boolean;
}

export function Walkthrough({ puzzle, start, steps, ending, pace }: WalkthroughProps) {
  const t = TABLES[useLanguage()];
  const columns = puzzle.clues.columns.length;
  const empty = useMemo(() => start ?? emptyGrid(puzzle), [start, puzzle]);
  const [{ count, isAsking }, setPlace] = useState<Place>({ count: 0, isAsking: false });
  const [isPlaying, setPlaying] = useState(false);
  const [wantsToTry, setWantsToTry] = useState(false);

  const shown = isAsking ? count - 1 : count;
  const step = steps[count - 1];
  const grid = useMemo(() => gridAfter(empty, steps, shown, columns), [empty, steps, shown]);
  const { clues, palette } = puzzle;
  const cells = useMemo(() => Uint8Array.from(grid, (candidates) => (candidates.length === 1 ? palette.findIndex(({ char }) => char === candidates) : OPEN)), [grid, palette]);
  const now = useMemo(() => new Map(step && !isAsking ? step.cells.map(({ row, column }) => [(row - 1) * columns + column - 1, "now"]) : []), [step, isAsking]);
  const [focus, setFocus] = useState({ row: 0, column: 0 });
  const [first] = step?.cells ?? [];
  useEffect(() => first && setFocus({ row: first.row - 1, column: first.column - 1 }), [first]);
  const room = useMemo(() => roomOf(clues), [clues]);
  const line = readLine(step?.line);
  const lookOf = (at: Line) => ({
    found: foundBlocks((at.axis === "row" ? clues.rows : clues.columns)[at.index] ?? [], lineCells(cells, at, columns)),
    isTold: isSame(at, line),
    about: isSame(at, line) && !isAsking ? (step?.blocks ?? []) : [],
  });
  const say = useCallback((row: number, column: number, colour: number) => t.cell(row, column, colourName(palette[colour]?.name, language()) || t.open), [t, palette]);
  // The board, and nothing else, scrolls to what the step finds.
  const [board, card] = [useRef<HTMLDivElement>(null), useRef<HTMLElement>(null)];
  useLayoutEffect(() => board.current?.querySelector("td.now")?.scrollIntoView({ block: "nearest", inline: "nearest" }), [now]);
  useLayoutEffect(() => card.current?.scrollTo(0, 0), [count, isAsking]);
  const isAtEnd = count === steps.length && !isAsking;

  const clamped = (wanted: number) => Math.max(0, Math.min(steps.length, wanted));
  const go = (wanted: number) => {
    setPlaying(false);
    setPlace({ count: clamped(wanted), isAsking: false });
  };
  const forward = () => {
    setPlaying(false);
    if (isAsking) setPlace({ count, isAsking: false });
    else if (count < steps.length) setPlace({ count: count + 1, isAsking: wantsToTry });
  };
  const most = useMemo(() => hardest(steps), [steps]);
  const toHardest = () => {
    const places = most.map((place) => place + 1);
    const next = places.find((place) => place > count) ?? places[0];
    setPlaying(false);
    if (next !== undefined) setPlace({ count: next, isAsking: wantsToTry });
  };
  const play = () => {
    if (!isPlaying && isAtEnd) setPlace({ count: 0, isAsking: false });
    setPlaying(!isPlaying);
  };
  const chooseToTry = () => {
    setWantsToTry(!wantsToTry);
    if (isAsking) setPlace({ count, isAsking: false });
  };

  useEffect(() => {
    if (!isPlaying) return;
    const timer = setInterval(() => setPlace((old) => ({ count: Math.min(old.count + 1, steps.length), isAsking: false })), pace);
    return () => clearInterval(timer);
  }, [isPlaying, pace, steps.length]);
  useEffect(() => {
    if (isAtEnd && ending) setPlaying(false);
  }, [isAtEnd, ending]);
  const actions: Record<string, () => void> = {
    ArrowRight: forward,
    ArrowLeft: () => go(shown - (isAsking ? 0 : 1)),
    Home: () => go(0),
    End: () => go(steps.length),
    " ": play,
  };
  const keydown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    const isControl = target.matches("td") || (target.matches("button, summary") ? event.key === " " : target.matches("input:not([type=range]), select, textarea"));
    const action = actions[event.key];
    if (!action || isControl || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    action();
  };
  // Paper shows the end, unless the reader wants to find it.
  useListeners({ keydown, beforeprint: () => !wantsToTry && go(steps.length) });
  const place = step ? t.stepOf(count, steps.length) : t.start;
  const hasGrades = !steps.length || steps[0]?.grade !== undefined;
  const button = (id: string, label: string, icon: typeof Play, key: string, action: () => void, isDisabled: boolean) => (
    <button id={id} type="button" class="tool" aria-label={label} title={`${label} (${key})`} disabled={isDisabled} onClick={action}>
      <Icon of={icon} />
    </button>
  );
  return (
    <div class="steps">
      <div class="scene">
        <div class="shown" ref={board}>
          <Board label={t.board} clues={clues} palette={palette} cells={cells} room={room} hasCrosses class="still" marks={now} lookOf={lookOf} say={say} band={line} focus={focus} onFocus={setFocus} />
        </div>
        <section class="card" ref={card} aria-label={t.step}>
          <button id="try" type="button" aria-pressed={wantsToTry} title={t.tryHelp} onClick={chooseToTry}>{t.try}</button>
          <div aria-live="polite" aria-atomic="true">
            <p class="note">
              {place}
              {step?.grade && ` · ${t.grade(step.grade)}`}
            </p>
            <p id="title">{step?.title}</p>
            <p id="sentence">
              {step && isAsking && t.ask(step)} {isAsking && <button type="button" class="primary" onClick={forward}>{t.reveal}</button>}
              {step && !isAsking && step.text}
              {!step && (ending ? t.total(steps.length) : t.soFar(steps.length))} {isAtEnd && ending}
            </p>
          </div>
        </section>
      </div>
      <section class="dock" aria-label={t.allSteps}>
        {hasGrades && <Grades steps={steps} most={new Set(most)} />}
        <input id="slider" type="range" style={{ "--steps": steps.length }} min={0} max={steps.length} value={count} aria-label={t.step} aria-valuetext={step ? `${place}: ${step.title}` : place} onInput={(event) => go(Number(event.currentTarget.value))} />
        <div class="controls">
          {most.length > 0 && (
            <button id="hardest" type="button" onClick={toHardest}>
              <Icon of={Flag} /> {t.toHardest}
            </button>
          )}
          <span>
            {button("first", t.first, SkipBack, "Home", () => go(0), count === 0)}
            {button("previous", t.previous, ChevronLeft, "←", () => go(shown - (isAsking ? 0 : 1)), count === 0)}
            {button("play", isPlaying ? t.pause : t.play, isPlaying ? Pause : Play, t.space, play, !steps.length)}
            {button("next", isAsking ? t.reveal : t.next, ChevronRight, "→", forward, isAtEnd)}
            {button("last", t.last, SkipForward, "End", () => go(steps.length), isAtEnd)}
          </span>
        </div>
      </section>
      <StepList steps={wantsToTry ? steps.slice(0, shown) : steps} count={count} onGo={go} />
    </div>
  );
}

/** A bar for each step, as high as its grade; those of the highest grade stand out. */
function Grades({ steps, most }: { steps: Step[]; most: Set<number> }) {
  const bars = (isHardest: boolean) => steps.map(({ grade = 0 }, i) => (most.has(i) === isHardest ? `M${i + 1.1} 5v${-grade}h.8v${grade}z` : "")).join("");
  return (
    <svg class="grades" viewBox={`0 0 ${steps.length + 1} 5`} preserveAspectRatio="none" aria-hidden="true">
      <path d={bars(false)} />
      <path class="hardest" d={bars(true)} />
    </svg>
  );
}

/** The height of a step in a long list, in pixels, as the style sheet has it. */
const ROW = 44;
/** Steps that are listed at once. */
const SHORT = 200;

interface StepListProps {
  steps: Step[];
  /** The number of the present step. */
  count: number;
  onGo(count: number): void;
}

export function StepList({ steps, count, onGo }: StepListProps) {
  const t = TABLES[useLanguage()];
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [isOnPaper, setOnPaper] = useState(false);
  const isLong = steps.length > SHORT && !isOnPaper;
  const first = isLong ? Math.max(0, Math.floor(top / ROW) - 8) : 0;
  const shown = isLong ? steps.slice(first, first + 32) : steps;
  useListeners({ beforeprint: () => setOnPaper(true), afterprint: () => setOnPaper(false) }, []);
  useLayoutEffect(() => {
    const box = list.current;
    if (!box) return;
    const item = isLong ? undefined : box.querySelector<HTMLElement>("[aria-current]");
    const [start, height] = [item?.offsetTop ?? ROW * (count - 1), item?.offsetHeight ?? ROW];
    box.scrollTop = Math.max(start + height - box.clientHeight, Math.min(box.scrollTop, start));
  }, [count]);
  return (
    <details class="list" open>
      <summary>{t.allSteps}</summary>
      <div class="window" ref={list} onScroll={(event) => isLong && setTop(event.currentTarget.scrollTop)}>
        <ol id="list" class={isLong ? "long" : ""} style={isLong ? { height: `${ROW * steps.length}px` } : undefined}>
          {shown.map((one, i) => (
            <li key={first + i} style={isLong ? { top: `${ROW * (first + i)}px` } : undefined} aria-setsize={steps.length} aria-posinset={first + i + 1}>
              <button type="button" aria-current={first + i + 1 === count ? "step" : undefined} onClick={() => onGo(first + i + 1)}>
                {first + i + 1}. {one.title} {one.grade && <span class="note">{t.grade(one.grade)}</span>} <span class="why">{one.text}</span>
              </button>
            </li>
          ))}
        </ol>
      </div>
    </details>
  );
}
