/**
 * Elements of XML one by one, each with the line that it starts in. Files are not trusted: entities of their own are
 * refused, and nothing that an address names is ever fetched. The
 * browser's own parser expands entities and tells no lines, and libraries are five times this size.
 */

import { placeOf, quoted, type Source } from "./source.ts";

const MOST_ELEMENTS = 1 << 17;
const DEEPEST = 100;
const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };
const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };
const NAME = "[\\p{L}_:][\\p{L}\\p{N}._:-]*";
/** A tag, or the start of what is none: a comment, CDATA, an instruction or a document type. */
const TAG = new RegExp(`<(?:(/)(${NAME})\\s*>|(${NAME})((?:\\s+${NAME}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(/)?>)`, "uy");
const ATTRIBUTE = new RegExp(`(${NAME})\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, "gu");
/** What is skipped, or taken as it is, with its end. */
const ENDS = [["<!--", "-->"], ["<![CDATA[", "]]>"], ["<?", "?>"], ["<!DOCTYPE", ">"]] as const;

export class Element {
  readonly tag: string;
  readonly attributes: Record<string, string>;
  readonly line: number;
  readonly children: Element[] = [];
  readonly pieces: string[] = [];

  constructor(tag: string, attributes: Record<string, string>, line: number) {
    this.tag = tag;
    this.attributes = attributes;
    this.line = line;
  }

  /** The text directly inside, stripped. */
  get text(): string {
    return this.pieces.join("").trim();
  }

  all(tag: string): Element[] {
    return this.children.filter((child) => child.tag === tag);
  }

  firstText(tag: string): string {
    return this.all(tag)[0]?.text ?? "";
  }
}

/** Returns the outermost elements with one of some tags. */
export function elements(source: Source, ...tags: string[]): Element[] {
  const text = source.text.replaceAll("\r\n", "\n");
  const [open, found]: [Element[], Element[]] = [[], []];
  let [at, line, count, roots] = [0, 1, 0, 0];
  const fail = (fault: string, expected = "well-formed XML") => source.error(fault, { ...placeOf(text, at), expected });
  const pass = (end: number) => {
    for (; at < end; at++) if (text[at] === "\n") line++;
  };
  const close = (element: Element) => {
    if (open.some(({ tag }) => tags.includes(tag))) open.at(-1)?.children.push(element);
    else if (tags.includes(element.tag)) found.push(element);
  };
  while (at < text.length) {
    const start = text.indexOf("<", at);
    const data = text.slice(at, start < 0 ? undefined : start);
    if (data.trim() && !open.length) throw fail("text outside of all elements");
    if (data) open.at(-1)?.pieces.push(resolved(data, fail));
    if (start < 0) break;
    pass(start);
    const special = ENDS.find(([begin]) => text.startsWith(begin, start));
    if (special) {
      const [begin, end] = special;
      const stop = text.indexOf(end, start + begin.length);
      if (stop < 0) throw fail(`${begin} has no end`);
      const inside = text.slice(start + begin.length, stop);
      if (begin === "<!DOCTYPE" && inside.includes("[")) throw fail("the file declares an entity", "a file without entities of its own");
      if (begin === "<![CDATA[") open.at(-1)?.pieces.push(inside);
      pass(stop + end.length);
      continue;
    }
    TAG.lastIndex = start;
    const tag = TAG.exec(text);
    if (!tag) throw fail(`${quoted(text.slice(start, start + 30))} is no tag`);
    const [whole, closing, closed, name = "", attributes = "", isEmpty] = tag;
    if (closing) {
      const element = open.pop();
      if (!element || element.tag !== closed) throw fail(`</${closed}> closes nothing`, element ? `</${element.tag}>, opened in line ${element.line}` : "an element that is open");
      close(element);
    } else {
      if (++count > MOST_ELEMENTS || open.length > DEEPEST) throw fail("too much for one puzzle", `at most ${MOST_ELEMENTS} elements, ${DEEPEST} deep`);
      if (!open.length && ++roots > 1) throw fail("a second root", "one element around all others");
      const pairs = [...attributes.matchAll(ATTRIBUTE)].map(([, key = "", double, single]): [string, string] => [key, resolved(double ?? single ?? "", fail)]);
      const element = new Element(name, Object.fromEntries(pairs), line);
      if (isEmpty) close(element);
      else open.push(element);
    }
    pass(start + whole.length);
  }
  const last = open.at(-1);
  if (last) throw fail(`<${last.tag}> of line ${last.line} is not closed`);
  if (!roots) throw fail("no element");
  return found;
}

/** The text with the entities that all XML has; others are refused. */
function resolved(text: string, fail: (fault: string, expected: string) => Error): string {
  if (!text.includes("&")) return text;
  const unknown = /&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});)\S{0,12}/.exec(text);
  if (unknown) throw fail(`the entity ${quoted(unknown[0])} is unknown`, "&amp;, &lt;, &gt;, &quot;, &apos; or a number");
  return unescapeMarkup(text);
}

/** Text for XML, HTML and the texts of `.non` files, control characters as references. */
export const escapeMarkup = (text: string): string => text.replace(/[&<>"']/g, (char) => ESCAPES[char] as string).replace(/[\0-\x1f\x7f]/g, (char) => `&#${char.charCodeAt(0)};`);

/** The text without the common entities. */
export function unescapeMarkup(text: string): string {
  return text.replace(/&(?:#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,6}));/g, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name) return ENTITIES[name] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex as string, 16);
    return code > 0 && code < 0x110000 && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : "\ufffd";
  });
}

/** Text for XML, which cannot have most control characters. */
export const xmlText = (text: string): string => escapeMarkup(text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "\ufffd").replace(/\p{Cs}/gu, "\ufffd"));
