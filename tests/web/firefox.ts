/**
 * Draws, plays and steps in Firefox: `node firefox.ts FIREFOX PAGE SCREENSHOT`. It speaks WebDriver BiDi with Firefox
 * itself, since Playwright asks for more than Firefox knows. Prints what the page says on the way.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [firefox, page, screenshot] = process.argv.slice(2) as [string, string, string];
const textOf = (selector: string) => `document.querySelector('${selector}')?.textContent`;
const VERDICT = "#verdict[aria-busy=false]";

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
  const until = async (expression: string, wanted = "") => {
    for (;;) {
      const said = await value(expression);
      if (said?.includes(wanted)) return said.trim();
      await value("new Promise(requestAnimationFrame)");
    }
  };
  const says = async (selector: string, wanted: string) => console.log(await until(textOf(selector), wanted));
  const stroke = async (pointerType: "mouse" | "touch", ...cells: [row: number, column: number][]) => {
    const actions: object[] = [];
    for (const [row, column] of cells) {
      const place = `(() => { const { x, y } = document.querySelector('td[data-row="${row}"][data-column="${column}"]').getBoundingClientRect(); return [x + 5, y + 5].join(); })()`;
      const [x, y] = String(await value(place)).split(",").map(Number).map(Math.round);
      actions.push({ type: "pointerMove", x, y });
    }
    actions.splice(1, 0, { type: "pointerDown", button: 0 });
    actions.push({ type: "pointerUp", button: 0 });
    await send("input.performActions", { context, actions: [{ type: "pointer", id: pointerType, parameters: { pointerType }, actions }] });
  };
  const press = async (name: string) => {
    const button = `[...document.querySelectorAll("button:enabled")].find((one) => [one.textContent.trim(), one.ariaLabel].includes("${name}"))`;
    await until(`${button}?.textContent`);
    await value(`${button}.click()`);
  };
  await says(VERDICT, "Draw something");
  await stroke("mouse", [1, 0]);
  await says(VERDICT, "One solution");
  await stroke("touch", [3, 2], [3, 6]);
  console.log(await value("String(document.querySelectorAll('td[data-row=\"3\"][data-colour=\"1\"]').length)"));
  await press("Play");
  await press("Hint");
  await says("#player-status", "Look at");
  while (!(await value(textOf("#player-status.solved")))) {
    const before = await value(textOf("#player-status"));
    await press("Hint");
    await until(`(${textOf("#player-status")} !== ${JSON.stringify(before)} || document.querySelector("td.hinted")) && "told"`);
  }
  await says("#player-status", "Solved");
  await press("Steps");
  await press("To the end");
  await says("#walk[aria-busy=false]", "Solved");
  const { data } = await send("browsingContext.captureScreenshot", { context });
  writeFileSync(screenshot, Buffer.from(data, "base64"));
} finally {
  browser.kill();
  await ended;
  rmSync(profile, { recursive: true, force: true });
}
process.exit(0);
