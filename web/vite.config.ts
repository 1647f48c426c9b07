import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import preact from "@preact/preset-vite";
import type { Plugin } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";
import { defineConfig } from "vitest/config";

/** The page to build: Vite puts one page into one file, so each has a run of its own. */
const ENTRY = process.env.ENTRY ?? "";
const MODULE = new URL("../build/studio/nonocsp.wasm", import.meta.url);

// Its types are sources, which are not as strict as ours.
const { compress } = createRequire(import.meta.url)("lzma1") as { compress(data: Uint8Array, mode: number): Uint8Array };
const PLAYER = new URL("../build/studio/player.html", import.meta.url);

/** `virtual:core` is the WebAssembly module, packed as LZMA, in base64. */
function core(): Plugin {
  return {
    name: "core",
    resolveId: (id) => (id === "virtual:core" ? `\0${id}` : undefined),
    load: (id) => (id === "\0virtual:core" ? `export default "${Buffer.from(compress(readFileSync(MODULE), 9)).toString("base64")}"` : undefined),
  };
}

/** What the studio takes from the script and the style of the player, which stand in its page too. */
const SHARED = [
  ...["preact", "preact/hooks", "preact/jsx-runtime", "board/board.tsx", "board/board.css", "board/lines.ts"],
  ...["model/history.ts", "model/picture.ts", "player/puzzle.ts", "player/style.css", "player/texts.ts", "player/view.tsx"],
  ...["shared/colours.ts", "shared/controls.tsx", "shared/language.ts", "shared/parts.tsx", "shared/theme.css"],
];

/** The script of the player offers these modules to the studio, whose page has it in place of `<!--player-->`. */
function shared(): Plugin {
  const sources = fileURLToPath(new URL("src/", import.meta.url));
  const modules = SHARED.filter((name) => !name.endsWith(".css"));
  const exported = async (name: string) =>
    name.startsWith("preact") ? Object.keys(await import(name)) : [...readFileSync(sources + name, "utf8").matchAll(/^export (?:const|function|class) (\w+)/gm)].map(([, found]) => found);
  const part = (page: string, tag: string) => new RegExp(`<${tag}(?![^>]*json)[^>]*>([^]*?)</${tag}>`).exec(page)?.[1] ?? "";
  const player = () => readFileSync(PLAYER, "utf8");
  return {
    name: "shared",
    enforce: "pre",
    async resolveId(id, importer) {
      if (id === "virtual:player") return `\0${id}`;
      const found = ENTRY === "studio" && importer && (id.startsWith(".") ? resolve(dirname(importer), id).replace(sources, "") : id);
      return found && SHARED.includes(found) ? `\0shared:${found}` : undefined;
    },
    async load(id) {
      if (id === "\0virtual:player") return `export default ${JSON.stringify(["style", "script"].reduce((page, tag) => page.replace(part(page, tag), ""), player()))}`;
      const [, name] = /^\0shared:(.*)$/.exec(id) ?? [];
      if (!name) return undefined;
      return name.endsWith(".css") ? "" : `export const { ${(await exported(name)).join(", ")} } = globalThis.shared["${name}"];`;
    },
    transform(code, id) {
      if (ENTRY !== "player" || id !== `${sources}player/main.tsx`) return undefined;
      const imports = modules.map((name, i) => `import * as shared${i} from "${name.startsWith("preact") ? name : `../${name}`}";`);
      return `${imports.join("")}${code}\nglobalThis.shared = { ${modules.map((name, i) => `"${name}": shared${i}`).join(", ")} };`;
    },
    writeBundle({ dir }) {
      const path = `${dir}/${ENTRY}.html`;
      const page = readFileSync(path, "utf8");
      if (!page.includes("<!--player-->")) return;
      const both = `<style id="player-style">${part(player(), "style")}</style><script type="module" id="player-script">${part(player(), "script")}</script>`;
      writeFileSync(path, page.replace("<!--player-->", () => both));
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
  plugins: [shared(), preact(), viteSingleFile({ removeViteModuleLoader: true }), policy()],
  // The decoder alone: the package exports the encoder with it.
  resolve: { alias: { "lzma1/lib": fileURLToPath(new URL("node_modules/lzma1/lib", import.meta.url)) } },
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
