/** The original with the part of it that becomes the picture: drag another one, or move it by the arrow keys. */

import { useEffect, useRef } from "preact/hooks";
import { useTexts } from "../texts/language.ts";
import type { Loaded } from "./loading.ts";

type Box = Loaded["box"];

interface CropProps {
  canvas: HTMLCanvasElement;
  box: Box;
  onCrop(box: Box): void;
}

/** The least side of a part, in pixels. */
const LEAST = 4;
const MOVES: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function Crop({ canvas, box, onCrop }: CropProps) {
  const t = useTexts().importing;
  const shown = useRef<HTMLCanvasElement>(null);
  const start = useRef<[number, number]>(undefined);
  const { width, height } = canvas;
  useEffect(() => shown.current?.getContext("2d")?.drawImage(canvas, 0, 0), [canvas]);
  const at = (event: PointerEvent): [number, number] => {
    const frame = (shown.current as HTMLCanvasElement).getBoundingClientRect();
    const along = (from: number, extent: number, most: number) => Math.round(Math.max(0, Math.min(1, from / extent)) * most);
    return [along(event.clientX - frame.left, frame.width, width), along(event.clientY - frame.top, frame.height, height)];
  };
  const drag = (event: PointerEvent) => {
    if (!start.current) return;
    const [[x, y], [toX, toY]] = [start.current, at(event)];
    const part = { left: Math.min(x, toX), top: Math.min(y, toY), width: Math.abs(toX - x), height: Math.abs(toY - y) };
    if (Math.min(part.width, part.height) >= LEAST) onCrop(part);
  };
  const keyed = (event: KeyboardEvent) => {
    const move = MOVES[event.key];
    if (!move) return;
    event.preventDefault();
    const [right, down] = move.map((by) => by * Math.max(1, Math.round(Math.max(width, height) / 50))) as [number, number];
    const within = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value));
    if (event.shiftKey) onCrop({ ...box, width: within(box.width + right, LEAST, width - box.left), height: within(box.height + down, LEAST, height - box.top) });
    else onCrop({ ...box, left: within(box.left + right, 0, width - box.width), top: within(box.top + down, 0, height - box.height) });
  };
  const part = (from: number, extent: number) => `${(100 * from) / extent}%`;
  return (
    <div
      class="crop"
      style={{ "--ratio": width / height }}
      role="group"
      tabIndex={0}
      aria-label={t.crop}
      title={t.crop}
      onKeyDown={keyed}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = at(event);
      }}
      onPointerMove={drag}
      onLostPointerCapture={() => (start.current = undefined)}
      onDblClick={() => onCrop({ left: 0, top: 0, width, height })}
    >
      <canvas ref={shown} width={width} height={height} aria-hidden="true" />
      <i style={{ left: part(box.left, width), top: part(box.top, height), width: part(box.width, width), height: part(box.height, height) }} />
    </div>
  );
}
