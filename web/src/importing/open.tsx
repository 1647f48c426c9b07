/** New and Open in the bar of the page: a blank picture, clues, and what is chosen, dropped or pasted. */

import { Camera, FolderOpen, Hash, Plus } from "lucide";
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import type { CoreClient } from "../core/client.ts";
import { opened, solved } from "../model/files.ts";
import { FileError, type Puzzle } from "../model/formats/puzzle.ts";
import { FORMATS } from "../model/formats/registry.ts";
import { blank, type Picture } from "../model/picture.ts";
import { Button, Choice } from "../shared/controls.tsx";
import { Dialog, useListeners } from "../shared/parts.tsx";
import { Sides } from "../studio/panels.tsx";
import { useTexts } from "../texts/language.ts";
import { PictureDialog } from "./dialog.tsx";
import { adviceOf, CluesDialog } from "./clues.tsx";
import { filesOf, isPicture, load, type Loaded, MOST_PIXELS, nameOf, readFile, Unreadable } from "./opening.ts";

export interface OpeningProps {
  picture: Picture;
  core: CoreClient;
  onOpen(picture: Picture): void;
  /** Says what happened, to the picture that is opened or to the present one. */
  onSay(message: string, picture?: Picture): void;
  /** The core has done something else than to judge the picture. */
  onIdle(): void;
  /** What else stands beside New and Open. */
  children: ComponentChildren;
}

/** A file that holds several puzzles, or that could not be read as it is, and why. */
interface Unclear {
  file: File;
  puzzles: Puzzle[];
  fault: string;
}

export function Opening({ picture, core, onOpen, onSay, onIdle, children }: OpeningProps) {
  const texts = useTexts();
  const t = texts.importing;
  const [dialog, show] = useState<"new" | "open" | "clues">();
  const [choice, setChoice] = useState<Unclear>();
  const [loaded, setLoaded] = useState<Loaded>();

  const open = async (puzzle: Puzzle | undefined, notes: string[] = []) => {
    if (!puzzle) return;
    const read = opened(puzzle);
    if (!("cells" in read)) onSay(texts.studio.solving);
    const found = await solved(read, (clues) => core.solve(clues));
    if (found) {
      onOpen(found);
      return onSay(notes.join(" "), found);
    }
    onSay(`${texts.studio.noSolution} ${(await adviceOf(puzzle, core, t)).text}`.trim());
    onIdle();
  };
  const guarded = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const draft = error instanceof FileError && error.draft;
      onSay(draft ? `${message}. ${(await adviceOf(draft, core, t)).text}` : message);
      if (draft) onIdle();
      else setChoice((old) => old && { ...old, fault: message });
    }
  };
  const take = (file: File | undefined, format = "") =>
    guarded(async () => {
      if (!file) return;
      onSay("");
      close();
      if (isPicture(file) && !format) return setLoaded(await pictureOf(file));
      setChoice({ file, puzzles: [], fault: "" });
      const { puzzles, notes } = await readFile(file, core, format);
      setChoice(puzzles.length > 1 ? { file, puzzles, fault: "" } : undefined);
      await open(puzzles[0], notes);
    });

  const pictureOf = (file: File) =>
    load(file).catch((error) => {
      throw error instanceof Unreadable ? new Error(t.noPicture(file.name)) : error instanceof RangeError ? new Error(t.tooLarge(file.name, MOST_PIXELS)) : error;
    });

  const dragover = (event: DragEvent) => {
    event.preventDefault();
    document.body.classList.toggle("over", event.type === "dragover");
  };
  const drop = (event: DragEvent) => {
    dragover(event);
    take(filesOf(event.dataTransfer)[0]);
  };
  const paste = (event: ClipboardEvent) => {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return;
    const [file] = filesOf(event.clipboardData);
    if (!file) return;
    event.preventDefault();
    take(file);
  };
  useListeners({ dragover, dragleave: dragover, drop, paste });

  const close = () => {
    show(undefined);
    setLoaded(undefined);
    setChoice(undefined);
  };
  const idle = () => {
    close();
    onIdle();
  };
  const [files, camera] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)];
  const chosen = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    take(currentTarget.files?.[0]);
    currentTarget.value = "";
  };
  const begin = (made: Picture) => {
    close();
    onOpen(made);
  };
  return (
    <>
      <div class="begin" id="more" popover="auto">
        <Button icon={Plus} label={t.new} kind="calm" onClick={() => show("new")} />
        <Button icon={FolderOpen} label={t.openIt} kind="calm" onClick={() => show("open")} />
        {children}
      </div>
      <input ref={files} type="file" hidden aria-label={t.open} onChange={chosen} />
      <input ref={camera} type="file" hidden aria-label={t.camera} accept="image/*" capture="environment" onChange={chosen} />
      {dialog === "new" && <NewDialog picture={picture} onOpen={begin} onClues={() => show("clues")} onClose={close} />}
      {dialog === "open" && (
        <Dialog title={t.openIt} onClose={close} close={t.cancel}>
          <div class="pair">
            <Button icon={FolderOpen} label={t.open} kind="primary" onClick={() => files.current?.click()} />
            <Button icon={Camera} label={t.camera} kind="camera" onClick={() => camera.current?.click()} />
          </div>
          <p class="note mouse">{t.paste}</p>
        </Dialog>
      )}
      {dialog === "clues" && (
        <CluesDialog
          core={core}
          onUse={(found, notes) => {
            begin(found);
            onSay(notes.join(" "), found);
          }}
          onClose={idle}
        />
      )}
      {choice && (choice.puzzles.length > 1 || choice.fault) && (
        <Dialog title={choice.fault ? t.unread(choice.file.name) : t.which(choice.file.name, choice.puzzles.length)} onClose={close} close={t.cancel}>
          {choice.fault ? (
            <>
              <p>{choice.fault}</p>
              <Choice label={t.readAs} options={[["", t.recognised], ...FORMATS.map(({ name }) => [name, name] as const)]} onChange={(format) => take(choice.file, format)} />
            </>
          ) : (
            <ul class="list">
              {choice.puzzles.map((puzzle, i) => (
                <li key={i}>
                  <Button label={nameOf(puzzle, i + 1)} kind="calm" onClick={() => guarded(() => (close(), open(puzzle)))} />
                </li>
              ))}
            </ul>
          )}
        </Dialog>
      )}
      {loaded && (
        <PictureDialog
          key={loaded.number}
          loaded={loaded}
          core={core}
          onUse={(found) => begin({ ...found, title: loaded.name.replace(/\.[^.]*$/, "").slice(0, 200) })}
          onClose={idle}
        />
      )}
    </>
  );
}

/** A blank picture, or clues without one. */
function NewDialog({ picture, onOpen, onClues, onClose }: { picture: Picture; onOpen(picture: Picture): void; onClues(): void; onClose(): void }) {
  const t = useTexts().importing;
  const [[rows, columns], setSize] = useState([picture.rows, picture.columns]);
  return (
    <Dialog title={t.newTitle} close={t.cancel} action={[t.create, () => onOpen(blank(rows, columns))]} onClose={onClose}>
      <div class="seg" role="group" aria-label={t.size}>
        {[5, 10, 15, 20, 25, 30].map((side) => (
          <button key={side} type="button" aria-pressed={rows === side && columns === side} onClick={() => setSize([side, side])}>
            {side}
          </button>
        ))}
      </div>
      <Sides picture={{ rows, columns }} onChange={(...size) => setSize(size)} />
      <Button icon={Hash} label={t.fromClues} onClick={onClues} />
    </Dialog>
  );
}
