import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A package that a release has code of. */
export interface Package {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression, such as "MIT". */
  readonly license: string;
  /** The texts of its licence and its notices. */
  readonly texts: readonly string[];
  /** The folder that it was read from. */
  readonly folder: string;
  /** Names and versions of the packages that it needs, as its folder finds them. */
  readonly needs: readonly string[];
}

const IN_PACKAGE = /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;
const LICENSE_FILE = /^(licen[cs]e|copying|notice)/i;

/** Returns the packages that files belong to, sorted by name and version. Throws where one does not say its licence. */
export function findPackages(files: readonly string[]): readonly Package[] {
  const folders = new Set(files.flatMap((file) => IN_PACKAGE.exec(file)?.[1] ?? []));
  const packages = new Map<string, Package>();
  for (const folder of folders) {
    const found = readPackage(folder);
    packages.set(`${found.name}@${found.version}`, found);
  }
  return [...packages].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, found]) => found);
}

function readPackage(folder: string): Package {
  const file = join(folder, "package.json");
  // Packages of packages: a file there says only how its folder is loaded.
  if (!existsSync(file)) return readPackage(dirname(folder));
  const { name, version, license, dependencies = {} } = readManifest(file);
  if (typeof name !== "string" || typeof version !== "string") throw new Error(`${file} has no name or no version`);
  if (typeof license !== "string") throw new Error(`${file} does not say its licence`);
  const texts = readdirSync(folder)
    .filter((entry) => LICENSE_FILE.test(entry))
    .sort()
    .map((entry) => readFileSync(join(folder, entry), "utf8").replaceAll("\r\n", "\n").trim());
  const needs = Object.keys(dependencies as object).flatMap((needed) => findFrom(folder, needed) ?? []);
  return { name, version, license, texts, folder, needs: needs.sort() };
}

function readManifest(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
}

/** Finds a package from a folder as Node does; undefined for one that is not installed, as optional ones may be. */
function findFrom(folder: string, needed: string): string | undefined {
  for (let at = folder; dirname(at) !== at; at = dirname(at)) {
    const file = join(at, "node_modules", needed, "package.json");
    if (!existsSync(file)) continue;
    const { name, version } = readManifest(file);
    return `${name}@${version}`;
  }
  return undefined;
}
