/** Reads and writes the present picture in the browser's storage, which may be full, or forbidden; `studio.tsx` says when. */

import { linkOf, readLink } from "../model/files.ts";
import type { Picture } from "../model/picture.ts";

const KEY = "nonocsp.studio.picture";

export function keep(picture: Picture): void {
  try {
    localStorage.setItem(KEY, linkOf(picture));
  } catch {
    // The picture lives on in the page.
  }
}

export function kept(): Picture | undefined {
  try {
    return readLink(localStorage.getItem(KEY) ?? "");
  } catch {
    return undefined;
  }
}
