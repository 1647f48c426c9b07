/**
 * The grammar of MiniZinc data (`.dzn` files): assignments of literals to names. Values stand between commas; the last comma
 * and the last semicolon are optional. Puzzles need no more of the language: enumerations, tuples and records are refused.
 */

import { type FileError, MAX_LINES } from "../puzzle.ts";
import { placeOf, quoted, type Source } from "../source.ts";

const TOKEN = /(?<blank>\s+|%[^\n]*|\/\*[^]*?\*\/)|(?<number>-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)|(?<string>"(?:[^"\\\n]|\\[^])*")|(?<name>[A-Za-z_][A-Za-z0-9_]*)|(?<symbol>\[\||\|\]|\.\.|[[\]{}(),;=|])/y;
const DEEPEST = 8;
const MAX_CHARACTERS = 1 << 18;

type Value = { at: number } & (
  | { kind: "literal" | "name"; text: string }
  | { kind: "range"; first: Value; last: Value }
  | { kind: "array"; bracket: string; rows: Value[][] }
  | { kind: "call"; text: string; values: Value[] }
);

interface Token {
  /** Symbols are their own kind. */
  kind: string;
  text: string;
  at: number;
}

/** The numbers in a row of a table, and where it starts. */
export interface Row {
  numbers: number[];
  at: number;
}

/** The assignments of a file. */
export class Data {
  readonly source: Source;
  readonly values = new Map<string, Value>();
  private readonly tokens: Generator<Token>;
  private token: Token;

  constructor(source: Source) {
    this.source = source;
    this.tokens = tokensOf(source.checkLength(MAX_CHARACTERS, "too much data"));
    this.token = this.next();
    while (this.token.kind !== "end") {
      const name = this.take("name", "a name such as rows");
      this.take("=", "= behind the name");
      if (this.values.has(name.text)) throw this.error(`${quoted(name.text)} is assigned a second time`, name.at, "one value");
      this.values.set(name.text, this.value(0));
      if (this.token.kind !== "end") this.take(";", "; behind the value");
    }
  }

  error(fault: string, at: number | undefined, expected: string): FileError {
    return this.source.error(fault, { ...(at === undefined ? {} : placeOf(this.source.text, at)), expected });
  }

  /** Where the value of a name starts. */
  at(name: string): number | undefined {
    return this.values.get(name)?.at;
  }

  integer(value: Value): number {
    const found = this.resolved(value);
    if (found.kind === "literal" && /^-?[0-9]{1,9}$/.test(found.text)) return Number(found.text);
    throw this.error("no whole number", value.at, "a whole number of at most nine digits");
  }

  /** The number of a name; undefined if it has none. */
  number(name: string): number | undefined {
    const value = this.values.get(name);
    return value && this.integer(value);
  }

  /** The numbers between `[` and `]`. */
  list(name: string): number[] {
    const value = this.values.get(name);
    if (value?.kind === "array" && value.bracket === "[") return (value.rows[0] ?? []).map((item) => this.integer(item));
    throw this.error(`${name} is no list`, value?.at, "numbers between [ and ]");
  }

  /** The rows of a table: `[| ... |]` or `array2d(...)`. */
  table(name: string): Row[] {
    const value = this.resolved(this.values.get(name) as Value);
    let rows: Value[][];
    let width: number;
    if (value.kind === "array" && value.bracket === "[|") {
      rows = value.rows;
      width = rows[0]?.length ?? 0;
    } else if (value.kind === "call" && value.text === "array2d" && value.values.length === 3) {
      const [first, second, flat] = value.values as [Value, Value, Value];
      const height = this.size(first);
      const size = (width = this.size(second));
      const found = this.resolved(flat);
      const items = found.kind === "array" && found.bracket === "[" ? (found.rows[0] ?? []) : [];
      if (items.length !== height * size || height > Math.max(items.length, MAX_LINES)) throw this.error("no array of that size", flat.at, `${height} x ${size} numbers between [ and ]`);
      rows = Array.from({ length: height }, (_, i) => items.slice(i * size, (i + 1) * size));
    } else throw this.error(`${name} is no table`, value.at, "[| ... |] or array2d(..., ..., [...])");
    return rows.map((row) => {
      if (row.length !== width) throw this.error(`a row of ${row.length} numbers`, row[0]?.at ?? value.at, `${width}`);
      return { numbers: row.map((item) => this.integer(item)), at: row[0]?.at ?? value.at };
    });
  }

  private size(value: Value): number {
    const found = this.resolved(value);
    if (found.kind === "range") return Math.max(0, this.integer(found.last) - this.integer(found.first) + 1);
    if (found.kind === "array" && found.bracket === "{") return found.rows[0]?.length ?? 0;
    throw this.error("no range", value.at, "a range such as 1..20");
  }

  private resolved(value: Value): Value {
    const seen = new Set<string>();
    let found = value;
    while (found.kind === "name") {
      const next = this.values.get(found.text);
      if (!next || seen.has(found.text)) throw this.error(`${quoted(found.text)} has no value`, found.at, `${found.text} = ...;`);
      seen.add(found.text);
      found = next;
    }
    return found;
  }

  private value(depth: number): Value {
    const { kind, text, at } = this.token;
    if (depth > DEEPEST) throw this.error("nested too deeply", at, "arrays of numbers");
    const token = this.token;
    this.token = this.next();
    if (kind === "name" && this.accept("(")) return { kind: "call", text, at, values: this.upTo(depth, ")") };
    if (kind === "number" || kind === "name") {
      const simple: Value = { kind: kind === "name" ? "name" : "literal", text, at };
      return this.accept("..") ? { kind: "range", first: simple, last: this.value(depth + 1), at } : simple;
    }
    if (kind === "string") return { kind: "literal", text, at };
    if (kind === "[" || kind === "{") return { kind: "array", bracket: kind, at, rows: [this.upTo(depth, kind === "[" ? "]" : "}")] };
    if (kind !== "[|") throw this.unexpected(token, "a number, a string, a name or an array");
    const rows = [this.until(depth, "|", "|]")];
    while (this.accept("|")) rows.push(this.until(depth, "|", "|]"));
    this.take("|]", "a comma, | or |]");
    return { kind: "array", bracket: kind, rows, at };
  }

  private upTo(depth: number, close: string): Value[] {
    const values = this.until(depth, close);
    this.take(close, `a comma or ${close}`);
    return values;
  }

  private until(depth: number, ...ends: string[]): Value[] {
    const values: Value[] = [];
    while (!ends.includes(this.token.kind)) {
      values.push(this.value(depth + 1));
      if (!this.accept(",")) break;
    }
    return values;
  }

  private next(): Token {
    return this.tokens.next().value as Token;
  }

  private accept(kind: string): boolean {
    if (this.token.kind !== kind) return false;
    this.token = this.next();
    return true;
  }

  private take(kind: string, expected: string): Token {
    const { token } = this;
    if (!this.accept(kind)) throw this.unexpected(token, expected);
    return token;
  }

  private unexpected({ text, at }: Token, expected: string): FileError {
    return this.error(`${text ? quoted(text) : "the end of the file"} is out of place`, at, expected);
  }
}

/** Yields the tokens, then `end` without end; an invalid character is a token of kind `wrong`. */
function* tokensOf(text: string): Generator<Token> {
  let at = 0;
  for (;;) {
    TOKEN.lastIndex = at;
    const found = at < text.length ? TOKEN.exec(text) : null;
    if (!found) break;
    const [kind = ""] = Object.entries(found.groups ?? {}).find(([, part]) => part !== undefined) ?? [];
    if (kind !== "blank") yield { kind: kind === "symbol" ? found[0] : kind, text: found[0], at };
    at += found[0].length;
  }
  if (at < text.length) yield { kind: "wrong", text: text[at] as string, at };
  for (;;) yield { kind: "end", text: "", at: text.length };
}
