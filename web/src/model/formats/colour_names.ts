/** Names for colours as people say them: the nearest colour of CSS stands for one of fifteen plain words (`nonocsp.formats.palettes`). */

import names from "color-name";
import { type Lab, oklab, oklabOf } from "../oklab.ts";

/** The colour that a name of CSS or #rgb stands for, as #rrggbb; nothing for other words. */
export function rgbOf(word: string): string {
  const value = word.toLowerCase();
  if (/^#[0-9a-f]{6}$/.test(value)) return value;
  if (/^#[0-9a-f]{3}$/.test(value)) return value.replace(/[0-9a-f]/g, "$&$&");
  return hexOf(Object.hasOwn(names, value) ? names[value] : undefined);
}

/** The colour of three parts as #rrggbb; nothing if they are none. */
export const hexOf = (parts: readonly number[] | undefined): string => (parts?.every((part) => part < 256) ? `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}` : "");

const SAMPLES: Record<string, string> = {
  black: "black",
  white: "white snow ivory whitesmoke ghostwhite floralwhite mintcream azure",
  grey: "grey dimgrey darkgrey lightgrey silver gainsboro",
  red: "red crimson firebrick darkred maroon tomato orangered indianred brown",
  orange: "orange darkorange coral sandybrown",
  yellow: "yellow gold lightyellow khaki palegoldenrod lemonchiffon lightgoldenrodyellow",
  brown: "saddlebrown sienna chocolate peru darkgoldenrod goldenrod rosybrown",
  beige: "beige wheat tan burlywood bisque antiquewhite moccasin navajowhite papayawhip oldlace linen cornsilk peachpuff blanchedalmond",
  olive: "olive olivedrab darkolivegreen darkkhaki",
  green: "green darkgreen forestgreen seagreen limegreen lime lightgreen palegreen lawngreen chartreuse springgreen mediumseagreen yellowgreen greenyellow darkseagreen mediumspringgreen honeydew",
  teal: "teal darkcyan lightseagreen cadetblue",
  turquoise: "turquoise cyan aquamarine mediumturquoise darkturquoise paleturquoise mediumaquamarine lightcyan",
  blue: "blue navy mediumblue darkblue midnightblue royalblue dodgerblue steelblue cornflowerblue skyblue lightblue lightskyblue deepskyblue lightsteelblue powderblue slateblue aliceblue",
  purple: "purple indigo rebeccapurple darkviolet blueviolet mediumpurple darkorchid mediumorchid orchid magenta darkmagenta plum violet thistle lavender darkslateblue mediumslateblue",
  pink: "pink hotpink deeppink lightpink palevioletred mediumvioletred salmon lightsalmon lightcoral darksalmon mistyrose lavenderblush seashell",
};

let samples: [word: string, lab: Lab][] | undefined;

function described(rgb: string): { lightness: number; word: string } {
  samples ??= Object.entries(SAMPLES).flatMap(([word, all]) => all.split(" ").map((name): [string, Lab] => [word, oklab(...names[name]!)]));
  const lab = oklabOf(rgb);
  let [best, word] = [Infinity, ""];
  for (const [name, sample] of samples) {
    // Lightness counts half as much as hue: a dark brown is a brown before it is a dark grey.
    const far = 0.25 * (sample[0] - lab[0]) ** 2 + (sample[1] - lab[1]) ** 2 + (sample[2] - lab[2]) ** 2;
    if (far < best) [best, word] = [far, name];
  }
  return { lightness: lab[0], word };
}

/** A different name for each colour `#rrggbb`; a name that is given stays. Colours with one word are told apart by lightness. */
export function colourNames(rgbs: string[], given: string[] = rgbs.map(() => "")): string[] {
  const found = [...given];
  if (found.every(Boolean)) return found;
  const hues = rgbs.map((rgb, place) => ({ place, rgb, ...described(rgb) }));
  const groups = new Map<string, typeof hues>();
  for (const hue of [...hues].sort((a, b) => Math.min(a.lightness, 1 - a.lightness) - Math.min(b.lightness, 1 - b.lightness))) {
    // There is one black and one white; a second colour that is nearly so is a grey.
    const word = ["black", "white"].includes(hue.word) && groups.has(hue.word) ? "grey" : hue.word;
    groups.set(word, [...(groups.get(word) ?? []), hue]);
  }
  const taken = new Set(found.filter(Boolean));
  for (const [word, group] of groups) {
    group.sort((a, b) => b.lightness - a.lightness || (a.rgb < b.rgb ? -1 : a.rgb > b.rgb ? 1 : a.place - b.place));
    let plain = group.findIndex(({ place }) => found[place] === word);
    if (plain < 0 && !taken.has(word) && group.length !== 2) plain = Math.floor(group.length / 2);
    const middle = plain < 0 ? (group.length - 1) / 2 : plain;
    for (const [i, { place }] of group.entries()) {
      if (found[place]) continue;
      const wanted = i === middle ? word : `${i < middle ? "light" : "dark"} ${word}`;
      let name = wanted;
      for (let number = 2; taken.has(name); number++) name = `${wanted} ${number}`;
      found[place] = name;
      taken.add(name);
    }
  }
  return found;
}
