/** The worker of the page: unpacks the core and works on the latest request. */

import { Decoder } from "lzma1/lib/decoder.js";
import { InputBuffer, OutputBuffer } from "lzma1/lib/streams.js";
import packed from "virtual:core";
import type { Answer, Request } from "./records.ts";
import { Core } from "./module.ts";
import { Work } from "./work.ts";

// A message to oneself lets the messages of the page come first, without the 4 ms that a timer waits.
const channel = new MessageChannel();
let go = () => {};
channel.port1.onmessage = () => go();
const pause = () =>
  new Promise<void>((resolve) => {
    go = resolve;
    channel.port2.postMessage(null);
  });

const unpacked = new OutputBuffer(1 << 19);
new Decoder().decompress(new InputBuffer(Uint8Array.from(atob(packed), (char) => char.charCodeAt(0))), unpacked);
const work = Core.load(unpacked.toArray())
  .then((core) => new Work(core, (answer: Answer) => self.postMessage(answer), pause));

work.catch(reportError);

// One request at a time: the one that is being worked on ends at its next pause.
let queue: Promise<void> = Promise.resolve();
let newest = -1;
self.onmessage = ({ data }: MessageEvent<Request>) => {
  if (data.kind === "read") {
    work.then((ready) => ready.take(data)).catch(() => {}); // ends no other work
    return;
  }
  newest = data.generation;
  work.then((ready) => ready.stopBefore(newest)).catch(() => {});
  queue = queue.then(async () => {
    if (data.generation === newest) await (await work).take(data);
  }).catch(() => {});
};
