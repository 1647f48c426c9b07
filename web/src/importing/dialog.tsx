/** The dialog that makes a picture into cells: every change of an option shows the result at once. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { CoreClient } from "../core/client.ts";
import { drawingOf, MOST_COLOURS, paint, type Picture } from "../model/picture.ts";
import { Choice, Switch } from "../shared/controls.tsx";
import { Cells, Dialog } from "../shared/parts.tsx";
import { Sides } from "../studio/panels.tsx";
import { useTexts } from "../texts/language.ts";
import { named } from "../model/formats/palettes.ts";
import { fineOf, type Loaded, type Size, sizeOf } from "./opening.ts";
import type { Edges, Options, Threshold } from "./pixels.ts";
import type { Answer, Request } from "./worker.ts";
import PictureWorker from "./worker.ts?worker&inline";

export interface PictureDialogProps {
  loaded: Loaded;
  core: CoreClient;
  onUse(picture: Picture): void;
  onClose(): void;
}

const FIRST: Options = { colours: 0, threshold: "otsu", share: 0.35, brightness: 0, edges: "none", isInverted: false };

export function PictureDialog({ loaded: whole, core, onUse, onClose }: PictureDialogProps) {
  const t = useTexts().importing;
  const [box, setBox] = useState(whole.box);
  const loaded = useMemo(() => ({ ...whole, box }), [whole, box]);
  const [size, setSize] = useState(() => sizeOf(loaded));
  const [options, setOptions] = useState(FIRST);
  const [isExact, setIsExact] = useState(Boolean(loaded.drawing));
  const [isMended, setMended] = useState(false);
  const made = useCells(loaded, size, options);
  const cells = isExact ? loaded.drawing : made.picture;
  const mended = useMended(core, isMended ? cells : undefined);
  const shown = mended.picture ?? cells;
  const isBusy = (!isExact && made.isBusy) || mended.isBusy;

  const choose = <Key extends keyof Options>(key: Key, label: string, choices: [Options[Key], string][]) => (
    <Choice
      label={label}
      options={choices.map(([value, name]) => [String(value), name])}
      value={String(options[key])}
      onChange={(chosen) => setOptions((old) => ({ ...old, [key]: choices.find(([value]) => String(value) === chosen)?.[0] }))}
    />
  );
  const slide = (key: "share" | "brightness", label: string, min: number, max: number) => (
    <label class="entry">
      <span>{label}</span>
      <input type="range" min={min} max={max} step={0.01} value={options[key]} onInput={({ currentTarget: { valueAsNumber } }) => setOptions((old) => ({ ...old, [key]: valueAsNumber }))} />
    </label>
  );
  const filled = shown ? Math.round((100 * shown.cells.filter(Boolean).length) / shown.cells.length) : 0;
  const inks = Array.from({ length: MOST_COLOURS - 1 }, (_, i) => i + 1);
  const hasShare = options.colours === 0 && options.threshold !== "otsu";
  const said = shown && isExact ? t.drawing(shown.rows, shown.columns) : shown ? t.preview(shown.rows, shown.columns, filled) : made.isBusy ? "" : t.oneShade;
  return (
    <Dialog title={t.heading(loaded.name)} class="picture" close={t.cancel} action={[t.use, () => shown && onUse(named(shown)), !shown || isBusy]} onClose={onClose}>
      <div class="sides">
        <div class="shown">
          <Crop
            canvas={whole.canvas}
            box={box}
            onCrop={(box) => {
              setBox(box);
              setSize(sizeOf({ ...whole, box }, { rows: size.rows }));
              setIsExact(false);
            }}
          />
          <Cells picture={shown} />
          <p role="status" aria-busy={isBusy}>{[said, mended.said].filter(Boolean).join(" · ")}</p>
        </div>
        <div class="options">
          {loaded.drawing && <Switch label={t.asDrawing} isOn={isExact} onChange={setIsExact} />}
          {!isExact && (
            <>
              <Sides picture={size} onChange={(rows, columns) => setSize(sizeOf(loaded, rows === size.rows ? { columns } : { rows }))} />
              {choose("colours", t.colours, [[0, t.blackAndWhite], ...inks.map((n): [number, string] => [n, t.nColours(n)])])}
              {options.colours === 0 && choose("threshold", t.threshold, Object.entries(t.thresholds) as [Threshold, string][])}
              {hasShare ? slide("share", t.share, 0.02, 0.98) : slide("brightness", t.brightness, -0.4, 0.4)}
              {choose("edges", t.edges, Object.entries(t.edge) as [Edges, string][])}
              <Switch label={t.invert} isOn={options.isInverted} onChange={(isInverted) => setOptions((old) => ({ ...old, isInverted }))} />
            </>
          )}
          <Switch label={t.makeUnique} isOn={isMended} onChange={setMended} />
        </div>
      </div>
    </Dialog>
  );
}

/** A picture after the changes that leave one solution, and what is said of them; nothing without a picture. */
function useMended(core: CoreClient, picture: Picture | undefined): { picture?: Picture; said: string; isBusy: boolean } {
  const t = useTexts().importing;
  const [found, setFound] = useState<{ of?: Picture; picture?: Picture; said: string }>({ said: "" });
  useEffect(() => {
    if (!picture) return;
    const end = (said: string, mended = picture) => setFound({ of: picture, picture: mended, said });
    core.adapt(drawingOf(picture), () => {}).then(
      (changes) => (changes ? end(t.mended(changes.length), changes.reduce((old, change) => paint(old, [change], change.colour), picture)) : end(t.notMended)),
      () => end(t.notMended),
    );
    return () => core.stop();
  }, [picture]);
  if (!picture) return { said: "", isBusy: false };
  return found.of === picture ? { ...found, isBusy: false } : { said: t.mending, isBusy: true };
}

interface Wanted {
  rows: number;
  columns: number;
  options: Options;
}

/** The cells of a picture, made in a worker; of several requests only the last one counts. */
function useCells(loaded: Loaded, { rows, columns }: Size, options: Options): { picture: Picture | undefined; isBusy: boolean } {
  const worker = useMemo(() => new PictureWorker(), []);
  const wanted = useMemo<Wanted>(() => ({ rows, columns, options }), [rows, columns, options]);
  const [made, setMade] = useState<{ of?: Wanted; picture?: Picture }>({});
  const running = useRef<Wanted | undefined>(undefined);
  const waiting = useRef<Wanted | undefined>(undefined);
  const send = () => {
    const next = waiting.current;
    if (running.current || !next) return;
    running.current = next;
    waiting.current = undefined;
    const fine = fineOf(loaded, next.rows, next.columns);
    worker.postMessage({ fine, options: next.options } satisfies Request, [fine.rgba.buffer]);
  };
  useEffect(() => {
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      setMade({ of: running.current, picture: data.picture });
      running.current = undefined;
      send();
    };
    return () => worker.terminate();
  }, [worker]);
  useEffect(() => {
    waiting.current = wanted;
    send();
  }, [wanted]);
  return { picture: made.picture, isBusy: made.of !== wanted };
}

type Box = Loaded["box"];

/** The least side of a part, in pixels. */
const LEAST = 4;
const MOVES: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function Crop({ canvas, box, onCrop }: { canvas: HTMLCanvasElement; box: Box; onCrop(box: Box): void }) {
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
