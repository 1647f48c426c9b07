/** The panels beside the board, and the tools. */

import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, Check, ChevronDown, ChevronLeft, ChevronRight, FlipHorizontal2, FlipVertical2, Gauge, Grid3x3, type IconNode, Info, PaintBucket, Pencil, Redo2, RotateCcw, RotateCw, Slash, Trash2, Undo2, WandSparkles, Wrench } from "lucide";
import { Component, type ComponentChildren, type ComponentProps } from "preact";
import type { Grade } from "../core/records.ts";
import { push, redo, undo } from "../model/history.ts";
import { type Direction, type Mirror, MOST_LINES, type Picture, resize, shift, type Turn, turn } from "../model/picture.ts";
import { Button, Icon, IconChoice, Switch, ToolButton } from "../shared/controls.tsx";
import { useTexts } from "../texts/language.ts";
import type { Brush, DrawProps } from "./draw.tsx";
import { type Change, type Effect, EFFECTS } from "../core/module.ts";
import { colourName } from "../shared/colours.ts";
import { useLanguage } from "../shared/language.ts";

export type Tool = "pen" | "fill" | "line";

/** Panels are open at first where they fit beside the picture. */
const IS_WIDE = matchMedia("(min-width: 60rem)").matches;

interface PanelProps {
  icon: IconNode;
  title: string;
  /** What it would tell if it were open. */
  value?: string;
  /** Whether it is closed at first on wide screens too. */
  isShut?: boolean;
  children: ComponentChildren;
}

export function Panel({ icon, title, value, isShut = false, children }: PanelProps) {
  return (
    <details class="panel" open={IS_WIDE && !isShut}>
      <summary>
        <Icon of={icon} />
        {title}
        <span class="value">{value}</span>
        <Icon of={ChevronDown} />
      </summary>
      <div>{children}</div>
    </details>
  );
}

type FieldProps = Omit<ComponentProps<"input">, "value" | "label"> & {
  value: string | number;
  label?: string;
  /** Takes what was typed; false if it is refused. */
  onCommit(text: string): boolean | void;
};

/** An input that is drawn again only for another value or label: a verdict that arrives leaves what is being typed. */
export class Field extends Component<FieldProps> {
  override shouldComponentUpdate(next: FieldProps): boolean {
    return next.value !== this.props.value || next.label !== this.props.label;
  }

  override render() {
    const { label, onCommit: _, ...rest } = this.props;
    const commit = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      if (this.props.onCommit(currentTarget.value) === false) currentTarget.value = String(this.props.value);
    };
    return <input {...(rest as ComponentProps<"input">)} aria-label={label} onChange={commit} />;
  }
}

const TOOLS = { pen: Pencil, fill: PaintBucket, line: Slash };

export function Tools({ brush, setBrush, history, setHistory }: Pick<DrawProps, "brush" | "setBrush" | "history" | "setHistory">) {
  const t = useTexts().studio;
  const choose = (change: Partial<Brush>) => setBrush((old) => ({ ...old, ...change }));
  const clear = (picture: Picture) => ({ ...picture, cells: new Uint8Array(picture.cells.length) });
  return (
    <div role="group" aria-label={t.tools} class="tools">
      {(Object.keys(TOOLS) as Tool[]).map((tool) => (
        <ToolButton key={tool} icon={TOOLS[tool]} name={t.tool[tool]} title={`${t.tool[tool]} (${tool[0]?.toUpperCase()}): ${t.toolHelp[tool]}`} isPressed={brush.tool === tool} onClick={() => choose({ tool })} />
      ))}
      <ToolButton icon={Undo2} name={t.undo} isDisabled={!history.past.length} onClick={() => setHistory(undo)} />
      <ToolButton icon={Redo2} name={t.redo} isDisabled={!history.future.length} onClick={() => setHistory(redo)} />
      <ToolButton icon={Trash2} name={t.clear} onClick={() => setHistory((old) => push(old, clear(old.present)))} />
      <IconChoice icon={FlipVertical2} label={t.mirror} options={Object.entries(t.mirrors)} value={brush.mirror} onChange={(mirror) => choose({ mirror: mirror as Mirror })} />
    </div>
  );
}

export interface PictureProps {
  picture: Picture;
  onChange(picture: Picture): void;
}

const ARROWS: Record<Direction, IconNode> = { left: ArrowLeft, right: ArrowRight, up: ArrowUp, down: ArrowDown };
const TURNS: Record<Turn, IconNode> = { across: FlipVertical2, over: FlipHorizontal2, left: RotateCcw, right: RotateCw };

export function Shape({ picture, onChange }: PictureProps) {
  const t = useTexts().studio;
  const group = <Way extends string>(label: string, icons: Record<Way, IconNode>, nameOf: (way: Way) => string, act: (picture: Picture, way: Way) => Picture) => (
    <div class="entry" role="group" aria-label={label}>
      <span>{label}</span>
      {(Object.keys(icons) as Way[]).map((way) => (
        <ToolButton key={way} icon={icons[way]} name={nameOf(way)} onClick={() => onChange(act(picture, way))} />
      ))}
    </div>
  );
  return (
    <Panel icon={Grid3x3} title={t.shape} value={`${picture.rows}x${picture.columns}`} isShut>
      <Sides picture={picture} onChange={(rows, columns) => onChange(resize(picture, rows, columns))} />
      {group(t.shift, ARROWS, (direction) => `${t.shift} ${t.shifts[direction]}`, shift)}
      {group(t.turn, TURNS, (how) => t.turns[how], turn)}
    </Panel>
  );
}

/** The numbers of rows and columns. */
export function Sides({ picture, onChange }: { picture: Pick<Picture, "rows" | "columns">; onChange(rows: number, columns: number): void }) {
  const t = useTexts().studio;
  const side = (name: "rows" | "columns") => (
    <label class="entry">
      <span>{t[name]}</span>
      <Field
        type="number"
        min={1}
        max={MOST_LINES}
        value={picture[name]}
        onCommit={(text) => {
          const wanted = Number(text);
          const isValid = Number.isInteger(wanted) && wanted >= 1 && wanted <= MOST_LINES;
          if (isValid) onChange(name === "rows" ? wanted : picture.rows, name === "columns" ? wanted : picture.columns);
          return isValid;
        }}
      />
    </label>
  );
  return (
    <>
      {side("rows")}
      {side("columns")}
    </>
  );
}

interface EffortProps {
  /** Undefined as long as the puzzle has no single solution, or is not graded. */
  grade: Grade | undefined;
  isUnique: boolean;
  isWanted: boolean;
  onWant(isWanted: boolean): void;
}

/** How hard the puzzle is for people, and where they get stuck. */
export function Effort({ grade, isUnique, isWanted, onWant }: EffortProps) {
  const t = useTexts().studio;
  const rounds = grade?.effort.rounds.map((uses, i) => ({ uses, grade: i + 1 })).filter(({ uses }) => uses > 0) ?? [];
  return (
    <Panel icon={Gauge} title={t.effort} value={grade && (grade.level ? t.level(grade.level) : t.grading)}>
      <p class="note">{grade ? rounds.map(({ uses, grade }) => t.rounds(grade, uses)).join(" · ") : t.noGrade}</p>
      <Switch label={t.showHeat} isOn={isWanted} why={!isUnique && t.noGrade} onChange={onWant} />
    </Panel>
  );
}

/** Who made the puzzle, and what others may do with it. */
export function About({ picture, onChange }: PictureProps) {
  const t = useTexts().studio;
  return (
    <Panel icon={Info} title={t.about} value={picture.author ?? ""} isShut>
      {(["author", "licence"] as const).map((name) => (
        <label key={name} class="entry">
          <span>{t[name]}</span>
          <Field
            value={picture[name] ?? ""}
            maxLength={200}
            placeholder={name === "licence" ? "CC BY 4.0" : ""}
            onCommit={(text) => onChange({ ...picture, [name]: text.trim() })}
          />
        </label>
      ))}
    </Panel>
  );
}

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
  isBlank: boolean;
  /** Undefined while nothing is known. */
  repairs: Repair[] | undefined;
  /** The one that the board shows. */
  chosen: Repair | undefined;
  left: number;
  /** How far Adapt has come; undefined while it does not run. */
  adapting: { changes: number; open: number } | undefined;
  /** What it has changed. */
  adapted: string;
  onAdapt(): void;
  onWant(isWanted: boolean): void;
  onChoose(repair: Repair | undefined): void;
  onApply(repair: Repair): void;
}

export function Repairs({ picture, isWanted, isUnique, isBlank, repairs, chosen, left, adapting, adapted, onAdapt, onWant, onChoose, onApply }: RepairsProps) {
  const t = useTexts().studio;
  const language = useLanguage();
  const at = chosen ? (repairs?.indexOf(chosen) ?? -1) : -1;
  const count = repairs?.length ?? 0;
  const go = (step: number) => onChoose(repairs?.[(at + step + count) % count]);
  return (
    <Panel icon={Wrench} title={t.repairs} value={isBlank ? "" : repairs ? t.found(count) : isUnique ? t.noneNeeded : ""}>
      <Switch label={t.showRepairs} isOn={isWanted} onChange={onWant} />
      {isWanted && repairs && !isBlank && <p class="note">{left ? t.searching(left) : count ? t.repairsFound : isUnique ? t.noSimplerRepairs : t.noRepairs}</p>}
      {isWanted && chosen && (
        <div class="entry">
          <ToolButton icon={ChevronLeft} name={t.previous} onClick={() => go(-1)} />
          <span>{t.apply(at + 1, count, colourName(picture.palette[chosen.colour]?.name, language), chosen.effect)}</span>
          <ToolButton icon={ChevronRight} name={t.next} onClick={() => go(1)} />
        </div>
      )}
      <div class="pair">
        {isWanted && chosen && <Button icon={Check} label={t.applyIt} kind="primary" title={`${t.applyIt} (R)`} onClick={() => onApply(chosen)} />}
        <Button icon={WandSparkles} label={adapting ? t.stop : t.adapt} title={t.adaptHelp} isDisabled={(isUnique || isBlank) && !adapting} onClick={onAdapt} />
      </div>
      {adapting && <p class="note">{t.adapting(adapting.changes, adapting.open)}</p>}
      <p role="status" class="note">{adapted}</p>
    </Panel>
  );
}
