/** Solutions and partial grids as drawings. */

import type { Picture } from "./data.ts";

const UNKNOWN = "var(--unknown)";

/** A picture with every fifth line stroked; the label is for those who do not see it. */
export function Drawing({ picture, label }: { picture: Picture; label: string }) {
  const { rows, columns, ink } = picture;
  return (
    <svg
      class="picture"
      role="img"
      aria-label={label}
      viewBox={`-0.1 -0.1 ${columns + 0.2} ${rows + 0.2}`}
    >
      <rect width={columns} height={rows} fill="#ffffff" />
      {[...outlines(picture)].map(([code, path]) => (
        <path key={code} d={path} fill={ink.colours[code] || UNKNOWN} />
      ))}
      <path class="fifths" d={fifths(rows, columns)} />
    </svg>
  );
}

export function Captioned({ picture, caption }: { picture: Picture; caption: string }) {
  return (
    <figure class="captioned">
      <Drawing picture={picture} label={caption} />
      <figcaption>{caption}</figcaption>
    </figure>
  );
}

/** For each code the outline of all its runs of equal cells. */
function outlines(picture: Picture): Map<number, string> {
  const { rows, columns } = picture;
  const codeOf = codes(picture);
  const found = new Map<number, string>();
  for (let row = 0; row < rows; row++) {
    for (let start = 0, end = 0; start < columns; start = end) {
      const code = codeOf(row * columns + start);
      for (end = start + 1; end < columns && codeOf(row * columns + end) === code; end++);
      found.set(code, `${found.get(code) ?? ""}M${start} ${row}h${end - start}v1h${start - end}z`);
    }
  }
  return found;
}

/** The code of each cell: its bits, the highest first. */
function codes({ cells, ink: { bits } }: Picture): (cell: number) => number {
  const bytes = atob(cells);
  return (cell) => {
    let code = 0;
    for (let bit = cell * bits; bit < (cell + 1) * bits; bit++) {
      code = (code << 1) | ((bytes.charCodeAt(bit >> 3) >> (7 - (bit & 7))) & 1);
    }
    return code;
  };
}

function fifths(rows: number, columns: number): string {
  let path = `M0 0h${columns}v${rows}h${-columns}z`;
  for (let x = 5; x < columns; x += 5) path += `M${x} 0v${rows}`;
  for (let y = 5; y < rows; y += 5) path += `M0 ${y}h${columns}`;
  return path;
}
