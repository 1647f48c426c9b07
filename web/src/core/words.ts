/**
 * Steps and hints in words. The words come from the table of texts that the command line reads as well, so a
 * page says what `nonocsp explain` says; `nonocsp/grading/explain/texts.py` fills the same sentences.
 */

import table from "../../../nonocsp/grading/explain/texts.json" with { type: "json" };
import { colourName } from "../shared/colours.ts";
import type { Block } from "./module.ts";
import type { Change, EffortRecord, Ending, Level, Line, Reason, StepRecord } from "./records.ts";

export type Tongue = keyof typeof table;
/** A sentence, or one for each number. */
type Sentence = string | Record<string, string>;
type Values = Record<string, string | number>;

/** What the words need to know of a puzzle. */
export interface Told {
  rows: Block[][];
  columns: Block[][];
  palette: { name: string; char: string }[];
}

/** A step as `nonocsp explain --json` writes it; rows, columns and blocks count from 1. */
export interface Step {
  step: number;
  technique: string;
  grade: number;
  line?: string;
  /** Blocks of the line's clue that the text is about. */
  blocks?: number[];
  cells: { row: number; column: number; candidates: string }[];
  text: string;
}

/** The most lines that the text of a what-if question names. */
const TRAIL = 6;

/** The words of one language for one puzzle. */
export class Words {
  private readonly puzzle: Told;
  private readonly tongue: Tongue;
  private readonly table: (typeof table)[Tongue];

  constructor(puzzle: Told, tongue: Tongue) {
    this.puzzle = puzzle;
    this.tongue = tongue;
    this.table = table[tongue];
  }

  private technique(technique: string): string {
    return (this.table.techniques as Record<string, string[]>)[technique]?.[0] ?? technique;
  }

  level(level: Level): string {
    return this.table.levels[level][0] ?? level;
  }

  /** The name of a line, as `row 3`. */
  line([axis, position]: Line): string {
    return this.word(axis, { n: position + 1 });
  }

  place(row: number, column: number): string {
    return this.word("place", { row: this.line(["row", row]), column: this.line(["column", column]) });
  }

  /** The technique and where it is applied. */
  title({ technique, line }: StepRecord): string {
    const name = this.technique(technique);
    if (!line) return name;
    return this.word(technique === "probe" ? "against" : "in", { technique: name, line: this.line(line) });
  }

  /** Why, and what follows, as two sentences. */
  text(step: StepRecord): string {
    return [this.reason(step), this.conclusion(step)]
      .map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}.`)
      .join(" ");
  }

  /** The step as the command line writes it, in the words of the language. */
  step(step: StepRecord, number: number): Step {
    const line = step.line ? { line: `${step.line[0]} ${step.line[1] + 1}` } : {};
    const blocks = step.blocks.length ? { blocks: step.blocks.map((block) => block + 1) } : {};
    const cells = step.changes.map(([row, column, , after]) => ({
      row: row + 1,
      column: column + 1,
      candidates: after.map((colour) => this.puzzle.palette[colour]?.char ?? "").join(""),
    }));
    return { step: number, technique: step.technique, grade: step.grade, ...line, ...blocks, cells, text: this.text(step) };
  }

  /** How an explanation ended, as a sentence. */
  ending({ verdict, line }: Ending, steps: StepRecord[], open: number): string {
    const grade = Math.max(0, ...steps.map((step) => step.grade));
    const { ends } = this.table;
    const values = { steps: filled(ends.steps, { n: steps.length }), grade, line: line ? this.line(line) : "" };
    return filled(ends[verdict], { ...values, open: filled(ends.open, { n: open }) });
  }

  /** Why no step is left though the puzzle has one solution. */
  get deeper(): string {
    return this.table.hints.deeper;
  }

  /** The numbers behind a level; `steps` solve the puzzle, if it can be solved. */
  reasons(effort: EffortRecord, steps: number): string {
    const texts = this.table.effort;
    const said = effort.isComplete && effort.isFull ? [filled(texts.steps, { n: steps })] : [];
    const { grade, hardest } = effort;
    if (grade) {
      const names = this.listed(hardest.map((technique) => this.technique(technique)));
      const times = filled(texts.times, { n: effort.rounds[grade - 1] ?? 0 });
      said.push(filled(texts.hardest, { techniques: names, grade, times, n: hardest.length }));
    }
    const questions = effort.rounds.at(-1) ?? 0;
    if (questions) {
      const sentence = effort.isComplete ? texts.questions : texts["least-questions"];
      said.push(filled(sentence, { n: questions, chain: effort.chain }));
    }
    if (effort.isComplete && !effort.isFull) said.push(texts.deeper);
    else if (!questions) said.push(texts["no-questions"]);
    return said.join("; ");
  }

  private reason(step: StepRecord): string {
    const { reasons } = this.table;
    const told = step.reasons.map((reason) => filled((reasons as Record<string, Sentence>)[reason.why] ?? reason.why, this.values(reason, step), reason.count));
    if (step.more) told.push(this.word("more-reasons", { n: step.more }));
    return told.join("; ");
  }

  /** Everything that a sentence may tell of, by the name in its braces. */
  private values(reason: Reason, step: StepRecord): Values {
    const { thousands } = this.table.words;
    const block = (j: number | undefined) => (j === undefined ? "" : this.block(step, j));
    const values: Values = {
      cells: this.cells(range(reason.first, reason.last)),
      covered: numbers(range(reason.other_first, reason.other_last)),
      a: reason.first + 1,
      b: reason.other_first + 1,
      wall: this.wall(step, reason.other_first),
      block: block(reason.blocks[0]),
      next: block(reason.blocks[1]),
      blocks: this.blocks(step, reason),
      owner: this.owner(step, reason),
      colour: this.colour(reason.colour),
      background: this.colour(0),
      count: reason.count.replace(/\B(?=(\d{3})+$)/g, thousands),
    };
    const [first] = step.changes;
    if (step.technique !== "probe" || !first || !step.line) return values;
    const shown = step.trail.slice(0, TRAIL).map((line) => this.line(line));
    if (step.trail.length > TRAIL) shown.push(this.word("more-lines", { n: step.trail.length - TRAIL }));
    const trail = shown.length ? this.word("trail", { lines: this.listed(shown) }) : "";
    return { ...values, place: this.place(first[0], first[1]), line: this.line(step.line), trail };
  }

  private conclusion({ technique, line, changes }: StepRecord): string {
    const decided = changes.filter(([, , , after]) => after.length === 1).length;
    if (!line) {
      const told = decided ? [this.word("decides", { n: decided })] : [];
      if (decided < changes.length) told.push(this.word("narrows", { n: changes.length - decided }));
      return this.word("shared", { told: this.listed(told) });
    }
    const [first] = changes;
    if (technique === "probe" && first) return this.predicate(first, this.place(first[0], first[1]), 1);
    const groups = new Map<string, Change[]>();
    for (const change of changes) {
      const key = `${change[3].length === 1} ${news(change)}`;
      groups.set(key, [...(groups.get(key) ?? []), change]);
    }
    const clauses = [...groups.values()].map((group) => {
      const places = group.map(([row, column]) => (line[0] === "row" ? column : row));
      return this.predicate(group[0] as Change, this.cells(places), places.length);
    });
    return this.listed(clauses);
  }

  /** What cells are now, or can no longer be. */
  private predicate(change: Change, cells: string, n: number): string {
    const colours = news(change).map((colour) => this.colour(colour));
    if (change[3].length === 1) return this.word("decided", { cells, colour: colours[0] ?? "", n });
    return this.word("excluded", { cells, colours: this.listed(colours, "or"), n });
  }

  private clue([axis, position]: Line): Block[] {
    return (axis === "row" ? this.puzzle.rows : this.puzzle.columns)[position] ?? [];
  }

  private block({ line }: StepRecord, j: number): string {
    const clue = line ? this.clue(line) : [];
    const { length, colour } = clue[j] ?? { length: 0, colour: 0 };
    const same = clue.map((_, i) => i).filter((i) => clue[i]?.length === length && clue[i]?.colour === colour);
    const ranked = same.length > 1 ? "-ranked" : "";
    const coloured = this.puzzle.palette.length > 2 ? "-coloured" : "";
    const rank = this.ordinal(same.indexOf(j) + 1);
    return this.word(`block${ranked}${coloured}`, { length, rank, colour: this.colour(colour) });
  }

  private blocks(step: StepRecord, { blocks, block_count }: Reason): string {
    if (block_count > 2) return this.word("any-block", { n: block_count });
    return this.listed(blocks.map((j) => this.block(step, j)), "or");
  }

  /** The block of a run, or the length of the shortest of its possible blocks. */
  private owner(step: StepRecord, { blocks, length, is_least }: Reason): string {
    if (blocks[0] !== undefined) return this.block(step, blocks[0]);
    return this.word(is_least ? "least-block" : "some-block", { length });
  }

  private wall({ line }: StepRecord, cell: number): string {
    const length = line?.[0] === "row" ? this.puzzle.columns.length : this.puzzle.rows.length;
    return cell < 0 || cell >= length ? this.table.words.edge : this.word("wall", { n: cell + 1 });
  }

  private cells(cells: number[]): string {
    const sorted = [...cells].sort((a, b) => a - b);
    return this.word("cell", { cells: numbers(sorted, this.table.words.and), n: sorted.length });
  }

  private colour(index: number): string {
    return colourName(this.puzzle.palette[index]?.name, this.tongue);
  }

  private ordinal(number: number): string {
    const { ordinals, ordinal } = this.table;
    const word = ordinals[number - 1];
    if (word) return word;
    const isTeen = number % 100 >= 10 && number % 100 <= 20;
    const forms = ordinal as Record<string, string>;
    return filled((!isTeen && forms[number % 10]) || (forms.other ?? "{n}"), { n: number });
  }

  private listed(texts: string[], word: "and" | "or" = "and"): string {
    return listed(texts, this.table.words[word]);
  }

  private word(name: string, values: Values): string {
    return filled((this.table.words as Record<string, Sentence>)[name] ?? name, values);
  }
}

/** Puts values into a sentence; of several, the one for a number: `n`, or the one that is given. */
function filled(sentence: Sentence, values: Values, number: string | number = values.n ?? 0): string {
  const text = typeof sentence === "string" ? sentence : (sentence[Number(number) === 1 ? "one" : "other"] ?? "");
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
}

function news([, , before, after]: Change): number[] {
  return after.length === 1 ? after : before.filter((colour) => !after.includes(colour));
}

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
}

/** Cells in order as `1–3, 7 and 9`, counted from 1. */
function numbers(cells: number[], and = ""): string {
  const ranges: [number, number][] = [];
  for (const cell of cells) {
    const previous = ranges.at(-1);
    if (previous && previous[1] === cell - 1) previous[1] = cell;
    else ranges.push([cell, cell]);
  }
  return listed(ranges.map(([a, b]) => (a === b ? `${a + 1}` : `${a + 1}–${b + 1}`)), and);
}

function listed(texts: string[], word: string): string {
  return [texts.slice(0, -1).join(", "), ...texts.slice(-1)].filter(Boolean).join(` ${word} `);
}
