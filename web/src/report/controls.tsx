/** Controls that plots and tables share, and elements of the page. */

import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";

export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element #${id}`);
  return found;
}

interface ChoiceProps {
  label: string;
  /** Value and text of each. */
  options: [string, string][];
  value: string;
  onChange(value: string): void;
}

export function Choice({ label, options, value, onChange }: ChoiceProps) {
  return (
    <Labelled label={label}>
      {(id) => (
        <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

interface LabelledProps {
  label: string;
  children: (id: string) => ComponentChild;
}

let labelled = 0;

/** The identifiers are our own, since those of Preact come again in every card of the page. */
export function Labelled({ label, children }: LabelledProps) {
  const [id] = useState(() => `control-${labelled++}`);
  return (
    <span class="control">
      <label for={id}>{label}</label> {children(id)}
    </span>
  );
}
