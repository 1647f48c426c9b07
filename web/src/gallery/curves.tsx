/** How difficulty evolves while cells are changed: figure 11 of Batenburg et al. (2009), a point a simple puzzle. */

import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { MadePuzzle } from "./data.ts";
import type { GalleryTexts } from "./texts.ts";

export const BOX = { width: 760, height: 380, left: 56, right: 744, top: 14, bottom: 334 };

/** Lays out curves of points, each a depth and a difficulty. */
export function layout(curves: (readonly [depth: number, difficulty: number])[][]) {
  const points = curves.flat();
  const depths = ticks(Math.max(0, ...points.map(([depth]) => depth)));
  const difficulties = ticks(Math.max(0, ...points.map(([, difficulty]) => difficulty)));
  const x = (depth: number) => rounded(BOX.left + ((BOX.right - BOX.left) / (depths.at(-1) || 1)) * depth);
  const y = (difficulty: number) => rounded(BOX.bottom - ((BOX.bottom - BOX.top) / (difficulties.at(-1) || 1)) * difficulty);
  return {
    curves: curves.map((curve) => curve.map(([depth, difficulty]) => ({ x: x(depth), y: y(difficulty) }))),
    depths: depths.map((value) => ({ value, at: x(value) })),
    difficulties: difficulties.map((value) => ({ value, at: y(value) })),
  };
}

/** Returns round values from 0 to the first that is not below the highest. */
export function ticks(highest: number): number[] {
  const rough = Math.max(highest, 1) / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, Math.round(([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power));
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, i) => i * step);
}

const rounded = (value: number) => Math.round(value * 10) / 10;

/** Numbers of colours and of dash patterns in the style. */
const [SERIES, DASHES] = [8, 4];
/** How near the pointer must come to a point, in units of the drawing. */
const REACH = 40;
/** What the arrow keys add to curve and point. */
const STEPS: Record<string, [number, number]> = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

interface CurvePlotProps {
  puzzles: MadePuzzle[];
  /** The curve that stands out. */
  highlighted: number | undefined;
  onHighlight(curve: number | undefined): void;
  t: GalleryTexts;
}

interface Spot {
  curve: number;
  point: number;
}

export function CurvePlot({ puzzles, highlighted, onHighlight, t }: CurvePlotProps) {
  const plot = useMemo(() => layout(puzzles.map(({ curve }) => curve.map(([depth, sweeps]) => [depth, sweeps] as const))), [puzzles]);
  const [spot, setSpot] = useState<Spot>();
  const walked = useRef<Spot>({ curve: 0, point: 0 });
  const drawing = useRef<SVGSVGElement>(null);
  const at = spot && plot.curves[spot.curve]?.[spot.point];
  const outstanding = spot?.curve ?? highlighted;

  const follow = (event: PointerEvent) => {
    const box = drawing.current?.getBoundingClientRect();
    if (!box) return;
    const scale = BOX.width / box.width;
    setSpot(nearest((event.clientX - box.left) * scale, (event.clientY - box.top) * scale, plot.curves));
  };
  const walk = (event: KeyboardEvent) => {
    if (event.key === "Escape") setSpot(undefined);
    const step = STEPS[event.key];
    if (!step) return;
    const [down, along] = step;
    event.preventDefault();
    const within = (value: number, count: number) => Math.max(0, Math.min(value, count - 1));
    const curve = within(walked.current.curve + down, plot.curves.length);
    const point = within(walked.current.point + along, plot.curves[curve]?.length ?? 0);
    walked.current = { curve, point };
    setSpot(walked.current);
  };
  return (
    <>
      <div class="card">
        <div
          class="plot"
          id="plot"
          tabIndex={0}
          role="application"
          aria-label={t.made.plot}
          onPointerMove={follow}
          onPointerDown={follow}
          onPointerLeave={() => setSpot(undefined)}
          onFocus={() => setSpot(walked.current)}
          onBlur={() => setSpot(undefined)}
          onKeyDown={walk}
        >
          <svg ref={drawing} viewBox={`0 0 ${BOX.width} ${BOX.height}`} aria-hidden="true">
            {plot.difficulties.map(({ value, at }) => (
              <g key={value}>
                <line class="rule" x1={BOX.left} x2={BOX.right} y1={at} y2={at} />
                <text x={BOX.left - 8} y={at + 4} text-anchor="end">
                  {value}
                </text>
              </g>
            ))}
            {plot.depths.map(({ value, at }) => (
              <text key={value} x={at} y={BOX.bottom + 18} text-anchor="middle">
                {value}
              </text>
            ))}
            <path class="axis" d={`M${BOX.left} ${BOX.top}V${BOX.bottom}H${BOX.right}`} />
            <text x={(BOX.left + BOX.right) / 2} y={BOX.height - 8} text-anchor="middle">
              {t.made.depth}
            </text>
            <text text-anchor="middle" transform={`translate(14 ${(BOX.top + BOX.bottom) / 2}) rotate(-90)`}>
              {t.made.difficulty}
            </text>
            {plot.curves.map((points, i) => (
              <polyline
                key={i}
                class={`${style(i)}${outstanding !== undefined && outstanding !== i ? " faded" : ""}`}
                points={points.map(({ x, y }) => `${x},${y}`).join(" ")}
              >
                <title>{puzzles[i]?.title}</title>
              </polyline>
            ))}
            {at && <circle class="mark" r="5" cx={at.x} cy={at.y} />}
          </svg>
        </div>
        <ul class="names">
          {puzzles.map(({ title }, i) => (
            <li key={i} onPointerEnter={() => onHighlight(i)} onPointerLeave={() => onHighlight(undefined)}>
              <svg viewBox="0 0 34 10" aria-hidden="true">
                <path class={style(i)} d="M1 5H33" />
              </svg>
              {title}
            </li>
          ))}
        </ul>
      </div>
      <p class="note print-less">{t.made.point}</p>
      <Tip puzzle={spot && puzzles[spot.curve]} point={spot?.point ?? 0} drawing={drawing.current} t={t} />
    </>
  );
}

const style = (curve: number) => `curve s${curve % SERIES} d${Math.floor(curve / SERIES) % DASHES}`;

function nearest(x: number, y: number, curves: { x: number; y: number }[][]): Spot | undefined {
  let best: Spot | undefined;
  let reach = REACH;
  curves.forEach((points, curve) =>
    points.forEach((at, point) => {
      const distance = Math.hypot(at.x - x, at.y - y);
      if (distance < reach) [reach, best] = [distance, { curve, point }];
    }),
  );
  return best;
}

interface TipProps {
  puzzle: MadePuzzle | undefined;
  point: number;
  drawing: SVGSVGElement | null;
  t: GalleryTexts;
}

/** The puzzle at a point, beside the mark and inside the window. */
function Tip({ puzzle, point, drawing, t }: TipProps) {
  const tip = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const mark = drawing?.querySelector(".mark")?.getBoundingClientRect();
    if (!mark || !tip.current) return;
    const { width, height } = tip.current.getBoundingClientRect();
    const left = mark.right + 12 + width < innerWidth ? mark.right + 12 : Math.max(4, mark.left - 12 - width);
    const top = Math.max(4, Math.min(mark.top - height / 2, innerHeight - height - 4));
    Object.assign(tip.current.style, { left: `${left}px`, top: `${top}px` });
  });
  const [depth, sweeps, image] = puzzle?.curve[point] ?? [];
  return (
    <div class="tip" id="tip" role="status" ref={tip} hidden={image === undefined}>
      {puzzle && depth !== undefined && sweeps !== undefined && image && (
        <>
          <p>{t.made.at(puzzle.title, sweeps)}</p>
          <p>{t.made.changed(depth)}</p>
          <img class="cells" src={image} alt={t.made.here} />
        </>
      )}
    </div>
  );
}
