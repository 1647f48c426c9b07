/** The views of the studio beside Draw. A view is one component in its own folder; here is where it is named. */

import type { ComponentType } from "preact";
import type { CoreClient } from "../core/client.ts";
import { CollectionView } from "../collection/view.tsx";
import { FolderView } from "../folder/view.tsx";
import type { Picture } from "../model/picture.ts";
import { PlayView } from "../player/play.tsx";
import { StepsView } from "../steps/view.tsx";
import { server } from "./server.ts";

export type ViewName = "draw" | "play" | "steps" | "gallery" | "folder";

export interface ViewProps {
  /** The present picture. */
  picture: Picture;
  core: CoreClient;
  /** Opens another picture, to be drawn on; undo brings the present one back. */
  open(picture: Picture): void;
}

/** The bar shows a view once it is here. */
export const VIEWS: Partial<Record<ViewName, ComponentType<ViewProps>>> = {
  play: PlayView,
  steps: StepsView,
  gallery: CollectionView,
  ...(server() && { folder: FolderView }),
};
