/** What one change of a cell would mend: marked in the board, chosen there or one after the other, and applied. */

import { Check, ChevronLeft, ChevronRight, WandSparkles, Wrench } from "lucide";
import { type Change, type Effect, EFFECTS } from "../core/module.ts";
import type { Picture } from "../model/picture.ts";
import { colourName } from "../shared/colours.ts";
import { Button, Icon, Switch, ToolButton } from "../shared/controls.tsx";
import { useLanguage } from "../shared/language.ts";
import { useTexts } from "../texts/language.ts";
import { Panel } from "./panels.tsx";

export interface Repair extends Change {
  effect: Effect;
}

/** The changes that help, the best first; `effects` has the index of an effect for each cell and colour. */
export function repairsOf(effects: Uint8Array | undefined, { cells, columns, palette }: Picture): Repair[] {
  const colours = palette.length;
  if (effects?.length !== cells.length * colours) return [];
  return Array.from(effects, (effect, i) => ({ effect, i }))
    .filter(({ effect }) => effect > 1)
    .sort((a, b) => b.effect - a.effect || a.i - b.i)
    .map(({ effect, i }) => {
      const cell = Math.floor(i / colours);
      return { row: Math.floor(cell / columns), column: cell % columns, colour: i % colours, effect: EFFECTS[effect] ?? "none" };
    });
}

export interface RepairsProps {
  picture: Picture;
  isWanted: boolean;
  isUnique: boolean;
  /** Undefined while nothing is known. */
  repairs: Repair[] | undefined;
  /** The one that the board shows. */
  chosen: Repair | undefined;
  left: number;
  /** How far Adapt has come; undefined while it does not run. */
  adapting: { changes: number; open: number } | undefined;
  onAdapt(): void;
  onWant(isWanted: boolean): void;
  onChoose(repair: Repair | undefined): void;
  onApply(repair: Repair): void;
}

export function Repairs({ picture, isWanted, isUnique, repairs, chosen, left, adapting, onAdapt, onWant, onChoose, onApply }: RepairsProps) {
  const t = useTexts().studio;
  const language = useLanguage();
  const at = chosen ? (repairs?.indexOf(chosen) ?? -1) : -1;
  const count = repairs?.length ?? 0;
  const go = (step: number) => onChoose(repairs?.[(at + step + count) % count]);
  return (
    <Panel icon={Wrench} title={t.repairs} value={repairs ? t.found(count) : isUnique ? t.noneNeeded : ""}>
      <Switch label={t.showRepairs} isOn={isWanted} onChange={onWant} />
      {isWanted && repairs && <p class="note">{left ? t.searching(left) : count ? t.repairsFound : isUnique ? t.noSimplerRepairs : t.noRepairs}</p>}
      {isWanted && chosen && (
        <div class="entry">
          <ToolButton icon={ChevronLeft} name={t.previous} onClick={() => go(-1)} />
          <span>
            {t.apply(at + 1, count, colourName(picture.palette[chosen.colour]?.name, language), chosen.effect)}
          </span>
          <ToolButton icon={ChevronRight} name={t.next} onClick={() => go(1)} />
        </div>
      )}
      <div class="pair">
        {isWanted && chosen && <Button icon={Check} label={t.applyIt} kind="primary" title={`${t.applyIt} (R)`} onClick={() => onApply(chosen)} />}
        <Button icon={WandSparkles} label={adapting ? t.stop : t.adapt} title={t.adaptHelp} isDisabled={isUnique && !adapting} onClick={onAdapt} />
      </div>
      {adapting && <p class="note">{t.adapting(adapting.changes, adapting.open)}</p>}
    </Panel>
  );
}
