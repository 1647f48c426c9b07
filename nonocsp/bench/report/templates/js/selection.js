/** Which entrants the plots show: one choice for all of them, made in their legends. */
/** @import { Data } from "./data.js" */
import { element, shape } from "./dom.js";

const COLOURS = 8;
const DASHES = 4;

/** The entrants that are shown; tells those who listen when that changes. */
export class Selection {
  /** @param {Data} data */
  constructor(data) {
    /** @type {Set<number>} */
    this.hidden = new Set();
    this.all = data.entrants.map((_, number) => number);
    /** @type {(() => void)[]} */
    this.listeners = [];
  }

  get shown() { return this.all.filter((entrant) => !this.hidden.has(entrant)); }

  /** @param {number} entrant */
  toggle(entrant) {
    if (!this.hidden.delete(entrant)) this.hidden.add(entrant);
    for (const listener of this.listeners) listener();
  }

  /** @param {() => void} listener */
  onChange(listener) { this.listeners.push(listener); }
}

/** @param {number} entrant @returns {string} The class of its colour, for strokes. */
export function stroke(entrant) { return `s${entrant % COLOURS}`; }

/** @param {number} entrant @returns {string} The class of its dashes: colours come again after eight. */
export function dash(entrant) { return `d${Math.floor(entrant / COLOURS) % DASHES}`; }

/**
 * A button for each entrant that shows and hides it.
 *
 * @param {Data} data @param {Selection} selection @param {(entrant: number) => string} note
 * @returns {HTMLElement}
 */
export function legend(data, selection, note) {
  const buttons = data.entrants.map(({ label }, entrant) => element("button",
    { type: "button", "aria-pressed": "true", click: () => selection.toggle(entrant) },
    swatch(entrant), label, " ", element("span", { class: "soft" }, note(entrant))));
  selection.onChange(() => buttons.forEach((button, entrant) => {
    button.setAttribute("aria-pressed", String(!selection.hidden.has(entrant)));
  }));
  return element("div", { class: "legend", role: "group", "aria-label": "Backends shown" }, ...buttons);
}

/** @param {number} entrant @returns {SVGElement} */
function swatch(entrant) {
  return shape("svg", { viewBox: "0 0 34 10", class: "swatch", "aria-hidden": "true" },
    shape("path", { class: `curve ${stroke(entrant)} ${dash(entrant)}`, d: "M0 5h34" }));
}
