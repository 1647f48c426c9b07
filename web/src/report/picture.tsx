/** Solutions and partial grids as drawings. */

import { SmallBoard } from "../board/small.tsx";
import { unpacked } from "../shared/data.ts";
import type { Picture } from "./data.ts";

const UNKNOWN = "var(--unknown)";

export function Drawing({ picture, label }: { picture: Picture; label: string }) {
  const { rows, columns, ink } = picture;
  const cells = unpacked(picture.cells, ink.bits, rows * columns);
  return <SmallBoard rows={rows} columns={columns} cells={cells} inks={ink.colours.map((colour) => colour || UNKNOWN)} label={label} />;
}

export function Captioned({ picture, caption }: { picture: Picture; caption: string }) {
  return (
    <figure class="captioned">
      <Drawing picture={picture} label={caption} />
      <figcaption>{caption}</figcaption>
    </figure>
  );
}
