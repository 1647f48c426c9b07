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

/** The class of an entrant's colour, for strokes: one backend has one colour, in whichever campaign.
 * @param {Data} data @param {number} entrant @returns {string} */
export function stroke(data, entrant) {
  return `s${backendNumber(data, entrant) % COLOURS}`;
}

/** The class of its dashes: they tell campaigns apart, and in a single one colours that come again.
 * @param {Data} data @param {number} entrant @returns {string} */
export function dash(data, entrant) {
  const again = Math.floor(backendNumber(data, entrant) / COLOURS);
  return `d${(again + data.entrants[entrant].campaign) % DASHES}`;
}

/** @param {Data} data @param {number} entrant */
function backendNumber({ entrants }, entrant) {
  const backends = [...new Set(entrants.map(({ backend }) => backend))];
  return backends.indexOf(entrants[entrant].backend);
}

/**
 * A button for each entrant that shows and hides it.
 *
 * @param {Data} data @param {Selection} selection @param {(entrant: number) => string} note
 * @returns {HTMLElement}
 */
export function legend(data, selection, note) {
  const buttons = data.entrants.map(({ label }, entrant) => element("button",
    { type: "button", "aria-pressed": "true", click: () => selection.toggle(entrant) },
    swatch(data, entrant), label, " ", element("span", { class: "soft" }, note(entrant))));
  selection.onChange(() => buttons.forEach((button, entrant) => {
    button.setAttribute("aria-pressed", String(!selection.hidden.has(entrant)));
  }));
  return element("div", { class: "legend", role: "group", "aria-label": "Backends shown" }, ...buttons);
}

/** @param {Data} data @param {number} entrant @returns {SVGElement} */
function swatch(data, entrant) {
  return shape("svg", { viewBox: "0 0 34 10", class: "swatch", "aria-hidden": "true" },
    shape("path", { class: `curve ${stroke(data, entrant)} ${dash(data, entrant)}`, d: "M0 5h34" }));
}
