/** The panel of what leaves the page: files, a link and its QR code, paper. */

import { generate } from "lean-qr/nano";
import { BadgeCheck, Download, Link, Printer, Share } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import { linkOf, puzzleOfPicture } from "../model/files.ts";
import { writable, writePuzzle } from "../model/formats/registry.ts";
import type { Certificate } from "../core/records.ts";
import type { Picture } from "../model/picture.ts";
import { download, fileName } from "../shared/data.ts";
import { Button, Choice } from "../shared/controls.tsx";
import { Dialog } from "../shared/parts.tsx";
import { Panel } from "../studio/panels.tsx";
import { server } from "../studio/server.ts";
import { useTexts } from "../texts/language.ts";
import { certificateFile } from "./certificate.ts";
import { pngOf, svgOf } from "./drawing.ts";

const DRAWINGS = ["puzzleSvg", "solutionSvg", "puzzlePng", "solutionPng"] as const;

interface ExportProps {
  picture: Picture;
  /** Proves that the puzzle has one solution; undefined unless that is known. */
  certify: (() => Promise<Certificate>) | undefined;
  onSay(message: string): void;
}

export function Export({ picture, certify, onSay }: ExportProps) {
  const t = useTexts().importing;
  const [wanted, setWanted] = useState("json");
  const [isSharing, setSharing] = useState(false);
  const formats = writable(picture).map(({ name, suffixes }) => ({ name, suffix: suffixes[0] ?? ".txt" }));
  const drawing = DRAWINGS.find((name) => name === wanted);
  const format = formats.find(({ name }) => name === wanted) ?? formats[0];

  const said = (error: unknown) => onSay(error instanceof Error ? error.message : String(error));
  const saveCertificate = async () => {
    try {
      if (certify) download(await certificateFile(puzzleOfPicture(picture), await certify()), `${fileName(picture.title)}-certificate.zip`);
    } catch (error) {
      said(error);
    }
  };
  const save = async () => {
    const title = fileName(picture.title);
    try {
      if (drawing) {
        const svg = svgOf(picture, { isSolved: drawing.startsWith("solution") });
        const isPng = drawing.endsWith("Png");
        download(isPng ? await pngOf(svg) : new Blob([svg.text], { type: "image/svg+xml" }), `${title}${drawing.startsWith("solution") ? "-solution" : ""}.${isPng ? "png" : "svg"}`);
      } else if (format) download(new Blob([writePuzzle(puzzleOfPicture(picture), format.name)], { type: "text/plain" }), `${title}${format.suffix}`);
    } catch (error) {
      said(error);
    }
  };
  return (
    <Panel icon={Share} title={t.export}>
      <Choice
        label={t.format}
        options={[...formats.map(({ name, suffix }) => [name, `${name} (${suffix})`] as const), ...DRAWINGS.map((name) => [name, t[name]] as const)]}
        value={drawing ?? format?.name}
        onChange={setWanted}
      />
      <div class="pair">
        <Button icon={Download} label={t.save} kind="primary" onClick={save} />
        <Button icon={Printer} label={t.print} onClick={() => print()} />
        {/* A link to a server that ends with its page would lead nowhere. */}
        {!server() && <Button icon={Link} label={t.link} onClick={() => setSharing(true)} />}
      </div>
      {/* Only pages from a safe address have checksums. */}
      {certify && isSecureContext && (
        <div class="pair">
          <Button icon={BadgeCheck} label={t.certificate} title={t.certificateHelp} onClick={saveCertificate} />
        </div>
      )}
      {isSharing && <LinkDialog picture={picture} onClose={() => setSharing(false)} />}
    </Panel>
  );
}

/** The link, to copy and to scan. Nobody draws while it is shown, so it is always that of the picture. */
function LinkDialog({ picture, onClose }: { picture: Picture; onClose(): void }) {
  const t = useTexts().importing;
  const link = `${location.href.replace(/#.*/, "")}#${linkOf(picture)}`;
  const isFile = location.protocol === "file:";
  const code = useRef<HTMLCanvasElement>(null);
  const [isTooLong, setTooLong] = useState(false);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    try {
      generate(link).toCanvas(code.current as HTMLCanvasElement, { off: [255, 255, 255] });
    } catch {
      setTooLong(true);
    }
  }, [link]);
  const field = useRef<HTMLInputElement>(null);
  const copy = async () => {
    field.current?.select();
    // Only pages from a safe address have a clipboard of this kind.
    const isDone = await navigator.clipboard?.writeText(link).then(() => true, () => false);
    if (!isDone) document.execCommand("copy");
    setCopied(true);
  };
  return (
    <Dialog title={t.link} class="share" close={t.close} action={[t.copy, copy]} note={isCopied ? t.copied : ""} onClose={onClose}>
      <input ref={field} aria-label={t.linkReady} readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
      {isTooLong ? <p class="note">{t.tooLong}</p> : <canvas ref={code} role="img" aria-label={t.code} hidden={isFile} />}
      <p class="note">{isFile ? t.linkLocal : t.linkHolds}</p>
    </Dialog>
  );
}
