/**
 * Draws in Firefox: `node firefox.ts FIREFOX PAGE SCREENSHOT`. It speaks WebDriver BiDi with Firefox itself, since
 * Playwright asks for more than Firefox 140 knows. Prints what the page says at first and after a click.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [firefox, page, screenshot] = process.argv.slice(2) as [string, string, string];
const VERDICT = "document.querySelector('#verdict[aria-busy=false]')?.textContent";
const CELL = "(() => { const { x, y } = document.querySelector('td[data-row=\"1\"]').getBoundingClientRect(); return [x + 5, y + 5].join(); })()";

/** Commands to a browser that listens at an address. */
async function connected(address: string) {
  const socket = new WebSocket(`${address}/session`);
  const waiting = new Map<number, { resolve(value: any): void; reject(error: Error): void }>();
  socket.onmessage = ({ data }) => {
    const { id, result, error, message } = JSON.parse(String(data));
    if (error) waiting.get(id)?.reject(new Error(`${error}: ${message}`));
    else waiting.get(id)?.resolve(result);
  };
  await new Promise((resolve, reject) => Object.assign(socket, { onopen: resolve, onerror: reject }));
  return (method: string, params: object): Promise<any> =>
    new Promise((resolve, reject) => {
      const id = waiting.size;
      waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, method, params }));
    });
}

function addressOf(process: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    process.stderr?.on("data", (text) => {
      said += text;
      const found = /listening on (ws:\/\/\S+)/.exec(said);
      if (found) resolve(found[1] as string);
    });
    process.on("exit", () => reject(new Error(said)));
  });
}

const profile = mkdtempSync(join(tmpdir(), "firefox-"));
const browser = spawn(firefox, ["--headless", "--remote-debugging-port=0", "--profile", profile]);
// A page that says nothing, or never what it should.
setTimeout(() => {
  browser.kill("SIGKILL");
  process.exit(1);
}, 90_000);
const ended = new Promise((resolve) => browser.on("exit", resolve));
try {
  const send = await connected(await addressOf(browser));
  await send("session.new", { capabilities: {} });
  const { contexts } = await send("browsingContext.getTree", {});
  const { context } = contexts[0];
  await send("browsingContext.navigate", { context, url: pathToFileURL(page).href, wait: "complete" });
  const value = async (expression: string): Promise<string | undefined> =>
    (await send("script.evaluate", { expression, target: { context }, awaitPromise: true })).result.value;
  const says = async (wanted: string) => {
    for (;;) {
      const said = await value(VERDICT);
      if (said?.includes(wanted)) return console.log(said.trim());
      await value("new Promise(requestAnimationFrame)");
    }
  };
  await says("Draw something");
  const [x, y] = String(await value(CELL)).split(",").map(Number).map(Math.round);
  const actions = [{ type: "pointerMove", x, y }, { type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 }];
  await send("input.performActions", { context, actions: [{ type: "pointer", id: "mouse", actions }] });
  await says("One solution");
  const { data } = await send("browsingContext.captureScreenshot", { context });
  writeFileSync(screenshot, Buffer.from(data, "base64"));
} finally {
  browser.kill();
  await ended;
  rmSync(profile, { recursive: true, force: true });
}
process.exit(0);
