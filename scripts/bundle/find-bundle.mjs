// Runs on the system's Node 20: plain JavaScript, no dependencies.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** The file of a bundle that says what it was made of and what belongs to it; a folder without it is no bundle. */
export const MANIFEST = "manifest.json";

/**
 * Folders that bundles may stand in, the best one first: in the project, or in the user's cache where that is
 * read-only.
 */
export function bundlePlaces(root) {
  const cache = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  const name = createHash("sha256").update(root).digest("hex").slice(0, 16);
  return [join(root, "dist", "server"), join(cache, "attune", "server", name)];
}

/** Returns the folder of a whole bundle that was made of what is there now. */
export function findBundle(root) {
  for (const place of bundlePlaces(root)) {
    const found = listBundles(place).find((folder) => isCurrent(folder, root));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Lists the bundles of a place, the newest first. Those that are being written begin with a dot. */
export function listBundles(place) {
  try {
    return readdirSync(place)
      .filter((name) => !name.startsWith("."))
      .map((name) => join(place, name))
      .map((folder) => ({ folder, madeAt: statSync(folder).mtimeMs }))
      .sort((a, b) => b.madeAt - a.madeAt)
      .map(({ folder }) => folder);
  } catch {
    return [];
  }
}

/** The beginning of the name of a file in a bundle that a running service has there, before its process id. */
const USED_BY = "used-by-";

/** Says that this process runs a bundle: it may still load what it has not needed so far. */
export function markUsed(folder) {
  try {
    writeFileSync(join(folder, `${USED_BY}${process.pid}`), "");
  } catch {
    // Whoever may not write there shares the bundle with its builder, who keeps the latest ones.
  }
}

/** Lists the bundles of a place that may be deleted: all but the newest, and those of services that run. */
export function listUnused(place, kept) {
  return listBundles(place)
    .slice(kept)
    .filter((folder) => !readdirSync(folder).some((name) => name.startsWith(USED_BY) && isRunning(name)));
}

function isRunning(name) {
  try {
    return process.kill(Number(name.slice(USED_BY.length)), 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Hashes the names and the contents of files, whose names are relative to a folder. */
export function hashFiles(folder, names) {
  const hash = createHash("sha256");
  for (const name of names) {
    const content = readFileSync(join(folder, name));
    hash.update(`${name}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/**
 * Contents are compared, and not times: a copy or a checkout has new times, and packages of the registry always the
 * same.
 */
function isCurrent(folder, root) {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, MANIFEST), "utf8"));
    return (
      manifest.root === root &&
      hashFiles(root, manifest.inputs) === manifest.inputsHash &&
      hashFiles(folder, manifest.outputs) === manifest.outputsHash
    );
  } catch {
    return false;
  }
}
