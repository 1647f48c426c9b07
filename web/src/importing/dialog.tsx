/** The dialog that makes a picture into cells: every change of an option shows the result at once. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { MOST_COLOURS, MOST_LINES, type Picture } from "../model/picture.ts";
import { Cells, Choice } from "../shared/parts.tsx";
import { useTexts } from "../texts/language.ts";
import { fineOf, type Loaded, named, type Size, sizeOf } from "./loading.ts";
import type { Edges, Options, Threshold } from "./pixels.ts";
import type { Answer, Request } from "./worker.ts";
import PictureWorker from "./worker.ts?worker&inline";

export interface PictureDialogProps {
  loaded: Loaded;
  onUse(picture: Picture): void;
  onClose(): void;
}

const FIRST: Options = { colours: 0, threshold: "otsu", share: 0.35, edges: "none", isInverted: false };

export function PictureDialog({ loaded, onUse, onClose }: PictureDialogProps) {
  const t = useTexts().importing;
  const dialog = useRef<HTMLDialogElement>(null);
  const [size, setSize] = useState(() => sizeOf(loaded));
  const [options, setOptions] = useState(FIRST);
  const [isExact, setIsExact] = useState(Boolean(loaded.drawing));
  const made = useCells(loaded, size, options);
  const shown = isExact ? loaded.drawing : made.picture;
  useEffect(() => dialog.current?.showModal(), []);

  const choose = <Key extends keyof Options>(key: Key, label: string, choices: [Options[Key], string][]) => (
    <Choice
      label={label}
      options={choices.map(([value, name]) => [String(value), name])}
      value={String(options[key])}
      onChange={(chosen) => setOptions((old) => ({ ...old, [key]: choices.find(([value]) => String(value) === chosen)?.[0] }))}
    />
  );
  const side = (name: "rows" | "columns") => (
    <label>
      {t[name]}{" "}
      <input
        type="number"
        min={1}
        max={MOST_LINES}
        value={size[name]}
        onInput={({ currentTarget: { valueAsNumber } }) => valueAsNumber >= 1 && valueAsNumber <= MOST_LINES && setSize(sizeOf(loaded, { [name]: valueAsNumber }))}
      />
    </label>
  );
  const filled = shown ? Math.round((100 * shown.cells.filter(Boolean).length) / shown.cells.length) : 0;
  const inks = Array.from({ length: MOST_COLOURS - 1 }, (_, i) => i + 1);
  return (
    <dialog ref={dialog} class="picture" aria-labelledby="picture-name" onClose={onClose}>
      <h2 id="picture-name">{t.heading(loaded.name)}</h2>
      <div class="sides">
        <Cells picture={shown} />
        <div class="options">
          {loaded.drawing && (
            <label>
              <input type="checkbox" checked={isExact} onChange={(event) => setIsExact(event.currentTarget.checked)} /> {t.asDrawing}
            </label>
          )}
          {!isExact && (
            <>
              {side("rows")}
              {side("columns")}
              {choose("colours", t.colours, [[0, t.blackAndWhite], ...inks.map((n): [number, string] => [n, t.nColours(n)])])}
              {options.colours === 0 && choose("threshold", t.threshold, Object.entries(t.thresholds) as [Threshold, string][])}
              {options.colours === 0 && options.threshold !== "otsu" && (
                <label>
                  {t.share}{" "}
                  <input type="range" min={0.02} max={0.98} step={0.01} value={options.share} onInput={({ currentTarget: { valueAsNumber: share } }) => setOptions((old) => ({ ...old, share }))} />
                </label>
              )}
              {choose("edges", t.edges, Object.entries(t.edge) as [Edges, string][])}
              <label>
                <input type="checkbox" checked={options.isInverted} onChange={({ currentTarget: { checked: isInverted } }) => setOptions((old) => ({ ...old, isInverted }))} /> {t.invert}
              </label>
            </>
          )}
          <p role="status" aria-busy={!isExact && made.isBusy}>
            {shown && isExact ? t.drawing(shown.rows, shown.columns) : shown ? t.preview(shown.rows, shown.columns, filled) : made.isBusy ? "" : t.oneShade}
          </p>
        </div>
      </div>
      <p class="buttons">
        <button type="button" disabled={!shown || (!isExact && made.isBusy)} onClick={() => shown && onUse(named(shown))}>
          {t.use}
        </button>
        <button type="button" onClick={onClose}>
          {t.cancel}
        </button>
      </p>
    </dialog>
  );
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
