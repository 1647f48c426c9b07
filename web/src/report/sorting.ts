/** Sorting and filtering the tables that are on the page without a script; the order is said in aria-sort. */

export type Direction = "ascending" | "descending";

/** Put a button into each column's head that sorts by it, the best values first where most are best. */
export function makeTablesSortable() {
  for (const table of document.querySelectorAll<HTMLTableElement>("table.sortable")) {
    const heads = [...table.querySelectorAll<HTMLElement>("thead th")];
    heads.forEach((head, column) => {
      const button = Object.assign(document.createElement("button"), { type: "button" });
      button.append(...head.childNodes);
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const before = head.getAttribute("aria-sort") ?? (head.dataset.best === "most" ? "ascending" : "descending");
        const direction = before === "ascending" ? "descending" : "ascending";
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", direction);
        sortRows(table, column, direction);
      });
    });
  }
}

/** The least rows of a table that has a field to filter them by. */
const MANY_ROWS = 13;

/** Put a field above each long table that leaves the rows with all of its words. */
export function makeTablesFilterable() {
  for (const table of document.querySelectorAll<HTMLTableElement>("table.sortable")) {
    const rows = [...table.tBodies[0]!.rows];
    if (rows.length < MANY_ROWS) continue;
    const field = document.createElement("input");
    Object.assign(field, { type: "search", className: "filter print-less", placeholder: "filter rows" });
    field.setAttribute("aria-label", `Filter the rows: ${table.caption?.textContent ?? ""}`);
    field.addEventListener("input", () => {
      const words = field.value.toLowerCase().split(/\s+/);
      for (const row of rows) row.hidden = !words.every((word) => row.textContent!.toLowerCase().includes(word));
    });
    table.before(field);
  }
}

function sortRows(table: HTMLTableElement, column: number, direction: Direction) {
  const body = table.tBodies[0]!;
  const value = (row: HTMLTableRowElement) => valueOf(row.cells[column]!);
  const ordered = (a: string | number, b: string | number) => (typeof a === typeof b && direction === "descending" ? -1 : 1) * compare(a, b);
  body.append(...Array.from(body.rows).sort((a, b) => ordered(value(a), value(b))));
}

/** A cell's data-value counts before its text. */
function valueOf(cell: HTMLTableCellElement): string | number {
  const value = cell.dataset.value ?? cell.textContent;
  const number = Number(value);
  return value === "" || Number.isNaN(number) ? value : number;
}

/** Numbers first, in order; then texts. */
export function compare(a: string | number, b: string | number): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === typeof b) return String(a).localeCompare(String(b), "en", { numeric: true });
  return typeof a === "number" ? -1 : 1;
}
