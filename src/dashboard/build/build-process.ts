/** Builds the pages beside their place and moves them there whole, so that nobody ever finds half of them. */
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { buildPages } from "./build-pages.ts";

/** A user who is not the one that builds may serve the pages, whatever the umask of that one. */
const READABLE = 0o755;
const OTHERS_READ = 0o022;

const places = process.argv.slice(2);

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
  await buildPages(temporary);
  moveTo(place, temporary);
} catch (thrown) {
  rmSync(temporary, { recursive: true, force: true });
  throw thrown;
}
