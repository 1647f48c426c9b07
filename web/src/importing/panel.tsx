/** The panel of files: open what is chosen, dropped or pasted, and save the puzzle in any format. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { CoreClient } from "../core/client.ts";
import { linkOf, opened, puzzleOfPicture, solved } from "../model/files.ts";
import { FileError, type Puzzle } from "../model/formats/puzzle.ts";
import { FORMATS, writable, writePuzzle } from "../model/formats/registry.ts";
import type { Picture } from "../model/picture.ts";
import { download, fileName } from "../shared/files.ts";
import { Choice } from "../shared/parts.tsx";
import { Panel } from "../studio/panels.tsx";
import { server } from "../studio/server.ts";
import { type Drawing, keptDrawings } from "../studio/storage.ts";
import { useTexts } from "../texts/language.ts";
import { PictureDialog } from "./dialog.tsx";
import { pngOf, svgOf } from "./drawing.ts";
import { type Loaded, load, MOST_PIXELS, Unreadable } from "./loading.ts";
import { mendText } from "./mending.ts";
import { filesOf, isPicture, nameOf, readFile } from "./opening.ts";
import "./style.css";

export interface FilesPanelProps {
  picture: Picture;
  core: CoreClient;
  onOpen(picture: Picture): void;
  /** Says what happened, to the picture that is opened or to the present one. */
  onSay(message: string, picture?: Picture): void;
}

/** A file that holds several puzzles, or that could not be read as it is. */
interface Choice {
  file: File;
  puzzles: Puzzle[];
}

export function FilesPanel({ picture, core, onOpen, onSay }: FilesPanelProps) {
  const texts = useTexts();
  const t = texts.importing;
  const [choice, setChoice] = useState<Choice>();
  const [shown, show] = useState("");
  const [loaded, setLoaded] = useState<Loaded>();
  const [earlier, setEarlier] = useState<Drawing[]>([]);
  useEffect(() => {
    keptDrawings().then((kept) => setEarlier(kept.filter(({ history }) => linkOf(history.present) !== linkOf(picture))), () => {});
  }, []);

  const open = async (puzzle: Puzzle | undefined, notes: string[] = []) => {
    if (!puzzle) return;
    const read = opened(puzzle);
    if (!("cells" in read)) onSay(texts.studio.solving);
    const found = await solved(read, (clues) => core.solve(clues));
    if (!found) return onSay(`${texts.studio.noSolution} ${await mendText(puzzle, core, t)}`.trim());
    onOpen(found);
    onSay(notes.join(" "), found);
  };
  const guarded = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      onSay(error instanceof Error ? error.message : String(error));
      if (error instanceof FileError && error.draft) onSay(`${error.message}. ${await mendText(error.draft, core, t)}`);
    }
  };
  const take = (file: File | undefined, format = "") =>
    guarded(async () => {
      if (!file) return;
      onSay("");
      if (isPicture(file) && !format) {
        setChoice(undefined);
        return setLoaded(await pictureOf(file));
      }
      setChoice({ file, puzzles: [] });
      const { puzzles, notes } = await readFile(file, core, format);
      setChoice(puzzles.length > 1 ? { file, puzzles } : undefined);
      await open(puzzles[0], notes);
    });

  const pictureOf = (file: File) =>
    load(file).catch((error) => {
      throw error instanceof Unreadable ? new Error(t.noPicture(file.name)) : error instanceof RangeError ? new Error(t.tooLarge(file.name, MOST_PIXELS)) : error;
    });

  // The listeners of the page are set once; they call what this drawing of the panel made.
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const over = (event: DragEvent) => {
      event.preventDefault();
      document.body.classList.toggle("over", event.type === "dragover");
    };
    const drop = (event: DragEvent) => {
      over(event);
      latest.current(filesOf(event.dataTransfer)[0]);
    };
    const paste = (event: ClipboardEvent) => {
      if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return;
      const [file] = filesOf(event.clipboardData);
      if (!file) return;
      event.preventDefault();
      latest.current(file);
    };
    const all = [["dragover", over], ["dragleave", over], ["drop", drop], ["paste", paste]] as [string, EventListener][];
    for (const [type, listener] of all) document.addEventListener(type, listener);
    return () => {
      for (const [type, listener] of all) document.removeEventListener(type, listener);
    };
  }, []);

  const chosen = (event: { currentTarget: HTMLInputElement }) => {
    take(event.currentTarget.files?.[0]);
    event.currentTarget.value = "";
  };
  return (
    <Panel title={texts.studio.puzzle}>
      <label>
        {t.open} <input type="file" onChange={chosen} />
      </label>
      <label class="camera">
        {t.camera} <input type="file" accept="image/*" capture="environment" onChange={chosen} />
      </label>
      {choice && !choice.puzzles.length && (
        <Choice label={t.readAs} options={[["", t.recognised], ...FORMATS.map(({ name }) => [name, name] as const)]} onChange={(format) => take(choice.file, format)} />
      )}
      {choice && choice.puzzles.length > 1 && (
        <Choice
          label={t.which(choice.file.name, choice.puzzles.length)}
          options={choice.puzzles.map((puzzle, i) => [String(i), nameOf(puzzle, i + 1)])}
          onChange={(number) => guarded(() => open(choice.puzzles[Number(number)]))}
        />
      )}
      {earlier.length > 0 && (
        <Choice
          label={texts.studio.recent}
          options={[["", "…"], ...earlier.map(({ changed, history: { present } }, i) => [String(i), `${present.title || texts.studio.untitled}, ${present.rows}x${present.columns}, ${new Date(changed).toLocaleString()}`] as const)]}
          onChange={(number) => earlier[Number(number)] && number && onOpen(earlier[Number(number)]!.history.present)}
        />
      )}
      <Save picture={picture} onSay={onSay} />
      {/* A link to a server that ends with its page would lead nowhere. */}
      {!server() && (
        <button
          type="button"
          onClick={() => {
            const link = `${location.href.replace(/#.*/, "")}#${linkOf(picture)}`;
            show(link);
            navigator.clipboard?.writeText(link).catch(() => {});
          }}
        >
          {t.link}
        </button>
      )}
      {shown && (
        <label>
          {t.linkReady} <input class="link" readOnly value={shown} onFocus={(event) => event.currentTarget.select()} />
        </label>
      )}
      <p class="note">{t.paste}</p>
      {loaded && (
        <PictureDialog
          key={loaded.number}
          loaded={loaded}
          onUse={(found) => {
            setLoaded(undefined);
            onOpen({ ...found, title: loaded.name.replace(/\.[^.]*$/, "").slice(0, 200) });
          }}
          onClose={() => setLoaded(undefined)}
        />
      )}
    </Panel>
  );
}

const DRAWINGS = ["puzzleSvg", "solutionSvg", "puzzlePng", "solutionPng"] as const;

/** A format, and the button that saves the puzzle in it. */
function Save({ picture, onSay }: Pick<FilesPanelProps, "picture" | "onSay">) {
  const t = useTexts().importing;
  const [wanted, setWanted] = useState("json");
  const formats = writable(picture).map(({ name, suffixes }) => ({ name, suffix: suffixes[0] ?? ".txt" }));
  const drawing = DRAWINGS.find((name) => name === wanted);
  const format = formats.find(({ name }) => name === wanted) ?? formats[0];

  const save = async () => {
    const title = fileName(picture.title);
    try {
      if (drawing) {
        const svg = svgOf(picture, { isSolved: drawing.startsWith("solution") });
        const isPng = drawing.endsWith("Png");
        download(isPng ? await pngOf(svg) : new Blob([svg.text], { type: "image/svg+xml" }), `${title}${drawing.startsWith("solution") ? "-solution" : ""}.${isPng ? "png" : "svg"}`);
      } else if (format) download(new Blob([writePuzzle(puzzleOfPicture(picture), format.name)], { type: "text/plain" }), `${title}${format.suffix}`);
    } catch (error) {
      onSay(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <>
      <Choice
        label={t.format}
        options={[...formats.map(({ name, suffix }) => [name, `${name} (${suffix})`] as const), ...DRAWINGS.map((name) => [name, t[name]] as const)]}
        value={drawing ?? format?.name}
        onChange={setWanted}
      />
      <button type="button" onClick={save}>
        {t.save}
      </button>
    </>
  );
}
