/**
 * MiniZinc data in one colour, in the three codings that models use: padded clues (`row_rules`, `col_rules`), words of 1, 0
 * and -1 (`rows`, `cols`), and automata as tables of states (`row_states`, `col_states`).
 */

import type { Block } from "../../../core/module.ts";
import { certain, type Format, no, strong, weak } from "../base.ts";
import { saidLines } from "../lines.ts";
import { plain, puzzleOf } from "../puzzle.ts";
import type { Head, Source } from "../source.ts";
import { Data, type Row } from "./dzn_grammar.ts";

const TABLE = /\[\||array2d\b/;

function sniff({ text: head, isCut }: Head) {
  const lines = saidLines({ text: head.replace(/\/\*[^]*?\*\//g, (comment) => comment.replace(/[^\n]/g, "")), isCut });
  if (!/^[A-Za-z_][A-Za-z0-9_]*\s*=/.test(lines[0]?.[1] ?? "")) return no("the first line is no assignment", 1);
  const text = lines.map(([, said]) => said).join("\n");
  const names = new Set([...text.matchAll(/(?<![A-Za-z0-9_])((?:row|col)(?:s|_rules))\s*=(?!=)/g)].map((match) => match[1] as string));
  const pair = [["row_rules", "col_rules"], ["rows", "cols"]].find((both) => both.every((name) => names.has(name)));
  if (pair && TABLE.test(text)) return certain(`the tables ${pair.join(" and ")}`);
  if (names.size && TABLE.test(text) && isCut) return strong(`a table and ${[...names][0]}`);
  if (names.size) return weak("the tables of rows and columns are not both there", lines.at(-1)?.[0]);
  return no("nothing is assigned to a name that puzzles use", 1);
}

function* read(source: Source) {
  const data = new Data(source);
  const isPadded = data.values.has("row_rules") || data.values.has("col_rules");
  const [rows, columns] = isPadded
    ? [clues(data, "row_rules", "rows", fromPadded), clues(data, "col_rules", "cols", fromPadded)]
    : [clues(data, "rows", "Y", fromWord), clues(data, "cols", "X", fromWord)];
  yield puzzleOf({ rows, columns });
}

type Decode = (numbers: number[]) => number[] | undefined;

function clues(data: Data, table: string, count: string, decode: Decode): Block[][] {
  const isPadded = decode === fromPadded;
  if (!data.values.has(table)) throw data.error(`${table} is missing`, undefined, `the tables ${isPadded ? "row_rules and col_rules" : "rows and cols"}`);
  const rows = data.table(table);
  const wanted = data.number(count);
  if (wanted !== undefined && wanted !== rows.length) throw data.error(`${rows.length} clues in ${table}`, data.at(table), `${wanted}, as ${count} says`);
  return rows.map(({ numbers, at }) => {
    const lengths = decode(numbers);
    if (lengths) return plain(lengths);
    throw data.error("no clue", at, isPadded ? "lengths such as 0,0,2,1, zeros outside only" : "1s with a 0 between blocks, then -1s, such as 1,1,0,1,-1");
  });
}

/** The numbers without the padding before and behind them. */
function stripped(numbers: number[], padding: number): number[] {
  const first = numbers.findIndex((number) => number !== padding);
  return first < 0 ? [] : numbers.slice(first, numbers.findLastIndex((number) => number !== padding) + 1);
}

function fromPadded(numbers: number[]): number[] | undefined {
  const lengths = stripped(numbers, 0);
  return lengths.every((length) => length > 0) ? lengths : undefined;
}

function fromWord(numbers: number[]): number[] | undefined {
  const word = stripped(numbers, -1);
  if (!word.length || (word.length === 1 && word[0] === 0)) return [];
  if (!word.every((cell) => cell === 0 || cell === 1)) return undefined;
  const lengths = word.join("").split("0").map(({ length }) => length);
  return lengths.every(Boolean) ? lengths : undefined;
}

export const dzn: Format = {
  name: "dzn",
  suffixes: [".dzn"],
  sniff,
  read,
  write({ rows, columns }) {
    return [["row", rows] as const, ["col", columns] as const]
      .map(([name, side]) => {
        const width = Math.max(1, ...side.map(({ length }) => length));
        const lines = side.map((clue) => `  ${[...Array<number>(width - clue.length).fill(0), ...clue.map(({ length }) => length)].join(",")}`);
        return `${name}s = ${side.length};\n${name}_rule_len = ${width};\n${name}_rules = array2d(1..${name}s, 1..${name}_rule_len, [\n${lines.join(",\n")}\n]);\n`;
      })
      .join("");
  },
};

export const dznDfa: Format = {
  name: "dzn-dfa",
  suffixes: [],
  sniff,
  read,
  write({ rows, columns }) {
    const word = (clue: Block[]) => clue.map(({ length }) => Array<number>(length).fill(1).join(",")).join(",0,") || "0";
    const sides = [["rows", rows.map(word)] as const, ["cols", columns.map(word)] as const];
    const length = (text: string) => text.split(",").length;
    const width = Math.max(...sides.flatMap(([, texts]) => texts.map(length)));
    const tables = sides.map(([name, texts]) => `${name} = [|${texts.map((text) => [text, ...Array<number>(width - length(text)).fill(-1)].join(",")).join("\n  |")}\n  |];\n`);
    return `X = ${columns.length};\nY = ${rows.length};\nmaxlen = ${width};\n${tables.join("")}`;
  },
};

export const dznStates: Format = {
  name: "dzn-states",
  suffixes: [".dzn"],
  sniff({ text }) {
    const mark = ["row_states", "row_num_states", "col_states", "col_num_states"].find((name) => text.includes(name));
    return mark && text.includes("=") ? certain(`${mark} is assigned`) : no("neither row_states nor col_states is assigned");
  },
  *read(source) {
    const data = new Data(source);
    yield puzzleOf({ rows: automata(data, "row"), columns: automata(data, "col") });
  },
  write({ rows, columns }) {
    return [["row", rows] as const, ["col", columns] as const]
      .map(([axis, side]) => {
        const all = side.map(statesOf);
        const sizes = all.map(({ length }) => length);
        const total = sizes.reduce((sum, size) => sum + size, 0);
        let start = 1;
        const starts = sizes.map((size) => (start += size) - size);
        return `${[
          `${axis}_max = ${side.length};`,
          `${axis}_states = array2d(1..${axis}_total_states, 1..2, [`,
          ...all.map((states) => states.map(([empty, filled]) => `${empty},${filled},`).join(" ")),
          "]);",
          `${axis}_max_state = ${Math.max(...sizes)};`,
          `${axis}_total_states = ${total};`,
          `${axis}_num_patterns = ${side.length};`,
          `${axis}_num_states = [${sizes.join(",")}];`,
          `${axis}_start_where = [${starts.join(",")}];`,
        ].join("\n")}\n`;
      })
      .join("");
  },
};

/** The next states of each state: a gap before each block, and a state for each of its cells. */
function statesOf(clue: Block[]): [empty: number, filled: number][] {
  const states: [number, number][] = [];
  for (const { length } of clue) {
    const gap = states.length + 1;
    states.push([gap, gap + 1]);
    for (let i = 1; i < length; i++) states.push([0, gap + i + 1]);
    states.push([gap + length + 1, 0]);
  }
  return [...states.slice(0, -1), [Math.max(1, states.length), 0]];
}

function automata(data: Data, axis: string): Block[][] {
  const names = ["states", "num_states", "start_where"].map((name) => `${axis}_${name}`) as [string, string, string];
  for (const name of names) if (!data.values.has(name)) throw data.error(`${name} is missing`, undefined, `${names.join(", ")} and ${axis}_max`);
  const table = data.table(names[0]);
  const [sizes, starts] = [data.list(names[1]), data.list(names[2])];
  const count = data.number(`${axis}_max`);
  if (sizes.length !== starts.length || (count !== undefined && count !== sizes.length))
    throw data.error(`${sizes.length} sizes and ${starts.length} starts`, data.at(names[1]), `as many as ${axis}_max says`);
  return sizes.map((size, i) => {
    const start = starts[i] as number;
    if (size < 0 || start < 1 || start - 1 + size > table.length)
      throw data.error(`an automaton from ${start} on`, data.at(names[2]), `states of ${names[0]}, which has ${table.length}`);
    return clueOf(data, table.slice(start - 1, start - 1 + size));
  });
}

/** The clue that an automaton accepts: a state that stays on an empty cell is a gap. */
function clueOf(data: Data, states: Row[]): Block[] {
  const lengths: number[] = [];
  const is = (state: number, empty: number, filled: number) => {
    const { numbers } = states[state - 1] as Row;
    return numbers.length === 2 && numbers[0] === empty && numbers[1] === filled;
  };
  const fail = (fault: string, state: number, expected: string) => data.error(fault, states[state - 1]?.at, expected);
  let gap = 1;
  while (gap < states.length) {
    if (!is(gap, gap, gap + 1)) throw fail("no gap before a block", gap, `${gap},${gap + 1}`);
    let end = gap + 1;
    while (end < states.length && is(end, 0, end + 1)) end++;
    const behind = end === states.length ? end : end + 1;
    if (!is(end, behind, 0)) throw fail("no end of a block", end, `0,${end + 1} or ${behind},0`);
    lengths.push(end - gap);
    gap = end + 1;
  }
  if (gap === states.length && !is(gap, gap, 0)) throw fail("no end of the line", gap, `${gap},0`);
  return plain(lengths);
}
