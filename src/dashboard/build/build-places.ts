import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative, sep } from "node:path";

/** The folder of the page that all others are loaded into. */
export const WEB_ROOT = join(import.meta.dirname, "..", "web");

const PROJECT_ROOT = join(import.meta.dirname, "..", "..", "..");

/**
 * The pages and the rooms that they import, the documentation, which they show, how they are built, and the exact
 * versions of what they are built with; a packed copy has no lock file.
 */
const SOURCES = [
  "src/dashboard/{web,features/*/web}/**/*",
  "src/{figures,hub,lib,quotas,vocabulary}/**/*.ts",
  "src/alerts/kinds.ts",
  "docs/{,reference/}*.md",
  "src/dashboard/build/build-pages.ts",
  "package.json",
  "package-lock.json",
];

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

/** Lists what the pages are made of, from the root of the project, besides packages. */
export function listSources(): readonly string[] {
  return globSync(SOURCES, { cwd: PROJECT_ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(PROJECT_ROOT, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
}

function sourceHash(): string {
  const hash = createHash("sha256");
  for (const file of listSources()) {
    hash
      .update(file)
      .update("\0")
      .update(readFileSync(join(PROJECT_ROOT, file)))
      .update("\0");
  }
  return hash.digest("hex").slice(0, 16);
}
