/** Finding the points of a plot: with the pointer, or with the arrow keys once the plot has the focus. */
/** @import { Plot, Points } from "./plot.js" */
import { byId, element, shape } from "./dom.js";

const REACH = 18;
/** @type {Record<string, (place: number, last: number) => number>} */
const KEYS = {
  ArrowRight: (place, last) => Math.min(place + 1, last),
  ArrowLeft: (place) => Math.max(place - 1, 0),
  ArrowUp: (place, last) => Math.min(place + 10, last),
  ArrowDown: (place) => Math.max(place - 10, 0),
  Home: () => 0,
  End: (_, last) => last,
};

/**
 * Show what a point is when it is pointed at or walked to; open it on a click or Enter.
 *
 * @param {HTMLElement} container
 * @param {() => Plot | null} current
 */
export function explore(container, current) {
  /** @type {{plot: Plot, point: number} | null} */
  let found = null;
  /** @param {Plot} plot @param {number} point */
  const show = (plot, point) => {
    found = { plot, point };
    mark(plot, point);
    showTip(plot.points.describe(point), clientPlace(plot, point));
  };
  const leave = () => {
    if (found) unmark(found.plot);
    found = null;
    hideTip();
  };
  const open = () => found?.plot.points.open?.(found.point);
  container.addEventListener("pointermove", (event) => {
    const plot = current();
    const point = plot ? nearest(plot, event) : -1;
    if (plot && point >= 0) show(plot, point);
    else leave();
  });
  container.addEventListener("pointerleave", leave);
  container.addEventListener("blur", leave);
  container.addEventListener("click", open);
  container.addEventListener("keydown", (event) => {
    const plot = current();
    if (event.key === "Enter") {
      event.preventDefault(); // or the key would close the dialog that it opens
      open();
    } else if (event.key === "Escape") leave();
    else if (plot?.points.count && event.key in KEYS) {
      event.preventDefault();
      const point = walk(plot.points, found?.plot === plot ? found.point : -1, KEYS[event.key]);
      show(plot, point);
      byId("status").replaceChildren(...plot.points.describe(point).map((part) => spoken(part)));
    }
  });
}

/** The next point from left to right, then from bottom to top.
 * @param {Points} points @param {number} point @param {(place: number, last: number) => number} step */
function walk(points, point, step) {
  const order = Array.from({ length: points.count }, (_, i) => i);
  const places = order.map((i) => points.place(i));
  order.sort((a, b) => places[a][0] - places[b][0] || places[b][1] - places[a][1]);
  return order[step(order.indexOf(point), order.length - 1)];
}

/** @param {Plot} plot @param {MouseEvent} event @returns {number} The point in reach, or -1. */
function nearest({ svg, points }, event) {
  const box = svg.getBoundingClientRect();
  const scale = viewWidth(svg) / box.width;
  const x = (event.clientX - box.left) * scale;
  const y = (event.clientY - box.top) * scale;
  let [best, least] = [-1, (points.reach ?? REACH) ** 2];
  for (let point = 0; point < points.count; point++) {
    const [px, py] = points.place(point);
    const distance = (px - x) ** 2 + (py - y) ** 2;
    if (distance < least) [best, least] = [point, distance];
  }
  return best;
}

/** @param {Plot} plot @param {number} point @returns {[number, number]} In the window. */
function clientPlace({ svg, points }, point) {
  const box = svg.getBoundingClientRect();
  const scale = box.width / viewWidth(svg);
  const [x, y] = points.place(point);
  return [box.left + x * scale, box.top + y * scale];
}

/** @param {SVGElement} svg @returns {number} */
function viewWidth(svg) {
  return Number(svg.getAttribute("viewBox")?.split(" ")[2]);
}

/** @param {Plot} plot @param {number} point */
function mark(plot, point) {
  unmark(plot);
  const [cx, cy] = plot.points.place(point);
  plot.svg.append(shape("circle", { class: "found", cx, cy, r: 6 }));
}

/** @param {Plot} plot */
function unmark(plot) {
  plot.svg.querySelector(".found")?.remove();
}

/** @param {(Node | string)[]} parts @param {[number, number]} place */
function showTip(parts, [x, y]) {
  const tip = byId("tip");
  tip.replaceChildren(...parts.map((part) => (part instanceof SVGElement ? part : element("p", {}, part))));
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  const right = x + 16 + width < innerWidth ? x + 16 : x - 16 - width;
  tip.style.left = `${Math.max(4, right)}px`;
  tip.style.top = `${Math.max(4, Math.min(y - height / 2, innerHeight - height - 4))}px`;
}

function hideTip() {
  byId("tip").hidden = true;
}

/** @param {Node | string} part @returns {string} What a screen reader says of it. */
function spoken(part) {
  return part instanceof Element ? `${part.getAttribute("aria-label") ?? part.textContent} ` : `${part}. `;
}
