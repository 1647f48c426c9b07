// A nonogram solver that tries all placements of a row that fit the columns so far, row after row.
// Reads a puzzle as JSON on its standard input, and prints JSON: {"answer": …, "solutions": [[".#", …], …]}.
import { readFileSync } from "node:fs";

const puzzle = JSON.parse(readFileSync(0, "utf8"));
const [wanted] = process.argv.slice(2).map(Number);
const width = puzzle.columns.length;
const solutions = [];

function placements(clue, length) { // every line with this clue, as text
  if (clue.length === 0) return [".".repeat(length)];
  const [block, ...rest] = clue, found = [];
  const least = rest.reduce((sum, next) => sum + next + 1, block);
  for (let start = 0; start + least <= length; start++) {
    const head = ".".repeat(start) + "#".repeat(block) + (rest.length ? "." : "");
    for (const tail of placements(rest, length - head.length)) found.push(head + tail);
  }
  return found;
}
function fits(column, clue, complete) { // can this beginning of a column go on?
  const runs = (column.match(/#+/g) ?? []).map((run) => run.length);
  if (complete || runs.length > clue.length) return runs.join() === clue.join();
  return runs.every((run, i) => (i + 1 < runs.length ? run === clue[i] : run <= clue[i]));
}
const rows = puzzle.rows.map((clue) => placements(clue, width));
function search(grid) {
  if (grid.length === rows.length) { solutions.push(grid); return; }
  for (const row of rows[grid.length]) {
    const next = [...grid, row], complete = next.length === rows.length;
    const good = puzzle.columns.every((clue, x) => fits(next.map((line) => line[x]).join(""), clue, complete));
    if (good && solutions.length < wanted) search(next);
  }
}
search([]);
const answer = ["unsat", "unique", "multiple"][Math.min(2, solutions.length)];
console.log(JSON.stringify({ answer: wanted > 1 || !solutions.length ? answer : "solved", solutions }));
