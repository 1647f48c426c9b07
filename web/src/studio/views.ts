/** What a view of the studio is: one component in its own folder, which `studio.tsx` names. */

import type { CoreClient } from "../core/client.ts";
import type { Picture } from "../model/picture.ts";
import type { Drawing } from "./storage.ts";

export type ViewName = "draw" | "play" | "steps" | "gallery" | "folder";

export interface ViewProps {
  /** The present picture. */
  picture: Picture;
  /** Under which its drawing is kept. */
  id: string;
  core: CoreClient;
  /** Opens another picture, to be drawn on unless it says what else; undo brings the present one back, unless it goes on with a kept drawing. */
  open(picture: Picture, view?: ViewName, drawing?: Drawing): void;
}
