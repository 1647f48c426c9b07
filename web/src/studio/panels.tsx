/** The controls around the grid. */

import { FlipHorizontal2, PaintBucket, Pencil, Plus, Redo2, Slash, Trash2, Undo2 } from "lucide";
import { Component, type ComponentChildren } from "preact";
import { inkClass, readableOn } from "../board/board.tsx";
import { type Change, EFFECTS } from "../core/module.ts";
import type { Grade } from "../core/records.ts";
import { addColour, type Direction, INKS, isPlain, MOST_LINES, type Mirror, type Picture, renameColour, resize, shift } from "../model/picture.ts";
import { Icon, ToolButton } from "../shared/icons.tsx";
import { useTexts } from "../texts/language.ts";

export type Tool = "pen" | "fill" | "line";

/** Panels are open at first where they fit beside the picture. */
const IS_WIDE = matchMedia("(min-width: 60rem)").matches;

export function Panel({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <details class="panel" open={IS_WIDE}>
      <summary>{title}</summary>
      <div>{children}</div>
    </details>
  );
}

interface FieldProps {
  value: string | number;
  /** Takes what was typed; false if it is refused. */
  onCommit(text: string): boolean;
  type?: "text" | "number";
  label?: string;
  min?: number;
  max?: number;
  maxLength?: number;
}

/** An input that is drawn again only for another value or label: a verdict that arrives leaves what is being typed. */
class Field extends Component<FieldProps> {
  override shouldComponentUpdate(next: FieldProps): boolean {
    return next.value !== this.props.value || next.label !== this.props.label;
  }

  override render() {
    const { value, label, type, min, max, maxLength } = this.props;
    return (
      <input
        type={type as "text"} // the types of Preact want it to be a constant
        min={min}
        max={max}
        maxLength={maxLength}
        aria-label={label}
        value={value}
        onChange={({ currentTarget }) => {
          if (!this.props.onCommit(currentTarget.value)) currentTarget.value = String(this.props.value);
        }}
      />
    );
  }
}

export interface ToolsProps {
  tool: Tool;
  mirror: Mirror;
  canUndo: boolean;
  canRedo: boolean;
  onTool(tool: Tool): void;
  onMirror(mirror: Mirror): void;
  onUndo(): void;
  onRedo(): void;
  onClear(): void;
}

const TOOLS = { pen: Pencil, fill: PaintBucket, line: Slash };

export function Tools({ tool, mirror, canUndo, canRedo, ...on }: ToolsProps) {
  const t = useTexts().studio;
  return (
    <div role="group" aria-label={t.tools} class="tools">
      {(Object.keys(TOOLS) as Tool[]).map((each) => (
        <ToolButton key={each} icon={TOOLS[each]} name={t.tool[each]} title={`${t.tool[each]} (${each[0]?.toUpperCase()}): ${t.toolHelp[each]}`} isPressed={tool === each} onClick={() => on.onTool(each)} />
      ))}
      <ToolButton icon={Undo2} name={t.undo} isDisabled={!canUndo} onClick={on.onUndo} />
      <ToolButton icon={Redo2} name={t.redo} isDisabled={!canRedo} onClick={on.onRedo} />
      <ToolButton icon={Trash2} name={t.clear} onClick={on.onClear} />
      <label class="mirror">
        <Icon of={FlipHorizontal2} />
        <select aria-label={t.mirror} title={t.mirror} value={mirror} onChange={(event) => on.onMirror(event.currentTarget.value as Mirror)}>
          {Object.entries(t.mirrors).map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

interface PictureProps {
  picture: Picture;
  onChange(picture: Picture): void;
}

export function Size({ picture, onChange }: PictureProps) {
  const t = useTexts().studio;
  const side = (name: string, value: number, change: (value: number) => Picture) => (
    <label>
      {name}{" "}
      <Field
        type="number"
        min={1}
        max={MOST_LINES}
        value={value}
        onCommit={(text) => {
          const wanted = Number(text);
          const isValid = Number.isInteger(wanted) && wanted >= 1 && wanted <= MOST_LINES;
          if (isValid) onChange(change(wanted));
          return isValid;
        }}
      />
    </label>
  );
  const arrows: Record<Direction, string> = { up: "↑", down: "↓", left: "←", right: "→" };
  return (
    <Panel title={t.size}>
      {side(t.rows, picture.rows, (rows) => resize(picture, rows, picture.columns))}
      {side(t.columns, picture.columns, (columns) => resize(picture, picture.rows, columns))}
      <span role="group" aria-label={t.shift}>
        {(Object.keys(arrows) as Direction[]).map((direction) => (
          <button key={direction} type="button" aria-label={`${t.shift} ${t.shifts[direction]}`} onClick={() => onChange(shift(picture, direction))}>
            {arrows[direction]}
          </button>
        ))}
      </span>
    </Panel>
  );
}

/** The colour to draw with. */
export function Inks({ picture, onChange, chosen, onChoose }: PictureProps & { chosen: number; onChoose(colour: number): void }) {
  const t = useTexts().studio;
  return (
    <div role="group" aria-label={t.colours} class="inks">
      {picture.palette.map(({ name, rgb, char }, i) => (
        <button
          key={char}
          type="button"
          class={`swatch ${inkClass(i)}`}
          style={isPlain(picture.palette) ? { "--c": `var(--${i ? "ink" : "paper"})` } : { "--c": rgb, "--on-c": readableOn(rgb) }}
          title={`${i}: ${name}`}
          aria-label={name}
          aria-pressed={chosen === i}
          onClick={() => onChoose(i)}
        />
      ))}
      <ToolButton
        icon={Plus}
        name={t.addColour}
        isDisabled={picture.palette.length > INKS.length}
        onClick={() => {
          onChange(addColour(picture));
          onChoose(picture.palette.length);
        }}
      />
    </div>
  );
}

/** Names and values of the colours. */
export function Colours({ picture, onChange }: PictureProps) {
  const t = useTexts().studio;
  return (
    <Panel title={t.colours}>
      {picture.palette.map(({ name, rgb, char }, i) => (
        <span key={char} class="colour">
          <span aria-hidden="true">{i}</span>
          <Field
            label={t.colourName(name)}
            value={name}
            maxLength={40}
            onCommit={(text) => {
              const wanted = text.trim();
              const isValid = wanted !== "" && !picture.palette.some((other) => other.name === wanted);
              if (isValid) onChange(renameColour(picture, i, { name: wanted }));
              return isValid;
            }}
          />
          <input type="color" aria-label={t.colourValue(name)} value={rgb} onChange={(event) => onChange(renameColour(picture, i, { rgb: event.currentTarget.value }))} />
        </span>
      ))}
    </Panel>
  );
}

export interface RepairsProps {
  picture: Picture;
  isWanted: boolean;
  isUnique: boolean;
  /** For each cell and colour the index of its effect; undefined while nothing is known. */
  effects: Uint8Array | undefined;
  left: number;
  /** How far Adapt has come; undefined while it does not run. */
  adapting: { changes: number; open: number } | undefined;
  onAdapt(): void;
  onWant(isWanted: boolean): void;
  onApply(change: Change): void;
}

const MOST_SHOWN = 6;

export function Repairs({ picture, isWanted, isUnique, effects, left, adapting, onAdapt, onWant, onApply }: RepairsProps) {
  const t = useTexts().studio;
  const colours = picture.palette.length;
  const changes = Array.from(effects ?? [], (effect, i) => ({ effect, i }))
    .filter(({ effect }) => effect > 1)
    .sort((a, b) => b.effect - a.effect || a.i - b.i);
  return (
    <Panel title={t.repairs}>
      <button type="button" aria-pressed={isWanted} onClick={() => onWant(!isWanted)}>
        {t.showRepairs}
      </button>
      <button type="button" title={t.adaptHelp} disabled={isUnique && !adapting} onClick={onAdapt}>
        {adapting ? t.stop : t.adapt}
      </button>
      {adapting && <p>{t.adapting(adapting.changes, adapting.open)}</p>}
      {isWanted && effects && (
        <>
          <p>{left ? t.searching(left) : changes.length ? t.repairsFound(changes.length) : isUnique ? t.noSimplerRepairs : t.noRepairs}</p>
          <ul>
            {changes.slice(0, MOST_SHOWN).map(({ effect, i }) => {
              const cell = Math.floor(i / colours);
              const change = { row: Math.floor(cell / picture.columns), column: cell % picture.columns, colour: i % colours };
              const name = picture.palette[change.colour]?.name ?? "";
              return (
                <li key={i}>
                  <button type="button" onClick={() => onApply(change)}>
                    {t.apply(change.row, change.column, name, EFFECTS[effect] ?? "none")}
                  </button>
                </li>
              );
            })}
          </ul>
          {changes.length > MOST_SHOWN && <p>{t.more(changes.length - MOST_SHOWN)}</p>}
        </>
      )}
    </Panel>
  );
}

interface EffortProps {
  /** Undefined as long as the puzzle has no single solution, or is not graded. */
  grade: Grade | undefined;
  isWanted: boolean;
  onWant(isWanted: boolean): void;
}

/** How hard the puzzle is for people, and where they get stuck. */
export function Effort({ grade, isWanted, onWant }: EffortProps) {
  const t = useTexts().studio;
  const rounds = grade?.effort.rounds.map((uses, i) => ({ uses, grade: i + 1 })).filter(({ uses }) => uses > 0) ?? [];
  return (
    <Panel title={t.effort}>
      <button type="button" aria-pressed={isWanted} onClick={() => onWant(!isWanted)}>
        {t.showHeat}
      </button>
      <p>{grade ? `${grade.level ? t.level(grade.level) : t.grading} ${rounds.map(({ uses, grade }) => t.rounds(grade, uses)).join(" · ")}` : t.noGrade}</p>
    </Panel>
  );
}

export function Title({ title, onTitle }: { title: string; onTitle(title: string): void }) {
  const t = useTexts().studio;
  return (
    <Panel title={t.title}>
      <Field
        label={t.title}
        value={title}
        maxLength={200}
        onCommit={(text) => {
          onTitle(text);
          return true;
        }}
      />
    </Panel>
  );
}
