/** What a view of the studio is: one component in its own folder, which `studio.tsx` names. */

import type { CoreClient } from "../core/client.ts";
import type { Picture } from "../model/picture.ts";

export type ViewName = "draw" | "play" | "steps" | "gallery" | "folder";

export interface ViewProps {
  /** The present picture. */
  picture: Picture;
  core: CoreClient;
  /** Opens another picture, to be drawn on unless it says what else; undo brings the present one back. */
  open(picture: Picture, view?: ViewName): void;
}
