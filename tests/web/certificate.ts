/** Writes the archives of certificates into a folder: `node certificate.ts MODULE FOLDER < PUZZLES`, one JSON document a line. */

import { readFile, writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { Core } from "../../web/src/core/module.ts";
import type { Answer } from "../../web/src/core/records.ts";
import { Work } from "../../web/src/core/work.ts";
import { certificateFile } from "../../web/src/exporting/certificate.ts";
import { decode } from "../../web/src/model/formats/data/json.ts";

const [path = "", folder = ""] = process.argv.slice(2);
const answers: Answer[] = [];
const work = new Work(await Core.load(await readFile(path)), (answer) => void answers.push(answer), async () => {});
for (const [generation, line] of (await text(process.stdin)).trim().split("\n").entries()) {
  const puzzle = decode(JSON.parse(line));
  const clues = { colours: puzzle.palette.length, rows: puzzle.rows, columns: puzzle.columns };
  await work.take({ kind: "certify", generation, clues });
  const answer = answers.pop();
  if (answer?.kind === "certified") await writeFile(`${folder}/${generation}.zip`, new Uint8Array(await (await certificateFile(puzzle, answer.certificate)).arrayBuffer()));
  else console.log(`${generation}: ${JSON.stringify(answer)}`);
}
