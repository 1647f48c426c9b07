/** How difficulty evolves while cells are changed: figure 11 of Batenburg et al. (2009), a point a simple puzzle. */

import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { styleOf, Swatch } from "../shared/series.tsx";
import type { Grid, MadePuzzle } from "./data.ts";
import { Cells } from "./parts.tsx";
import { BOX, layout, nearest, type Spot } from "./layout.ts";
import type { GalleryTexts } from "./texts.ts";

/** What the arrow keys add to curve and point. */
const STEPS: Record<string, [number, number]> = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

interface CurvePlotProps {
  grid: Grid;
  puzzles: MadePuzzle[];
  /** The curve that stands out. */
  highlighted: number | undefined;
  onHighlight(curve: number | undefined): void;
  t: GalleryTexts;
}

export function CurvePlot({ grid, puzzles, highlighted, onHighlight, t }: CurvePlotProps) {
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
                <text x={BOX.left - 8} y={at + 4} text-anchor="end">{value}</text>
              </g>
            ))}
            {plot.depths.map(({ value, at }) => (
              <text key={value} x={at} y={BOX.bottom + 18} text-anchor="middle">{value}</text>
            ))}
            <path class="axis" d={`M${BOX.left} ${BOX.top}V${BOX.bottom}H${BOX.right}`} />
            <text x={(BOX.left + BOX.right) / 2} y={BOX.height - 8} text-anchor="middle">{t.made.depth}</text>
            <text text-anchor="middle" transform={`translate(14 ${(BOX.top + BOX.bottom) / 2}) rotate(-90)`}>{t.made.difficulty}</text>
            {plot.curves.map((points, i) => {
              const { mark, ...line } = styleOf(i);
              return (
                <g key={i} class={outstanding !== undefined && outstanding !== i ? "faded" : ""}>
                  <polyline class="curve" {...line} points={points.map(({ x, y }) => `${x},${y}`).join(" ")}>
                    <title>{puzzles[i]?.title}</title>
                  </polyline>
                  <path fill={line.stroke} d={points.filter((_, place) => place % 8 === 0).map(({ x, y }) => `M${x} ${y}${mark}`).join("")} />
                </g>
              );
            })}
            {at && <circle class="mark" r="5" cx={at.x} cy={at.y} />}
          </svg>
        </div>
        <ul class="names">
          {puzzles.map(({ title }, i) => (
            <li key={i} onPointerEnter={() => onHighlight(i)} onPointerLeave={() => onHighlight(undefined)}>
              <Swatch {...styleOf(i)} />
              {title}
            </li>
          ))}
        </ul>
      </div>
      <p class="note print-less">{t.made.point}</p>
      <Tip grid={grid} puzzle={spot && puzzles[spot.curve]} point={spot?.point ?? 0} drawing={drawing.current} t={t} />
    </>
  );
}

interface TipProps {
  grid: Grid;
  puzzle: MadePuzzle | undefined;
  point: number;
  drawing: SVGSVGElement | null;
  t: GalleryTexts;
}

/** The puzzle at a point, beside the mark and inside the window. */
function Tip({ grid, puzzle, point, drawing, t }: TipProps) {
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
          <Cells grid={grid} cells={image} label={t.made.here} />
        </>
      )}
    </div>
  );
}
