/** A board to look at, too small for figures: a few outlines, as a hundred whole boards take three seconds to show. */

export interface SmallBoardProps {
  rows: number;
  columns: number;
  /** The code of each cell, row by row, and what each code looks like. */
  cells: Uint8Array;
  inks: string[];
  /** For those who do not see it. */
  label: string;
  /** Cells to point out. */
  framed?: readonly [row: number, column: number][];
}

/** A picture with every fifth line stroked. */
export function SmallBoard({ rows, columns, cells, inks, label, framed = [] }: SmallBoardProps) {
  return (
    <svg class="picture" role="img" aria-label={label} viewBox={`-0.1 -0.1 ${columns + 0.2} ${rows + 0.2}`}>
      <rect width={columns} height={rows} fill={inks[0]} />
      {[...outlines(cells, columns)].map(([code, path]) => (
        <path key={code} d={path} fill={inks[code]} />
      ))}
      <path class="fifths" d={fifths(rows, columns)} />
      {framed.length > 0 && (
        <g class="framed">
          {framed.map(([row, column]) => (
            <rect key={`${row},${column}`} x={column + 0.12} y={row + 0.12} width=".76" height=".76" />
          ))}
        </g>
      )}
    </svg>
  );
}

/** For each code but the background's the outline of all its runs of equal cells. */
function outlines(cells: Uint8Array, columns: number): Map<number, string> {
  const found = new Map<number, string>();
  for (let place = 0, end = 0; place < cells.length; place = end) {
    const [code, column] = [cells[place]!, place % columns];
    for (end = place + 1; end % columns && cells[end] === code; end++);
    if (code) found.set(code, `${found.get(code) ?? ""}M${column} ${Math.floor(place / columns)}h${end - place}v1h${place - end}z`);
  }
  return found;
}

function fifths(rows: number, columns: number): string {
  let path = `M0 0h${columns}v${rows}h${-columns}z`;
  for (let x = 5; x < columns; x += 5) path += `M${x} 0v${rows}`;
  for (let y = 5; y < rows; y += 5) path += `M0 ${y}h${columns}`;
  return path;
}
