// Show the puzzle that the pointer or the arrow keys find on a curve; the page is complete without it.
const curves = JSON.parse(document.getElementById("data").textContent);
const plot = document.getElementById("plot");
const [X, Y, IMAGE] = [2, 3, 4];
const REACH = 40; // units of the drawing

/** Show the puzzle at a point of a curve, or none. */
function show(curve, point) {
  const tip = document.getElementById("tip");
  const mark = document.getElementById("mark");
  tip.hidden = curve === null;
  mark.setAttribute("visibility", curve === null ? "hidden" : "visible");
  highlight(curve);
  if (curve === null) return;
  const [depth, difficulty, x, y, image] = curves[curve].points[point];
  mark.setAttribute("cx", x);
  mark.setAttribute("cy", y);
  tip.replaceChildren(line(`${curves[curve].name}: difficulty ${difficulty}`), line(`${depth} cells changed`), picture(image));
  place(tip, mark.getBoundingClientRect());
}

function line(text) {
  const paragraph = document.createElement("p");
  paragraph.textContent = text;
  return paragraph;
}

function picture(uri) {
  const image = document.createElement("img");
  image.className = "cells";
  image.src = uri;
  image.alt = "the puzzle at this point";
  return image;
}

/** Put the tip beside a point, inside the window. */
function place(tip, at) {
  const { width, height } = tip.getBoundingClientRect();
  const left = at.right + 12 + width < innerWidth ? at.right + 12 : Math.max(4, at.left - 12 - width);
  tip.style.left = `${left}px`;
  tip.style.top = `${Math.max(4, Math.min(at.top - height / 2, innerHeight - height - 4))}px`;
}

/** Fade all curves but one. */
function highlight(chosen) {
  plot.querySelectorAll(".curve").forEach((curve, i) => curve.classList.toggle("faded", chosen !== null && i !== chosen));
}

function nearest(x, y) {
  let best = { distance: REACH, curve: null, point: 0 };
  curves.forEach(({ points }, curve) => points.forEach((at, point) => {
    const distance = Math.hypot(at[X] - x, at[Y] - y);
    if (distance < best.distance) best = { distance, curve, point };
  }));
  return best;
}

function follow(event) {
  const svg = plot.querySelector("svg");
  const { left, top, width } = svg.getBoundingClientRect();
  const scale = svg.viewBox.baseVal.width / width;
  const { curve, point } = nearest((event.clientX - left) * scale, (event.clientY - top) * scale);
  show(curve, point);
}

/** Let the arrow keys walk along the curves. */
function walk() {
  let [curve, point] = [0, 0];
  const within = (value, count) => Math.max(0, Math.min(value, count - 1));
  plot.addEventListener("focus", () => show(curve, point));
  plot.addEventListener("blur", () => show(null));
  plot.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (event.key === "Escape") show(null);
    if (!step) return;
    event.preventDefault();
    curve = within(curve + step[0], curves.length);
    point = within(point + step[1], curves[curve].points.length);
    show(curve, point);
  });
}

if (plot) {
  plot.addEventListener("pointermove", follow);
  plot.addEventListener("pointerdown", follow);
  plot.addEventListener("pointerleave", () => show(null));
  walk();
  for (const part of document.querySelectorAll("[data-curve]")) {
    part.addEventListener("pointerenter", () => highlight(Number(part.dataset.curve)));
    part.addEventListener("pointerleave", () => highlight(null));
  }
}
document.body.dataset.ready = "";
