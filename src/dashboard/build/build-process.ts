import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { build } from "vite";
import { WEB_ROOT } from "./build-places.ts";

/** Files below this size gain nothing from compression. */
const MIN_BYTES = 512;

/** A user who is not the one that builds may serve the pages, whatever the umask of that one. */
const READABLE = 0o755;
const OTHERS_READ = 0o022;

const places = process.argv.slice(2);

/** Builds into a folder beside its place and moves it there whole, so that nobody ever finds half of it. */
async function buildInto(folder: string): Promise<void> {
  await build({
    root: WEB_ROOT,
    base: "/dashboard/",
    configFile: false,
    envFile: false,
    logLevel: "error",
    cacheDir: join(folder, "..", ".vite"),
    plugins: [react()],
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

/** Returns a new folder beside the first place that can be written to. */
function prepare(): { readonly place: string; readonly temporary: string } {
  const failures: string[] = [];
  for (const place of places) {
    try {
      mkdirSync(dirname(place), { recursive: true });
      const temporary = mkdtempSync(`${place}.`);
      chmodSync(temporary, READABLE);
      return { place, temporary };
    } catch (thrown) {
      failures.push(thrown instanceof Error ? thrown.message : String(thrown));
    }
  }
  throw new Error(`there is no folder to build into: ${failures.join("; ")}`);
}

/** Another process may have been quicker: its folder has the same content. */
function moveTo(place: string, temporary: string): void {
  try {
    renameSync(temporary, place);
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
    if (code !== "ENOTEMPTY" && code !== "EEXIST") throw thrown;
    rmSync(temporary, { recursive: true });
  }
}

process.umask(OTHERS_READ);
const { place, temporary } = prepare();
try {
  await buildInto(temporary);
  moveTo(place, temporary);
} catch (thrown) {
  rmSync(temporary, { recursive: true, force: true });
  throw thrown;
}
