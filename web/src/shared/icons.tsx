/** Icons of lucide, and buttons that show one: with its name as a tooltip, and below it at the thumb of a phone. */

import type { IconNode } from "lucide";
import { h } from "preact";
import type { ChoiceProps } from "./parts.tsx";

export function Icon({ of }: { of: IconNode }) {
  return (
    <svg class="i" viewBox="0 0 24 24" aria-hidden="true">
      {of.map(([tag, attributes], key) => h(tag, { key, ...attributes }))}
    </svg>
  );
}

/** A choice that shows an icon until it is opened, and another colour unless the first option is chosen. */
export function IconChoice({ icon, label, options, value, onChange }: ChoiceProps & { icon: IconNode }) {
  const [first, ...others] = options;
  return (
    <label class="tool icon-choice" data-on={value !== first?.[0]}>
      <Icon of={icon} />
      <select aria-label={label} title={label} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {[first, ...others].map(([option, text] = ["", ""]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
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

export function ToolButton({ icon, name, title = name, isPressed, isDisabled, onClick }: ToolButtonProps) {
  return (
    <button type="button" class="tool" aria-label={name} title={title} aria-pressed={isPressed} disabled={isDisabled} onClick={onClick}>
      <Icon of={icon} />
      <span class="name" aria-hidden="true">
        {name}
      </span>
    </button>
  );
}
