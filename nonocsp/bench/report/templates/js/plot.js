/**
 * What all plots share: axes, drawing when in view, and finding points with the pointer or the arrow keys.
 *
 * @import { Scale } from "./scale.js"
 *
 * @typedef {object} Axis
 * @property {Scale} scale
 * @property {string} title
 *
 * @typedef {object} Points  What the pointer can find; places are in the units of the drawing.
 * @property {number} count
 * @property {(point: number) => [number, number]} place
 * @property {(point: number) => (Node | string)[]} describe
 * @property {(point: number) => void} [open]
 * @property {number} [reach]  How far from a point the pointer still finds it.
 *
 * @typedef {object} Plot
 * @property {SVGElement} svg
 * @property {Points} points
 *
 * @typedef {object} Ground
 * @property {SVGElement} svg
 * @property {(x: number, y: number) => [number, number]} place  From values to the drawing's units.
 */
import { shape } from "./dom.js";
import { explore } from "./explore.js";

const LEFT = 84;
const RIGHT = 18;
const TOP = 14;
const BOTTOM = 50;
const TICK_ROOM = 62;
const LETTER = 6.5;
const DOTS_A_PATH = 200;
const MANY = 1500;

/**
 * An empty plot with its axes.
 *
 * @param {number} width @param {number} height @param {Axis} x @param {Axis} y
 * @returns {Ground}
 */
export function ground(width, height, x, y) {
  /** @param {number} value */
  const across = (value) => LEFT + (width - LEFT - RIGHT) * x.scale.share(value);
  /** @param {number} value */
  const up = (value) => height - BOTTOM - (height - TOP - BOTTOM) * y.scale.share(value);
  const svg = sheet(width, height);
  for (const { value, text } of y.scale.ticks) {
    svg.append(shape("line", { class: "rule", x1: LEFT, x2: width - RIGHT, y1: up(value), y2: up(value) }),
      shape("text", { x: LEFT - 8, y: up(value) + 4, "text-anchor": "end" }, text));
  }
  /** @param {import("./scale.js").Tick} tick */
  const centre = ({ value, text }) => Math.min(across(value), width - (LETTER * text.length) / 2);
  for (const tick of thinned(x.scale.ticks, centre)) {
    const { value, text } = tick;
    svg.append(shape("line", { class: "rule", x1: across(value), x2: across(value), y1: TOP, y2: height - BOTTOM }),
      shape("text", { x: centre(tick), y: height - BOTTOM + 18, "text-anchor": "middle" }, text));
  }
  const middle = (TOP + height - BOTTOM) / 2;
  svg.append(
    shape("path", { class: "axis", d: `M${LEFT} ${TOP}V${height - BOTTOM}H${width - RIGHT}` }),
    shape("text", { class: "title", x: (LEFT + width - RIGHT) / 2, y: height - 8, "text-anchor": "middle" }, x.title),
    shape("text", { class: "title", x: 14, y: middle, "text-anchor": "middle", transform: `rotate(-90 14 ${middle})` },
      y.title));
  return { svg, place: (a, b) => [across(a), up(b)] };
}

/** @param {number} width @param {number} height @returns {SVGElement} */
export function sheet(width, height) {
  return shape("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
}

/**
 * Dots as few paths, so that thousands are drawn at once; where those of different paths overlap it is darker.
 *
 * @param {[number, number][]} places @param {string} style  Classes.
 * @returns {SVGElement}
 */
export function dots(places, style) {
  const group = shape("g", { class: `dots ${style}${places.length > MANY ? " many" : ""}` });
  const paths = Math.ceil(places.length / DOTS_A_PATH);
  for (let first = 0; first < paths; first++) {
    let path = "";
    for (let i = first; i < places.length; i += paths) {
      path += `M${places[i][0].toFixed(1)} ${places[i][1].toFixed(1)}h0`;
    }
    group.append(shape("path", { d: path }));
  }
  return group;
}

/** @param {[number, number][]} places @param {string} style @returns {SVGElement} */
export function curve(places, style) {
  const points = places.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
  return shape("polyline", { class: `curve ${style}`, points });
}

/** The area between two lines. @param {[number, number][]} lower @param {[number, number][]} upper
 * @param {string} style @returns {SVGElement} */
export function band(lower, upper, style) {
  const points = [...lower, ...upper.toReversed()].map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
  return shape("polygon", { class: `band ${style}`, points });
}

/**
 * Keep a plot drawn in a container: from when it is first near the view, and anew when the width changes.
 *
 * @param {HTMLElement} container
 * @param {(width: number) => Plot} draw
 * @returns {() => void} Draws it anew because what it shows has changed.
 */
export function keepDrawn(container, draw) {
  /** @type {Plot | null} */
  let plot = null;
  let width = 0;
  const redraw = () => {
    width = container.clientWidth || width;
    if (!width) return;
    plot = draw(width);
    container.replaceChildren(plot.svg);
  };
  const first = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) begin();
  }, { rootMargin: "400px" });
  const begin = () => {
    first.disconnect();
    removeEventListener("beforeprint", begin);
    redraw();
    new ResizeObserver(() => container.clientWidth !== width && redraw()).observe(container);
  };
  first.observe(container);
  addEventListener("beforeprint", begin);
  explore(container, () => plot);
  return () => { if (plot) redraw(); };
}

/** Leave out ticks whose texts would overlap; the last one stays.
 * @param {import("./scale.js").Tick[]} ticks @param {(tick: import("./scale.js").Tick) => number} centre */
function thinned(ticks, centre) {
  let start = Infinity;
  return ticks.toReversed().filter((tick) => {
    if (start - centre(tick) < TICK_ROOM) return false;
    start = centre(tick);
    return true;
  });
}
