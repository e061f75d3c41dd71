import { join } from "node:path";
import { ensureBundle } from "../../scripts/bundle/ensure-bundle.mjs";

const ROOT = join(import.meta.dirname, "..", "..");
const NAMED = "ATTUNE_TESTED_PROGRAM";

/** The file that tests start where they start `attune`: the sources, unless the suite has asked for the bundle. */
export const testedProgram = (): string => process.env[NAMED] ?? join(ROOT, "src", "cli.ts");

/**
 * Has this process, and those that it starts, test the bundle, which is what users run and starts in a third of the
 * time. It is built if there is none; suites that run on every save do without.
 */
export function testBundle(): void {
  const bundle = ensureBundle({ root: ROOT, node: process.execPath });
  // A test of the bundle must not pass on something else.
  if (bundle === undefined) throw new Error("the server could not be built");
  process.env[NAMED] = join(bundle, "cli.js");
}
