/** What the characters of a drawing stand for, after their names in Unicode (`nonocsp.formats.codecs.pictures.characters`). */

/** DOT, BULLET, FULL STOP: emptier than anything else. */
const DOTS = "·•◦∙⋅․‧・･。｡";
/** WHITE, LIGHT SHADE, DOTTED, BALLOT BOX. */
const WHITE = "░□▢▫▭▯▱△▵▷▹▽▿◁◃◇○◌◯◻◽☆☐♡♢♤♧⚪⚬✧⬚⬜⬞⬠⬡⬦⬨⬫⬭⬯⭒⭔💮🔳🞅🞆🞎🞏🞐🤍";
/** What people mark empty cells with. */
const CROSSES = "xX×✕✖✗✘╳❌❎⨯";
/** From light to full. */
const SHADES = "░▒▓█";
const WIDE = "⚪⚫⬛⬜◽◾⭐⭕❌❎✅";
const RANKS = new Map([...`${WHITE}${CROSSES}${DOTS}`].map((char) => [char, DOTS.includes(char) ? 0 : 1]));

/** The bits of a Braille pattern, row by row. */
const BRAILLE_BITS = [[0, 3], [1, 4], [2, 5], [6, 7]];

/** A line with full-width forms, blanks and dashes as in ASCII, without variation selectors, joiners and blanks without width. */
export const plain = (text: string): string =>
  text
    .replace(/[\u200b-\u200d\u2060\ufe0e\ufe0f]/gu, "")
    .replace(/[\uff01-\uff5e]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0))
    .replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, " ")
    .replace(/[\u2010-\u2015\u2212]/g, "-");

/** The one of several characters that stands for an empty cell; nothing if that is not clear. */
export function paleInk(inks: string[]): string {
  const shades = inks.every((ink) => SHADES.includes(ink));
  const rankOf = (ink: string) => (shades ? SHADES.indexOf(ink) : (RANKS.get(ink) ?? SHADES.length));
  const least = Math.min(...inks.map(rankOf));
  const palest = inks.filter((ink) => rankOf(ink) === least);
  return palest.length === 1 && least < SHADES.length ? (palest[0] as string) : "";
}

/** Whether a character is empty by its name. */
export const isPale = (char: string): boolean => WHITE.includes(char) || DOTS.includes(char) || char === "▒";

/** Whether a character is a symbol that people draw with; lines of tables are none. */
export const isDrawnWith = (char: string): boolean => /(?![\u2500-\u257f])\p{So}/u.test(char);

/** Whether a terminal shows a character as wide as two blanks. */
export const isWide = (char: string): boolean => WIDE.includes(char) || (char.codePointAt(0) as number) >= 0x1f300;

/** Lines without the blank between any two cells; unchanged if a cell itself may be blank. */
export function withoutGaps(texts: string[]): string[] {
  const stripped = texts.map((text) => [...text.trim()]);
  const isSpread = stripped.every((cells) => cells.every((cell, i) => (cell.trim() === "") === (i % 2 === 1)));
  return isSpread && stripped.some(({ length }) => length > 1) ? stripped.map((cells) => cells.filter((_, i) => i % 2 === 0).join("")) : texts;
}

/** Whether lines are nothing but patterns of Braille. */
export const isBraille = (texts: string[]): boolean => texts.every((text) => /^[\u2800-\u28ff]+$/.test(text));

/** The four rows of dots in a line of Braille patterns, two columns a character. */
export const brailleDots = (text: string): string[] =>
  BRAILLE_BITS.map((bits) => [...text].map((char) => bits.map((bit) => ((char.charCodeAt(0) >> bit) & 1 ? "#" : ".")).join("")).join(""));
