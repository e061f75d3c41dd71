/** Makes the bundle of the sources, and puts it where `scripts/attune.mjs` finds it. */
import {
  chmodSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { bundlePlaces, findBundle, hashFiles, listUnused, MANIFEST } from "./find-bundle.mjs";
import { type Bundle, generateBundle, ROOT, type SourceNames, TABLE, withSlashes } from "./generate.ts";

/** A user who is not the one that builds may run the bundle, whatever the umask of that one. */
const READABLE = 0o755;
const OTHERS_READ = 0o022;

/** Commands that run may still load what they have not needed so far from the bundle that they began with. */
const KEPT = 3;
/** The age from which leftovers of a build are deleted: a killed build left them. */
const ABANDONED_MS = 3_600_000;

/** It belongs to this folder alone: the paths of the project stand in it. */
const NAMES: SourceNames = {
  expressionOf: (kind, file) => JSON.stringify(kind === "url" ? pathToFileURL(file).href : dirname(file)),
  nameOf: (file) => pathToFileURL(join(ROOT, file)).href,
};

function writeBundle({ files: made, read }: Bundle, folder: string): void {
  const files = [...made, ["package.json", '{ "type": "module" }\n'] as const];
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
  // A table that is broken costs a stack trace its lines, and nothing else: it is not read at every start.
  const outputs = files.map(([name]) => name).filter((name) => !name.endsWith(TABLE));
  const inputs = inputsOf(read);
  const hashes = { inputsHash: hashFiles(ROOT, inputs), outputsHash: hashFiles(folder, outputs) };
  writeFileSync(join(folder, MANIFEST), JSON.stringify({ root: ROOT, inputs, outputs, ...hashes }));
}

/**
 * Returns the inputs of the bundle: the project's files, those that make it, and each package's file with its version.
 */
function inputsOf(read: readonly string[]): string[] {
  const builder = readdirSync(import.meta.dirname).map((name) => join(import.meta.dirname, name));
  const files = [...read, ...builder, fileURLToPath(import.meta.resolve("rolldown"))].map(versionFileOf);
  return [...new Set([...files, join(ROOT, "package.json")])].map((file) => withSlashes(relative(ROOT, file))).sort();
}

/** A package's own package.json for its files; other files are themselves. */
function versionFileOf(file: string): string {
  const below = withSlashes(relative(ROOT, file));
  const inPackage = /^(.*\/node_modules\/|node_modules\/)(@[^/]+\/[^/]+|[^/]+)\//.exec(below);
  return inPackage === null ? file : join(ROOT, inPackage[0], "package.json");
}

/** Makes a folder beside the first place that can be written to. */
function prepare(): { readonly place: string; readonly temporary: string } {
  const failures: string[] = [];
  for (const place of bundlePlaces(ROOT)) {
    try {
      mkdirSync(place, { recursive: true });
      const temporary = mkdtempSync(`${place}${sep}.`);
      chmodSync(temporary, READABLE);
      return { place, temporary };
    } catch (thrown) {
      failures.push(thrown instanceof Error ? thrown.message : String(thrown));
    }
  }
  throw new Error(`there is no folder to build into: ${failures.join("; ")}`);
}

/** Deletes older bundles, and what builds that were killed have left. */
function clean(place: string): void {
  const older = listUnused(place, KEPT);
  const abandoned = readdirSync(place)
    .filter((name) => name.startsWith("."))
    .map((name) => join(place, name))
    .filter((folder) => Date.now() - statSync(folder).mtimeMs > ABANDONED_MS);
  for (const folder of [...older, ...abandoned]) rmSync(folder, { recursive: true, force: true });
}

/** The bundle is compared with what stands there after it was made: that has to be what it was made of. */
async function generateUndisturbed(): Promise<Bundle> {
  const hash = (): string => {
    const files = globSync("{src,gen,scripts}/**/*.{ts,mts,mjs}", { cwd: ROOT });
    return hashFiles(ROOT, files.sort());
  };
  const before = hash();
  const generated = await generateBundle(NAMES);
  if (hash() !== before) throw new Error("a source was changed while the server was built");
  return generated;
}

async function build(): Promise<void> {
  process.umask(OTHERS_READ);
  const { place, temporary } = prepare();
  try {
    writeBundle(await generateUndisturbed(), temporary);
    // Another process may have been quicker.
    if (findBundle(ROOT) === undefined) renameSync(temporary, join(place, basename(temporary).slice(1)));
    clean(place);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

await build().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
