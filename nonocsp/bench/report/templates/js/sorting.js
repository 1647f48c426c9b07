/** Sorting by the head of a column, said in aria-sort. */
import { element } from "./dom.js";

/** @typedef {"ascending" | "descending"} Direction */

/**
 * Put a button into a column's head that sorts by it, one way and then the other.
 *
 * @param {HTMLElement} head  A th; what it contains becomes the button.
 * @param {(direction: Direction) => void} sort
 */
export function sortable(head, sort) {
  const button = element("button", { type: "button" }, ...head.childNodes);
  head.replaceChildren(button);
  button.addEventListener("click", () => {
    const direction = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
    for (const other of head.parentElement?.children ?? []) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", direction);
    sort(direction);
  });
}

/** Make every table of the page with the class sortable so. A cell's data-value counts before its text. */
export function makeTablesSortable() {
  for (const table of document.querySelectorAll("table.sortable")) {
    table.querySelectorAll("thead th").forEach((head, column) => {
      sortable(/** @type {HTMLElement} */ (head), (direction) => sortRows(table, column, direction));
    });
  }
}

/** @param {Element} table @param {number} column @param {Direction} direction */
function sortRows(table, column, direction) {
  const body = table.querySelector("tbody");
  if (!body) return;
  const rows = Array.from(body.rows);
  const sign = direction === "ascending" ? 1 : -1;
  rows.sort((a, b) => sign * compare(valueOf(a.cells[column]), valueOf(b.cells[column])));
  body.append(...rows);
}

/** @param {HTMLTableCellElement} cell @returns {string | number} */
function valueOf(cell) {
  const value = cell.dataset.value ?? cell.textContent ?? "";
  const number = Number(value);
  return value === "" || Number.isNaN(number) ? value : number;
}

/** Numbers first, in order; then texts. @param {string | number} a @param {string | number} b */
export function compare(a, b) {
  if (typeof a === "number" && typeof b === "number") return a < b ? -1 : Number(a > b);
  if (typeof a === typeof b) return String(a).localeCompare(String(b), "en", { numeric: true });
  return typeof a === "number" ? -1 : 1;
}
