import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import preact from "@preact/preset-vite";
import type { Plugin } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";
import { defineConfig } from "vitest/config";

/** The page to build: Vite puts one page into one file, so each has a run of its own. */
const ENTRY = process.env.ENTRY ?? "studio";
const MODULE = new URL("../build/studio/nonocsp.wasm", import.meta.url);

/** `virtual:core` is the WebAssembly module, packed by gzip, as base64. */
function core(): Plugin {
  return {
    name: "core",
    resolveId: (id) => (id === "virtual:core" ? "\0core" : undefined),
    load: (id) =>
      id === "\0core"
        ? `export default ${JSON.stringify(gzipSync(readFileSync(MODULE), { level: 9 }).toString("base64"))}`
        : undefined,
  };
}

export default defineConfig({
  plugins: [preact(), core(), viteSingleFile({ removeViteModuleLoader: true })],
  // A classic script: Chromium starts no module of a blob on a page opened from a file.
  worker: { format: "iife", plugins: () => [core()] },
  build: {
    outDir: "../build/studio",
    emptyOutDir: false,
    target: "es2022",
    modulePreload: false,
    rollupOptions: { input: `${ENTRY}.html` },
  },
  test: { include: ["test/**/*.test.ts"] },
});
