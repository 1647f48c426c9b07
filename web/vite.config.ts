import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import preact from "@preact/preset-vite";
import type { Plugin } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";
import { defineConfig } from "vitest/config";

/** The page to build: Vite puts one page into one file, so each has a run of its own. */
const ENTRY = process.env.ENTRY ?? "studio";
const MODULE = new URL("../build/studio/nonocsp.wasm", import.meta.url);

const PACKED = {
  "virtual:core": MODULE,
  "virtual:player": new URL("../nonocsp/pages/player.html", import.meta.url),
};

/** `virtual:core` is the WebAssembly module, `virtual:player` the page to play on: packed by gzip, as base64. */
function packed(): Plugin {
  return {
    name: "packed",
    resolveId: (id) => (id in PACKED ? `\0${id}` : undefined),
    load: (id) => {
      const file = PACKED[id.slice(1) as keyof typeof PACKED];
      return id[0] === "\0" && file
        ? `export default ${JSON.stringify(gzipSync(readFileSync(file), { level: 9 }).toString("base64"))}`
        : undefined;
    },
  };
}

/** Turn an entry's comment `<!--policy …-->` into its content security policy; `{styles}` and `{scripts}` are its own, by their hashes. */
function policy(): Plugin {
  const hashes = (page: string, tag: string) =>
    [...page.matchAll(new RegExp(`<${tag}(?![^>]*application/json)[^>]*>([^]*?)</${tag}>`, "g"))]
      .map(([, text]) => `'sha256-${createHash("sha256").update(text ?? "").digest("base64")}'`)
      .join(" ");
  return {
    name: "policy",
    writeBundle({ dir }) {
      const path = `${dir}/${ENTRY}.html`;
      const page = readFileSync(path, "utf8");
      const filled = page.replace(/<!--policy ([^]*?)-->/, (_, text: string) => {
        const content = text.replace("{styles}", hashes(page, "style")).replace("{scripts}", hashes(page, "script"));
        return `<meta http-equiv="Content-Security-Policy" content="${content}">`;
      });
      if (filled !== page) writeFileSync(path, filled);
    },
  };
}

export default defineConfig({
  plugins: [preact(), packed(), viteSingleFile({ removeViteModuleLoader: true }), policy()],
  // A classic script: Chromium starts no module of a blob on a page opened from a file.
  worker: { format: "iife", plugins: () => [packed()] },
  build: {
    outDir: "../build/studio",
    emptyOutDir: false,
    target: "es2022",
    modulePreload: false,
    rollupOptions: { input: `${ENTRY}.html` },
  },
  test: { include: ["test/**/*.test.ts"] },
});
