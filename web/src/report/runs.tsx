/** The table of all runs: filtered, sorted, a page at a time. */

import { useMemo, useState } from "preact/hooks";
import { Choice } from "../shared/controls.tsx";
import type { Data } from "./data.ts";
import { count, duration, mebibytes, plural } from "./format.ts";
import { openRun } from "./run.tsx";
import { compare, type Direction } from "./sorting.ts";

const PAGE = 50;
const ANY = "";

/** What is chosen; `ANY` is no choice. */
interface Filter {
  /** Part of the puzzle's name or of the message, in lower case. */
  text: string;
  entrant: string;
  answer: string;
  termination: string;
}

interface Column {
  name: string;
  text(run: number): string;
  /** What it is sorted by. */
  value(run: number): number | string;
}

interface Order {
  column: Column;
  direction: Direction;
}

export function Runs({ data }: { data: Data }) {
  const columns = useMemo(() => columnsOf(data), [data]);
  const [filter, setFilter] = useState<Filter>({ text: "", entrant: ANY, answer: ANY, termination: ANY });
  const [order, setOrder] = useState<Order>();
  const [wanted, setPage] = useState(0);
  const ranked = useMemo(() => rank(data, order), [data, order]);
  const matching = useMemo(() => ranked.filter(test(data, filter)), [data, ranked, filter]);

  const pages = Math.max(1, Math.ceil(matching.length / PAGE));
  const page = Math.max(0, Math.min(wanted, pages - 1));
  const runs = Array.from(matching.subarray(page * PAGE, (page + 1) * PAGE));
  const choose = (part: Partial<Filter>) => {
    setFilter({ ...filter, ...part });
    setPage(0);
  };
  const sort = (column: Column) => {
    const isAscending = order?.column === column && order.direction === "ascending";
    setOrder({ column, direction: isAscending ? "descending" : "ascending" });
    setPage(0);
  };
  return (
    <>
      <Filters data={data} filter={filter} onChange={choose} />
      <div class="scroll" tabIndex={0} role="group" aria-labelledby="runs-title">
        <table>
          <caption class="unseen">Runs</caption>
          <thead id="runs-head">
            <tr>
              {columns.map((column) => (
                <th key={column.name} scope="col" aria-sort={order?.column === column ? order.direction : undefined}>
                  <button type="button" onClick={() => sort(column)}>
                    {column.name}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody id="runs-body">
            {runs.map((run) => (
              <Row key={run} data={data} columns={columns} run={run} />
            ))}
          </tbody>
        </table>
      </div>
      <div class="controls" id="runs-pager">
        <span id="runs-count" role="status">
          {runs.length
            ? `${count(page * PAGE + 1)} to ${count(page * PAGE + runs.length)} of ${plural(matching.length, "run")}`
            : "no run matches"}
        </span>
        {Object.entries({ first: 0, previous: page - 1, next: page + 1, last: pages - 1 }).map(([name, target]) => (
          <button key={name} type="button" onClick={() => setPage(target)}>
            {name}
          </button>
        ))}
      </div>
    </>
  );
}

function Filters({ data, filter, onChange }: { data: Data; filter: Filter; onChange(part: Partial<Filter>): void }) {
  const { answers, terminations } = data.contents;
  const any: [string, string] = [ANY, "any"];
  const named = (names: string[]) => [any, ...names.map((name): [string, string] => [name, name])];
  const backends = data.entrants.map(({ label }, number): [string, string] => [`${number}`, label]);
  return (
    <div class="controls" id="runs-filters" role="search" aria-label="Choose runs">
      <label>
        text <input type="search" placeholder="puzzle or message" onInput={(event) => onChange({ text: event.currentTarget.value.toLowerCase() })} />
      </label>
      <Choice label="backend" options={[any, ...backends]} value={filter.entrant} onChange={(entrant) => onChange({ entrant })} />
      <Choice label="answer" options={named(answers)} value={filter.answer} onChange={(answer) => onChange({ answer })} />
      <Choice label="ended by" options={named(terminations)} value={filter.termination} onChange={(termination) => onChange({ termination })} />
    </div>
  );
}

function Row({ data, columns: [puzzle, ...others], run }: { data: Data; columns: Column[]; run: number }) {
  return (
    <tr class={data.isDecided(run) ? "" : "undecided"}>
      <th scope="row">
        <button type="button" class="link" onClick={() => openRun(data, run)}>
          {puzzle!.text(run)}
        </button>
      </th>
      {others.map(({ name, text }) => (
        <td key={name}>{text(run)}</td>
      ))}
    </tr>
  );
}

/** All runs in the order of a column: numbers, of which there may be a hundred thousand, as an array of numbers. */
function rank(data: Data, order: Order | undefined): Uint32Array {
  const runs = Uint32Array.from({ length: data.count }, (_, run) => run);
  if (!order) return runs;
  const sign = order.direction === "ascending" ? 1 : -1;
  const values = Array.from(runs, order.column.value);
  if (values.some((value) => typeof value === "string")) {
    return runs.sort((a, b) => sign * compare(values[a]!, values[b]!) || a - b);
  }
  const numbers = Float64Array.from(values as number[]);
  return runs.sort((a, b) => sign * (numbers[a]! - numbers[b]!) || a - b);
}

/** Whether a run passes the filter. */
function test(data: Data, { text, entrant, answer, termination }: Filter): (run: number) => boolean {
  const { puzzles, messages } = data.contents;
  const inName = puzzles.name.map((name) => name.toLowerCase().includes(text));
  const inMessage = messages.map((message) => message.toLowerCase().includes(text));
  return (run) =>
    (entrant === ANY || data.entrantOf[run] === Number(entrant)) &&
    (answer === ANY || data.answer(run) === answer) &&
    (termination === ANY || data.termination(run) === termination) &&
    (inName[data.puzzle(data.instanceOf[run]!)]! || inMessage[data.runs.message[run]!]!);
}

function columnsOf(data: Data): Column[] {
  const { wall_s: wall, cpu_s: cpu, peak_rss_bytes: memory } = data.runs;
  const instance = (run: number) => data.instanceOf[run]!;
  const textual = (name: string, text: (run: number) => string): Column => ({ name, text, value: text });
  const measured = (name: string, column: (number | null)[], text: (value: number | null) => string): Column => ({
    name,
    text: (run) => text(column[run] ?? null),
    value: (run) => column[run] ?? 0,
  });
  return [
    textual("puzzle", (run) => data.name(instance(run))),
    { name: "size", text: (run) => data.size(instance(run)), value: (run) => data.cells(instance(run)) },
    { name: "backend", text: (run) => data.entrant(run).label, value: (run) => data.entrantOf[run]! },
    textual("answer", data.answer),
    textual("ended by", data.termination),
    measured("wall", wall, duration),
    measured("CPU", cpu, duration),
    measured("memory", memory, mebibytes),
  ];
}
