/** A plot on the page: drawn when first in view, and explored with the pointer or the arrow keys. */

import { type ComponentChildren, render } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { byId } from "../shared/data.ts";
import type { Data } from "./data.ts";
import { count } from "./format.ts";
import { Drawing } from "./picture.tsx";
import { type Description, type Drawn, PICTURE, type Place, type Points, shape, spoken } from "./plot.ts";

interface FigureProps {
  /** The prefix of the identifiers. */
  id: string;
  /** What the plot is, for those who do not see it. */
  label: string;
  /** Draws the plot; another function draws it anew. */
  draw(width: number): Drawn;
  controls?: ComponentChildren;
  legend?: ComponentChildren;
  /** The caption. */
  children: ComponentChildren;
  /** If the plot is drawn from a sample of all runs. */
  sampled?: Data | undefined;
}

export function Figure({ id, label, draw, controls, legend, children, sampled }: FigureProps) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<Canvas>(null);
  useLayoutEffect(() => {
    canvas.current = new Canvas(box.current!);
  }, []);
  useLayoutEffect(() => canvas.current?.show(draw), [draw]);
  const isSample = sampled && sampled.count < sampled.contents.total;
  return (
    <>
      {controls && (
        <div class="controls" id={`${id}-choices`}>{controls}</div>
      )}
      <div
        ref={box}
        id={`${id}-plot`}
        class="plot"
        tabIndex={0}
        role="group"
        aria-label={`${label} Use the arrow keys to move between points, and Enter to open a run.`}
      />
      <div id={`${id}-legend`}>{legend}</div>
      <figcaption>
        {children}
        {isSample && ` Drawn from ${count(sampled.count)} of ${count(sampled.contents.total)} runs.`}
      </figcaption>
    </>
  );
}

const REACH = 18;
const KEYS: Record<string, (place: number, last: number) => number> = {
  ArrowRight: (place, last) => Math.min(place + 1, last),
  ArrowLeft: (place) => Math.max(place - 1, 0),
  ArrowUp: (place, last) => Math.min(place + 10, last),
  ArrowDown: (place) => Math.max(place - 10, 0),
  Home: () => 0,
  End: (_, last) => last,
};

/** Keeps a plot drawn in a box: from when it is first near the view, and anew when the width changes. */
class Canvas {
  private readonly box: HTMLElement;
  private draw: ((width: number) => Drawn) | undefined;
  private drawn: Drawn | undefined;
  private width = 0;
  /** The point that is described. */
  private found = -1;

  constructor(box: HTMLElement) {
    this.box = box;
    const near = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && begin(), {
      rootMargin: "400px",
    });
    const begin = () => {
      near.disconnect();
      removeEventListener("beforeprint", begin);
      this.redraw();
      new ResizeObserver(() => box.clientWidth !== this.width && this.redraw()).observe(box);
    };
    near.observe(box);
    addEventListener("beforeprint", begin);
    box.addEventListener("pointermove", (event) => this.describe(this.nearest(event)));
    box.addEventListener("pointerleave", () => this.describe(-1));
    box.addEventListener("blur", () => this.describe(-1));
    box.addEventListener("click", () => this.open());
    box.addEventListener("keydown", (event) => this.press(event));
  }

  show(draw: (width: number) => Drawn) {
    this.draw = draw;
    if (this.drawn) this.redraw();
  }

  private redraw() {
    this.width = this.box.clientWidth || this.width;
    if (!this.width || !this.draw) return;
    this.found = -1;
    this.drawn = this.draw(this.width);
    this.box.replaceChildren(this.drawn.svg);
  }

  private open() {
    if (this.found >= 0) this.drawn?.points.open?.(this.found);
  }

  private press(event: KeyboardEvent) {
    const step = KEYS[event.key];
    if (event.key === "Enter") {
      event.preventDefault(); // or the key would close the dialog that it opens
      this.open();
    } else if (event.key === "Escape") {
      this.describe(-1);
    } else if (step && this.drawn?.points.count) {
      event.preventDefault();
      this.describe(next(this.drawn.points, this.found, step));
      byId("status").textContent = spoken(this.drawn.points.describe(this.found));
    }
  }

  /** Mark a point and say beside it what it is; -1 is none. */
  private describe(point: number) {
    if (!this.drawn || (point < 0 && this.found < 0)) return;
    this.found = point;
    const { svg, points } = this.drawn;
    svg.querySelector(".found")?.remove();
    if (point < 0) {
      byId("tip").hidden = true;
      return;
    }
    const [x, y] = points.place(point);
    svg.append(shape("circle", { class: "found", cx: `${x}`, cy: `${y}`, r: "6" }));
    const frame = svg.getBoundingClientRect();
    const scale = frame.width / this.width;
    showTip(points.describe(point), [frame.left + x * scale, frame.top + y * scale]);
  }

  /** The point in reach of the pointer, or -1. */
  private nearest(event: PointerEvent): number {
    if (!this.drawn) return -1;
    const { svg, points } = this.drawn;
    const frame = svg.getBoundingClientRect();
    const scale = this.width / frame.width;
    const [x, y] = [(event.clientX - frame.left) * scale, (event.clientY - frame.top) * scale];
    let [best, least] = [-1, (points.reach ?? REACH) ** 2];
    for (let point = 0; point < points.count; point++) {
      const [px, py] = points.place(point);
      const distance = (px - x) ** 2 + (py - y) ** 2;
      if (distance < least) [best, least] = [point, distance];
    }
    return best;
  }
}

/** The next point from left to right, then from bottom to top. */
function next(points: Points, point: number, step: (place: number, last: number) => number): number {
  const places = Array.from({ length: points.count }, (_, i) => points.place(i));
  const order = places.map((_, i) => i).sort((a, b) => places[a]![0] - places[b]![0] || places[b]![1] - places[a]![1]);
  return order[step(order.indexOf(point), order.length - 1)] ?? -1;
}

function showTip({ lines, picture }: Description, [x, y]: Place) {
  const tip = byId("tip");
  render(
    <>
      {lines.map((line) => (
        <p>{line}</p>
      ))}
      {picture && <Drawing picture={picture} label={PICTURE} />}
    </>,
    tip,
  );
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  const right = x + 16 + width < innerWidth ? x + 16 : x - 16 - width;
  tip.style.left = `${Math.max(4, right)}px`;
  tip.style.top = `${Math.max(4, Math.min(y - height / 2, innerHeight - height - 4))}px`;
}
