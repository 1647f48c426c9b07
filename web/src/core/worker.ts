/** The worker of the page: unpacks the core and works on the latest request. */

import packed from "virtual:core";
import { unpacked } from "./lzma.ts";
import type { Answer, Request } from "./messages.ts";
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

const work = Core.load(unpacked(Uint8Array.from(atob(packed), (char) => char.charCodeAt(0))))
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
