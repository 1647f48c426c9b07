/**
 * Recognise the exchange formats of solvers. The page does not read them: `nonocsp convert` does, and `nonocsp studio`.
 * The marks are coarser than in Python, which decides.
 */

import { certain, type Known, no } from "./base.ts";

/** A format that is known by texts which only its files have. */
const marked = (name: string, suffixes: string[], ...marks: RegExp[]): Known => ({
  name,
  suffixes,
  sniff: ({ text }) => (marks.every((mark) => mark.test(text)) ? certain : no)(`the marks of ${name} files`),
});

export const SOLVERS: readonly Known[] = [
  marked("dzn", [".dzn"], /(?<![A-Za-z0-9_])(?:row|col)(?:s|_rules|_states|_num_states)\s*=(?!=)/, /\[\||array2d\b|_states\b/),
  marked("asp", [".lp"], /\b(?:row|col)(?:_hint|_cnt)?\(\s*[0-9]+\s*(?:,\s*[0-9]+\s*,[^()\n]{1,90})?\)\s*\./),
  marked("pynogram", [".txt"], /^(?:[ \t]*(?:[#;].*)?\n)*\[(?:clues|colors)\]/, /^[ \t]*(?:columns|rows)[ \t]*[=:](?![ \t]*("""|'''))/im),
  marked("nonogrid", [".toml"], /^[ \t]*\[(?:clues|colors)\]/m, /^[ \t]*(?:columns|rows)[ \t]*=[ \t]*(?:"""|''')|^[ \t]*defs[ \t]*=/m),
  marked("latex", [".tex"], /\\begin\{nonogram\}|\{logicpuzzle\}/),
  marked("puzz-link", [], /^\s*(?:https?:\/\/)?[\w.:/-]+\/p(?:\.html)?\?\w+\//),
  marked("pzprv3", [], /^\s*pzprv3/),
  marked("pattern-save", [], /^SAVEFILE:41:Simon Tatham/),
  marked("puzzlekit", [], /^\s*\{/, /"data"\s*:\s*\{/, /"problem"\s*:/),
  marked("game-id", [], /^\s*(?:pattern:?\s+)?[0-9]{1,4}x[0-9]{1,4}(?::[0-9.]*(?:\/[0-9.]*)+|#[0-9a-z]+)(?:[\s,#]|$)/i),
];
