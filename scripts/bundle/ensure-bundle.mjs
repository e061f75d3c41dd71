// Runs on the system's Node 20: plain JavaScript, no dependencies.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { findBundle } from "./find-bundle.mjs";

/** A build takes two seconds on a machine that has nothing else to do. */
const LIMIT_MS = 120_000;
/** Most of a failed build's output that is told. */
const MAX_MESSAGE_LENGTH = 2000;

/**
 * Returns the folder of the bundle of these sources; makes it if there is none. Where that fails it says why, and
 * returns undefined: the sources run as they are. `node` is the Node to build with.
 */
export function ensureBundle({ root, node }) {
  const found = findBundle(root);
  if (found !== undefined) return found;
  process.stderr.write("Building the server; this happens once for each version and takes a few seconds.\n");
  const { status, stderr, error } = spawnSync(node, [join(root, "scripts", "bundle", "build.ts")], {
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
    timeout: LIMIT_MS,
  });
  const built = status === 0 ? findBundle(root) : undefined;
  if (built === undefined) {
    const why = error?.message ?? (stderr.trim().slice(-MAX_MESSAGE_LENGTH) || `the build ended with status ${status}`);
    process.stderr.write(`The server could not be built, and runs from its sources, which start more slowly: ${why}\n`);
  }
  return built;
}
