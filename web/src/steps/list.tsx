/** The list of all steps. A long one has elements only for what is in view, and all of them on paper. */

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useLanguage } from "../shared/language.ts";
import { TABLES } from "./texts.ts";
import type { Step } from "./walk.ts";

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
  useEffect(() => {
    const [before, after] = [() => setOnPaper(true), () => setOnPaper(false)];
    addEventListener("beforeprint", before);
    addEventListener("afterprint", after);
    return () => {
      removeEventListener("beforeprint", before);
      removeEventListener("afterprint", after);
    };
  }, []);
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
