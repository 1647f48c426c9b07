/** The view of the folder, on pages that `nonocsp studio` serves: open, save, print, make of a photo, reports. */

import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { documentOf, readDocument, solved } from "../model/files.ts";
import type { Picture } from "../model/picture.ts";
import { EXISTS, type Listing, type Made, type PuzzleJson, type Server, ServerError, server } from "../studio/server.ts";
import type { ViewProps } from "../studio/views.ts";
import { download, fileName } from "../shared/data.ts";
import { Button, Choice, Switch } from "../shared/controls.tsx";
import { LEVELS, useLanguage } from "../shared/language.ts";
import { Cells } from "../shared/parts.tsx";
import { useTexts } from "../texts/language.ts";

/** The picture of a puzzle; clues without one are solved. */
export async function pictureOf(puzzle: PuzzleJson, core: ViewProps["core"], noSolution: string): Promise<Picture> {
  const picture = await solved(readDocument(puzzle), (clues) => core.solve(clues));
  if (!picture) throw new Error(noSolution);
  return picture;
}

/** What runs at the moment, what is said of it, and how it is cancelled. */
function useWork() {
  const t = useTexts().folder;
  const [said, say] = useState("");
  const running = useRef<AbortController>(undefined);
  const [isRunning, setIsRunning] = useState(false);
  useEffect(() => () => running.current?.abort(), []);

  const run = async (work: (signal: AbortSignal) => Promise<string>) => {
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    setIsRunning(true);
    say(t.working);
    let result: string;
    try {
      result = await work(own.signal);
    } catch (error) {
      result = own.signal.aborted ? t.cancelled : error instanceof Error ? error.message : String(error);
    }
    if (running.current !== own) return;
    setIsRunning(false);
    say(result);
  };
  return { said, run, isRunning, cancel: () => running.current?.abort() };
}

export function FolderView({ picture, core, open }: ViewProps) {
  const host = server() as Server;
  const texts = useTexts();
  const t = texts.folder;
  const { said, run, isRunning, cancel } = useWork();
  const [listing, setListing] = useState<Listing>({ files: [], reports: [], isCut: false });
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set());

  const list = async () => {
    setListing(await host.files());
    return "";
  };
  useEffect(() => void run(list), []);
  const show = async (puzzle: PuzzleJson) => {
    open(await pictureOf(puzzle, core, texts.studio.noSolution));
    return "";
  };
  const openFile = async (name: string) => {
    const { puzzles, notes } = await host.open(name);
    if (puzzles[0]) await show(puzzles[0].puzzle);
    return [...notes, ...(puzzles.length > 1 ? [t.several(name, puzzles.length)] : [])].join(" ");
  };

  return (
    <div class="folder">
      <p role="status" aria-busy={isRunning}>
        {said}{" "}
        {isRunning && <Button label={texts.importing.cancel} onClick={cancel} />}
      </p>
      <Part title={t.files(host.folder)}>
        <Button label={t.refresh} onClick={() => run(list)} />
        <ul>
          {listing.files.map((name) => (
            <li key={name}>
              <input
                type="checkbox"
                aria-label={t.choose(name)}
                checked={chosen.has(name)}
                onChange={() => choose((old) => new Set(old.has(name) ? [...old].filter((one) => one !== name) : [...old, name]))}
              />
              <Button label={name} name={t.open(name)} onClick={() => run(() => openFile(name))} />
            </li>
          ))}
        </ul>
        {!listing.files.length && !isRunning && <p>{t.noFiles}</p>}
        {listing.isCut && <p>{t.isCut}</p>}
      </Part>
      <Saving picture={picture} host={host} run={run} saved={list} />
      <Printing picture={picture} host={host} run={run} chosen={[...chosen].filter((name) => listing.files.includes(name))} />
      <Photo host={host} run={run} isRunning={isRunning} show={show} />
      {listing.reports.length > 0 && (
        <Part title={t.reports}>
          <ul>
            {listing.reports.map((name) => (
              <li key={name}>
                <a href={host.reportAddress(name)} target="_blank" rel="noopener">{name}</a>
              </li>
            ))}
          </ul>
        </Part>
      )}
    </div>
  );
}

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <fieldset>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

interface PartProps {
  host: Server;
  run(work: (signal: AbortSignal) => Promise<string>): Promise<void>;
}

function Saving({ picture, host, run, saved }: PartProps & { picture: Picture; saved(): Promise<string> }) {
  const { folder: t, importing } = useTexts();
  const [format, setFormat] = useState("json");
  const suffix = host.formats.find(({ name }) => name === format)?.suffix ?? "";
  const [stem, setStem] = useState(fileName(picture.title));
  const [existing, setExisting] = useState("");
  const name = `${stem}${suffix}`;
  const save = async (replace: boolean) => {
    setExisting("");
    try {
      const { lost } = await host.save(name, format, documentOf(picture), replace);
      await saved();
      return [t.saved(name), ...(lost.length ? [t.lost(lost)] : [])].join(" ");
    } catch (error) {
      if (error instanceof ServerError && error.status === EXISTS) setExisting(name);
      throw error;
    }
  };
  const fetchFile = async () => {
    const { file, lost } = await host.write(format, documentOf(picture));
    download(file, name);
    return lost.length ? t.lost(lost) : "";
  };
  return (
    <Part title={importing.save}>
      <label>
        {t.name} <input value={stem} maxLength={80} onInput={(event) => setStem(event.currentTarget.value)} />
      </label>
      <Choice label={importing.format} options={host.formats.map(({ name, suffix, summary }) => [name, `${name} ${suffix}`, summary])} value={format} onChange={setFormat} />
      <Button label={t.saveHere} onClick={() => run(() => save(false))} />
      {existing === name && <Button label={t.replace(name)} onClick={() => run(() => save(true))} />}
      <Button label={t.download} onClick={() => run(fetchFile)} />
    </Part>
  );
}

function Printing({ picture, host, run, chosen }: PartProps & { picture: Picture; chosen: string[] }) {
  const { folder: t, importing } = useTexts();
  const [paper, setPaper] = useState("a4");
  const [isSolved, setIsSolved] = useState(false);
  const [hasPatterns, setHasPatterns] = useState(false);
  const print = async (puzzles: PuzzleJson[], isBook: boolean, signal: AbortSignal) => {
    const title = isBook ? "" : picture.title;
    const options = { title, paper, is_book: isBook, is_solved: isSolved, has_patterns: hasPatterns };
    const { file, pages, faults } = await host.book(puzzles, options, signal);
    download(file, isBook ? "book.pdf" : `${fileName(picture.title)}.pdf`);
    return [t.printed(pages), ...faults].join(" ");
  };
  const printChosen = async (signal: AbortSignal) => {
    const puzzles: PuzzleJson[] = [];
    for (const name of chosen) puzzles.push(...(await host.open(name)).puzzles.map(({ puzzle }) => puzzle));
    return print(puzzles, true, signal);
  };
  return (
    <Part title={importing.print}>
      <Choice label={t.paper} options={[["a4", "A4"], ["letter", "Letter"]]} value={paper} onChange={setPaper} />
      <Switch label={t.solutions} isOn={isSolved} onChange={setIsSolved} />
      <Switch label={t.patterns} isOn={hasPatterns} onChange={setHasPatterns} />
      <Button label={t.onePdf} onClick={() => run((signal) => print([documentOf(picture)], false, signal))} />
      <Button label={t.bookPdf(chosen.length)} isDisabled={!chosen.length} onClick={() => run(printChosen)} />
    </Part>
  );
}

function Photo({ host, run, isRunning, show }: PartProps & { isRunning: boolean; show(puzzle: PuzzleJson): Promise<string> }) {
  const { folder: t, studio } = useTexts();
  const language = useLanguage();
  const [file, setFile] = useState<File>();
  const [rows, setRows] = useState("");
  const [colours, setColours] = useState("auto");
  const [edges, setEdges] = useState("none");
  const [difficulty, setDifficulty] = useState("");
  const [made, setMade] = useState<Made[]>([]);
  const make = async (signal: AbortSignal) => {
    if (!file) return "";
    setMade([]);
    const options = {
      count: 4,
      edges,
      ...(rows && { rows: Number(rows) }),
      ...(colours !== "auto" && { colours: Number(colours) }),
      ...(difficulty && { difficulty }),
    };
    const { puzzles, shortage } = await host.picture(file.name, file, options, signal);
    setMade(puzzles);
    return shortage;
  };
  const { auto, ...fixed } = t.colourChoice;
  return (
    <Part title={t.photo}>
      <label class="file">
        {t.picture} <input type="file" accept="image/*" onChange={(event) => setFile(event.currentTarget.files?.[0])} />
      </label>
      <label>
        {studio.rows} <input type="number" min={1} max={100} placeholder="30" value={rows} onInput={(event) => setRows(event.currentTarget.value)} />
      </label>
      <Choice label={studio.colours} options={Object.entries({ auto, ...fixed, 2: "2", 3: "3", 4: "4", 5: "5", 6: "6" })} value={colours} onChange={setColours} />
      <Choice label={t.edges} options={Object.entries(t.edgeChoice)} value={edges} onChange={setEdges} />
      <Choice label={t.difficulty} options={[["", t.anyLevel], ...Object.entries(LEVELS[language])]} value={difficulty} onChange={setDifficulty} />
      <Button label={t.make} isDisabled={!file || isRunning} onClick={() => run(make)} />
      <ul>
        {made.map(({ puzzle, level, changes }, i) => (
          <li key={i}>
            <button type="button" onClick={() => run(() => show(puzzle))}>
              <Thumbnail puzzle={puzzle} /> {t.made(i + 1, level, changes)}
            </button>
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** A small picture of a puzzle that has its goal. */
function Thumbnail({ puzzle }: { puzzle: PuzzleJson }) {
  const read = useMemo(() => readDocument(puzzle), [puzzle]);
  return <Cells picture={"cells" in read ? read : undefined} class="thumbnail" />;
}
