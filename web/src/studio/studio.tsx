/** The studio: one puzzle, and the views of it. */

import type { ComponentType } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { CollectionView } from "../collection/view.tsx";
import { CoreClient, type Listener } from "../core/client.ts";
import { FolderView, pictureOf } from "../folder/view.tsx";
import { readLink } from "../model/files.ts";
import { begin, push, redo, undo } from "../model/history.ts";
import { blank, type Picture } from "../model/picture.ts";
import { PlayView } from "../player/play.tsx";
import { StepsView } from "../steps/view.tsx";
import { LanguageChoice } from "../shared/parts.tsx";
import { useTexts } from "../texts/language.ts";
import { type Brush, DrawView } from "./draw.tsx";
import { server } from "./server.ts";
import { keep, kept } from "./storage.ts";
import type { ViewName, ViewProps } from "./views.ts";

/** The bar shows a view beside Draw once it is here. */
const VIEWS: Partial<Record<ViewName, ComponentType<ViewProps>>> = {
  play: PlayView,
  steps: StepsView,
  gallery: CollectionView,
  ...(server() && { folder: FolderView }),
};

function firstPicture(): { picture: Picture; problem: string } {
  try {
    const picture = readLink(location.hash) ?? kept() ?? blank(10, 10);
    return { picture, problem: "" };
  } catch (error) {
    return { picture: kept() ?? blank(10, 10), problem: String((error as Error).message) };
  }
}

export function Studio({ worker }: { worker: Worker }) {
  const t = useTexts().studio;
  const first = useMemo(firstPicture, []);
  const listener = useMemo<Listener>(() => ({ verdict() {}, repairs() {}, failed() {} }), []);
  const core = useMemo(() => new CoreClient(worker, listener), [worker]);
  const [view, setView] = useState<ViewName>("draw");
  const [history, setHistory] = useState(() => begin(first.picture));
  const [brush, setBrush] = useState<Brush>({ tool: "pen", colour: 1, mirror: "none" });
  const picture = history.present;
  useEffect(() => keep(picture), [picture]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.target instanceof HTMLInputElement) return;
      const isRedo = event.key === "y" || (event.key.toLowerCase() === "z" && event.shiftKey);
      if (!isRedo && event.key !== "z") return;
      event.preventDefault();
      setHistory(isRedo ? redo : undo);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);

  const View = VIEWS[view];
  const open = (next: Picture) => {
    setHistory((old) => push(old, next));
    setView("draw");
  };
  useEffect(() => {
    const named = server()?.first();
    if (named) pictureOf(named, core, t.noSolution).then(open, (error: Error) => listener.failed(error.message));
  }, []);
  return (
    <main>
      <header>
        <nav aria-label={t.views}>
          {(["draw", ...Object.keys(VIEWS)] as ViewName[]).map((name) => (
            <button key={name} type="button" aria-current={view === name ? "page" : undefined} onClick={() => setView(name)}>
              {t.view[name]}
            </button>
          ))}
        </nav>
        <h1>{picture.title || t.untitled}</h1>
        <LanguageChoice label={t.language} />
      </header>
      {View ? (
        <View picture={picture} core={core} open={open} />
      ) : (
        <DrawView
          picture={picture}
          core={core}
          open={open}
          listener={listener}
          history={history}
          setHistory={setHistory}
          brush={brush}
          setBrush={setBrush}
          problem={first.problem}
        />
      )}
    </main>
  );
}
