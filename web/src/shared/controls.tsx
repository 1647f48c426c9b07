/** Choices, switches and buttons that pages share, with icons of lucide. */

import type { IconNode } from "lucide";
import { h } from "preact";

export function Icon({ of }: { of: IconNode }) {
  return (
    <svg class="i" viewBox="0 0 24 24" aria-hidden="true">{of.map(([tag, attributes], key) => h(tag, { key, ...attributes }))}</svg>
  );
}

interface ChoiceProps {
  label: string;
  /** Value and text of each. */
  options: Iterable<readonly [value: string, text: string, title?: string]>;
  value?: string | undefined;
  onChange(value: string): void;
  id?: string;
}

function Select({ label, options, value, onChange, id, title }: ChoiceProps & { title?: string }) {
  return (
    <select id={id} aria-label={label} title={title} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {[...options].map(([option, text, title]) => (
        <option key={option} value={option} title={title}>{text}</option>
      ))}
    </select>
  );
}

export function Choice(props: ChoiceProps) {
  return (
    <label>
      {props.label} <Select {...props} />
    </label>
  );
}

/** A choice that shows an icon until it is opened, and another colour unless the first option is chosen. */
export function IconChoice({ icon, ...props }: ChoiceProps & { icon: IconNode }) {
  const [first] = props.options;
  return (
    <label class="tool icon-choice" data-name={props.label} data-on={props.value !== first?.[0]}>
      <Icon of={icon} />
      <Select {...props} title={props.label} />
    </label>
  );
}

/** A choice between off and on. */
export function Switch({ label, isOn, why, onChange }: { label: string; isOn: boolean; /** Why it cannot be switched. */ why?: string | false; onChange(isOn: boolean): void }) {
  return (
    <label class="switch" title={why || undefined}>
      <span>{label}</span>
      <input type="checkbox" role="switch" checked={isOn} disabled={Boolean(why)} onChange={(event) => onChange(event.currentTarget.checked)} />
    </label>
  );
}

interface ButtonProps {
  label: string;
  /** For those who do not see what it stands beside. */
  name?: string;
  icon?: IconNode;
  kind?: "primary" | "calm" | "camera";
  title?: string;
  isDisabled?: boolean;
  onClick(): void;
}

/** A button of words, secondary unless it is the primary one of its view or a calm one. */
export function Button({ label, name, icon, kind, title, isDisabled, onClick }: ButtonProps) {
  return (
    <button type="button" class={kind} aria-label={name} title={title} disabled={isDisabled} onClick={onClick}>
      {icon && <Icon of={icon} />}
      {label}
    </button>
  );
}

interface ToolButtonProps {
  icon: IconNode;
  name: string;
  /** More than the name. */
  title?: string;
  isPressed?: boolean;
  isDisabled?: boolean;
  onClick(): void;
}

/** A button that shows an icon: with its name as a tooltip, and below it at the thumb of a phone. */
export function ToolButton({ icon, name, title = name, isPressed, isDisabled, onClick }: ToolButtonProps) {
  return (
    <button type="button" class="tool" aria-label={name} data-name={name} title={title} aria-pressed={isPressed} disabled={isDisabled} onClick={onClick}>
      <Icon of={icon} />
    </button>
  );
}
