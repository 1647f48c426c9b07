/** Sorting the tables that are on the page without a script, by the head of a column, said in aria-sort. */

export type Direction = "ascending" | "descending";

/** Put a button into each column's head that sorts by it, one way and then the other. */
export function makeTablesSortable() {
  for (const table of document.querySelectorAll<HTMLTableElement>("table.sortable")) {
    const heads = [...table.querySelectorAll<HTMLElement>("thead th")];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const direction = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", direction);
        sortRows(table, column, direction);
      });
    });
  }
}

function sortRows(table: HTMLTableElement, column: number, direction: Direction) {
  const body = table.tBodies[0]!;
  const sign = direction === "ascending" ? 1 : -1;
  const value = (row: HTMLTableRowElement) => valueOf(row.cells[column]!);
  body.append(...Array.from(body.rows).sort((a, b) => sign * compare(value(a), value(b))));
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
