/** Icons of lucide, and buttons that show one: with its name as a tooltip, and below it at the thumb of a phone. */

import type { IconNode } from "lucide";
import { h } from "preact";

export function Icon({ of }: { of: IconNode }) {
  return (
    <svg class="i" viewBox="0 0 24 24" aria-hidden="true">
      {of.map(([tag, attributes], key) => h(tag, { key, ...attributes }))}
    </svg>
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
