import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { build, type Plugin } from "vite";
import { WEB_ROOT } from "./build-places.ts";

/** Files below this size gain nothing from compression. */
const MIN_BYTES = 512;

/** Builds the pages into a folder. Returns the files that they were made of. */
export async function buildPages(folder: string): Promise<readonly string[]> {
  // Vite follows it, and React's pages of development name their sources by the paths of this machine.
  process.env["NODE_ENV"] = "production";
  const read: string[] = [];
  const listFiles: Plugin = {
    name: "list-files",
    buildEnd() {
      read.push(...this.getModuleIds());
    },
  };
  await build({
    root: WEB_ROOT,
    // The page is told where the dashboard is; its files find each other from where they are.
    experimental: {
      renderBuiltUrl: (file, { hostType }) => (hostType === "html" ? `{{dashboard}}/${file}` : { relative: true }),
    },
    configFile: false,
    envFile: false,
    logLevel: "error",
    cacheDir: join(folder, "..", ".vite"),
    plugins: [react(), listFiles],
    publicDir: "public",
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: "es2023",
      modulePreload: { polyfill: false },
      // Nothing is written into the page itself: its content policy would refuse it.
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      chunkSizeWarningLimit: 2000,
    },
  });
  compressFiles(join(folder, "assets"));
  return read;
}

/** Writes a .br and a .gz beside each file, once, so that no answer has to be compressed. */
function compressFiles(folder: string): void {
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, name));
    if (bytes.length < MIN_BYTES) continue;
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length, [constants.BROTLI_PARAM_QUALITY]: 10 };
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params }));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
  }
}
