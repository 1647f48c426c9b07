/** Turns pictures into cells beside the page, so that no control waits for it. */

import type { Picture } from "../model/picture.ts";
import { cellsOf, type Fine, OneShade, type Options } from "./pixels.ts";

export interface Request {
  fine: Fine;
  options: Options;
}

export interface Answer {
  /** Undefined if the picture has one shade only. */
  picture: Picture | undefined;
}

addEventListener("message", ({ data }: MessageEvent<Request>) => {
  let picture: Picture | undefined;
  try {
    picture = cellsOf(data.fine, data.options);
  } catch (error) {
    if (!(error instanceof OneShade)) throw error;
  }
  postMessage({ picture } satisfies Answer);
});
