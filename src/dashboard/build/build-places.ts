import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, sep } from "node:path";

const DASHBOARD = join(import.meta.dirname, "..");

/** The folder of the page that all others are loaded into. */
export const WEB_ROOT = join(DASHBOARD, "web");

const PROJECT_ROOT = join(import.meta.dirname, "..", "..", "..");

/** File that a complete build has. */
const LAST_FILE = "index.html";

/**
 * Returns the folders that the pages may be built into, the best one first: in the project, or in the user's cache
 * where a package is installed read-only. Their name is the hash of the sources, so what is there is never out of date.
 */
export function buildPlaces(): readonly string[] {
  const name = sourceHash();
  const cache = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  return [join(PROJECT_ROOT, "dist", "dashboard", name), join(cache, "attune", "dashboard", name)];
}

/** The pages of a release: it carries them, and not their sources. */
const RELEASED = join(PROJECT_ROOT, "dashboard");

/** Returns the folder of the pages that were built from these sources, or that a release carries. */
export function findBuilt(): string | undefined {
  if (existsSync(join(RELEASED, LAST_FILE))) return RELEASED;
  return buildPlaces().find((place) => existsSync(join(place, LAST_FILE)));
}

/**
 * The sources, how they are built, and the exact versions of what they are built with; a packed copy has no lock file.
 */
function sourceHash(): string {
  const hash = createHash("sha256");
  const files = [
    ...globSync("{web,features/*/web}/**/*", { cwd: DASHBOARD, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
    // The pages show the documentation.
    ...globSync("docs/{,reference/}*.md", { cwd: PROJECT_ROOT }).map((file) => join(PROJECT_ROOT, file)),
    join(import.meta.dirname, "build-pages.ts"),
    ...["package.json", "package-lock.json"].map((file) => join(PROJECT_ROOT, file)).filter(existsSync),
  ];
  for (const file of files.sort()) {
    hash
      .update(file.slice(PROJECT_ROOT.length).split(sep).join("/"))
      .update("\0")
      .update(readFileSync(file))
      .update("\0");
  }
  return hash.digest("hex").slice(0, 16);
}
