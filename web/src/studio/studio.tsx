/** The studio: one puzzle, and the views of it. */

import { Ellipsis } from "lucide";
import type { ComponentType } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { CollectionView } from "../collection/view.tsx";
import { CoreClient, type Listener } from "../core/client.ts";
import { FolderView, pictureOf } from "../folder/view.tsx";
import { Opening } from "../importing/open.tsx";
import { linkOf, readLink } from "../model/files.ts";
import { begin, push, redo, undo } from "../model/history.ts";
import { blank, type Picture } from "../model/picture.ts";
import { PlayView } from "../player/play.tsx";
import { StepsView } from "../steps/view.tsx";
import { Icon } from "../shared/controls.tsx";
import { Dialog, LanguageChoice, ThemeSwitch, useListeners } from "../shared/parts.tsx";
import { texts, useTexts } from "../texts/language.ts";
import { type Brush, DrawView } from "./draw.tsx";
import { server } from "./server.ts";
import { type Drawing, isBlank, Keeper, lastDrawing } from "./storage.ts";
import type { ViewName, ViewProps } from "./views.ts";

/** The bar shows a view beside Draw once it is here. */
const VIEWS: Partial<Record<ViewName, ComponentType<ViewProps>>> = {
  play: PlayView,
  steps: StepsView,
  gallery: CollectionView,
  ...(server() && { folder: FolderView }),
};

/** What the page begins with, and what is wrong with what it should begin with. */
export interface Start {
  drawing: Drawing | undefined;
  /** The puzzle of the address. */
  linked: Picture | undefined;
  problem: string;
  isKeeping: boolean;
}

export async function start(): Promise<Start> {
  let linked: Picture | undefined;
  let problem = "";
  try {
    linked = readLink(location.hash);
  } catch (error) {
    problem = String((error as Error).message);
  }
  // The address would no longer tell what is drawn.
  if (linked) history.replaceState(history.state, "", location.href.replace(/#.*/, ""));
  try {
    const { drawing, isDamaged } = await lastDrawing();
    return { drawing, linked, problem: problem || (isDamaged ? texts().studio.damaged : ""), isKeeping: true };
  } catch {
    return { drawing: undefined, linked, problem, isKeeping: false };
  }
}

const isSamePicture = (a: Picture, b: Picture) => linkOf(a) === linkOf(b);

export function Studio({ makeWorker, first }: { makeWorker: () => Worker; first: Start }) {
  const t = useTexts().studio;
  const listener = useMemo<Listener>(() => ({ verdict() {}, repairs() {}, failed: (reason) => tell(reason), died() {} }), []);
  const core = useMemo(() => new CoreClient(makeWorker, listener), []);
  const [view, setView] = useState<ViewName>("draw");
  const mine = first.drawing?.history;
  const [asked, setAsked] = useState(first.linked && mine && !isBlank(mine.present) && !isSamePicture(first.linked, mine.present) ? first.linked : undefined);
  const [history, setHistory] = useState(() => (asked || !first.linked ? (mine ?? begin(blank(10, 10))) : begin(first.linked)));
  const [warning, warn] = useState(first.isKeeping ? "" : t.forbidden);
  const keeper = useMemo(() => {
    const made = new Keeper(first.drawing, {
      failed: (reason) => warn(texts().studio[reason]),
      copied: () => listener.failed(texts().studio.copied),
      followed: (history) => {
        setHistory(history);
        setTimeout(() => listener.failed(texts().studio.followed));
      },
    });
    if (first.linked && !asked) made.renew();
    return made;
  }, []);
  const [brush, setBrush] = useState<Brush>({ tool: "pen", colour: 1, mirror: "none" });
  const picture = history.present;
  const present = useRef(picture);
  present.current = picture;
  // A message goes with the picture that it is about, another one with the next stroke.
  const [message, setMessage] = useState<{ text: string; about: Picture | "any" }>({ text: first.problem, about: picture });
  const tell = (text: string, about: Picture | "any" = present.current) => setMessage({ text, about });
  const isSaid = message.about === picture || message.about === "any";
  const [asks, ask] = useState(0);
  useEffect(() => keeper.keep(history), [history]);
  const keydown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || (event.target instanceof Element && event.target.closest("input, textarea, dialog"))) return;
    const isRedo = event.key === "y" || (event.key.toLowerCase() === "z" && event.shiftKey);
    if (!isRedo && event.key !== "z") return;
    event.preventDefault();
    setHistory(isRedo ? redo : undo);
  };
  useListeners({ keydown }, []);

  const View = VIEWS[view];
  const open = (next: Picture, view: ViewName = "draw", drawing?: Drawing) => {
    keeper.renew(drawing);
    setHistory((old) => drawing?.history ?? push(old, next));
    setView(view);
  };
  useEffect(() => {
    const named = server()?.first();
    if (named) pictureOf(named, core, t.noSolution).then((picture) => open(picture), (error: Error) => listener.failed(error.message));
  }, []);
  const common = { picture, id: keeper.id, core, open };
  return (
    <main data-view={view}>
      {asked && (
        <Dialog title={t.openLink} close={t.keepMine} action={[t.openLink, () => (setAsked(undefined), open(asked))]} onClose={() => setAsked(undefined)}>
          <p>{t.linkOrMine(asked.title || t.untitled, picture.title || t.untitled)}</p>
        </Dialog>
      )}
      {warning && (
        <p role="alert" class="warning">{warning}</p>
      )}
      <header class="appbar">
        <nav class="pages" aria-label={t.views}>
          {(["draw", ...Object.keys(VIEWS)] as ViewName[]).map((name) => (
            <button key={name} type="button" aria-current={view === name ? "page" : undefined} onClick={() => setView(name)}>
              {t.view[name]}
            </button>
          ))}
        </nav>
        {view !== "draw" && <h1>{picture.title || t.untitled}</h1>}
        <button type="button" class="tool more" popovertarget="more" aria-label={t.more} title={t.more}>
          <Icon of={Ellipsis} />
        </button>
        <Opening picture={picture} core={core} onOpen={open} onSay={tell} onIdle={() => ask((old) => old + 1)}>
          <LanguageChoice />
          <ThemeSwitch />
        </Opening>
      </header>
      <p role="status" class="said">{isSaid && message.text}</p>
      {View ? <View key={asks} {...common} /> : <DrawView {...common} {...{ listener, history, setHistory, brush, setBrush, asks, tell }} onStroke={() => message.about === "any" && tell("")} />}
    </main>
  );
}
