/**
 * Elements of XML one by one, each with the line that it starts in. Files are not trusted: entities of their own and what
 * an address names are never resolved. The browser's own parser expands entities and tells no lines, hence saxes.
 */

import { SaxesParser } from "saxes";
import { FileError } from "./puzzle.ts";
import type { Source } from "./source.ts";

const MOST_ELEMENTS = 1 << 17;
const DEEPEST = 100;
const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };
const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };

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
  const parser = new SaxesParser({ position: true });
  const [open, found]: [Element[], Element[]] = [[], []];
  let count = 0;
  const fail = (fault: string, expected: string) => source.error(fault, { line: parser.line, expected });
  parser.on("error", (error) => {
    throw source.error(error.message.replace(/^[0-9:\s]*/, "").replace(/\.$/, ""), { line: parser.line, column: parser.column + 1, expected: "well-formed XML" });
  });
  parser.on("doctype", (doctype) => {
    if (doctype.includes("<!ENTITY")) throw fail("the file declares an entity", "a file without entities of its own");
  });
  parser.on("opentag", ({ name, attributes }) => {
    if (++count > MOST_ELEMENTS || open.length > DEEPEST) throw fail("too much for one puzzle", `at most ${MOST_ELEMENTS} elements, ${DEEPEST} deep`);
    const element = new Element(name, attributes as Record<string, string>, parser.line);
    open.push(element);
  });
  parser.on("text", (text) => open.at(-1)?.pieces.push(text));
  parser.on("cdata", (text) => open.at(-1)?.pieces.push(text));
  parser.on("closetag", () => {
    const element = open.pop() as Element;
    if (open.some(({ tag }) => tags.includes(tag))) open.at(-1)?.children.push(element);
    else if (tags.includes(element.tag)) found.push(element);
  });
  try {
    parser.write(source.text).close();
  } catch (error) {
    throw error instanceof FileError ? error : fail("the XML cannot be read", "well-formed XML");
  }
  return found;
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
