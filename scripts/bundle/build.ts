/**
 * Makes one program of the sources and their packages, with an entry for the command line and one for each thread, and
 * puts it where `scripts/attune.mjs` finds it. It belongs to this folder alone: the paths of the project stand in it.
 */
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
import { type OutputChunk, type Plugin, rolldown } from "rolldown";
import { bundlePlaces, findBundle, hashFiles, listBundles, MANIFEST } from "./find-bundle.mjs";
import { lineTableOf } from "./line-table.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** Packages that others use where they are installed, and that are not. */
const OPTIONAL = ["pg-native", "pg-cloudflare", "dataloader", "bufferutil", "utf-8-validate", "picomatch"];

/** Ending of the files that stacks.ts reads. */
const TABLE = ".lines.json";

/** A user who is not the one that builds may run the bundle, whatever the umask of that one. */
const READABLE = 0o755;
const OTHERS_READ = 0o022;

/** A process that runs may still load what it has not needed so far from the bundle that it began with. */
const KEPT = 3;
/** The age from which leftovers of a build are deleted: a killed build left them. */
const ABANDONED_MS = 3_600_000;

const THREAD = /new URL\("(?:\.\/)?([\w-]+-worker)\.ts", import\.meta\.url\)/g;
const OWN_PLACE = /\bimport\.meta\.(url|dirname)\b/g;

/** Each entry begins with what makes stack traces readable. */
const entries: Plugin = {
  name: "entries",
  resolveId: (id) => (id.startsWith("entry:") ? `\0${id}` : null),
  load: (id) => {
    if (!id.startsWith("\0entry:")) return null;
    const modules = ["scripts/bundle/stacks.ts", id.slice("\0entry:".length)];
    return modules.map((module) => `import ${JSON.stringify(join(ROOT, module))};`).join("\n");
  },
};

/** Modules keep the place of their source, and find their threads among the entries. */
const places: Plugin = {
  name: "places",
  transform: {
    filter: { id: new RegExp(`^${RegExp.escape(join(ROOT, "src") + sep)}`), code: /import\.meta/ },
    handler(code, id) {
      const parts = code.split(THREAD);
      const said = parts.map((part, index) =>
        // Every second part is what the expression caught: the name of a thread.
        index % 2 === 1
          ? `new URL("./${part}.js", import.meta.url)`
          : part.replaceAll(OWN_PLACE, (_, kind) =>
              JSON.stringify(kind === "url" ? pathToFileURL(id).href : dirname(id)),
            ),
      );
      if (parts.some((part, index) => index % 2 === 0 && part.replaceAll(OWN_PLACE, "").includes("import.meta"))) {
        this.error(`${id} uses import.meta in a way that the bundle does not know`);
      }
      return { code: said.join(""), map: null };
    },
  },
};

interface Generated {
  readonly chunks: readonly OutputChunk[];
  /**
   * All files that were read: of a module whose constants stand where they are used, no chunk says that it is in it.
   */
  readonly files: readonly string[];
}

async function generate(): Promise<Generated> {
  const programs = ["src/cli.ts", ...globSync("src/**/*-worker.ts", { cwd: ROOT }).map(withSlashes)];
  const bundle = await rolldown({
    cwd: ROOT,
    platform: "node",
    input: Object.fromEntries(programs.map((file) => [basename(file, ".ts"), `entry:${file}`])),
    external: OPTIONAL,
    tsconfig: false,
    logLevel: "silent",
    plugins: [entries, places],
  });
  const { output } = await bundle.generate({
    // Nothing is written there: the sources of the maps are named from it.
    dir: ROOT,
    format: "esm",
    sourcemap: "hidden",
    // The names of classes are looked at: by MikroORM, and in logs.
    keepNames: true,
    comments: false,
    chunkFileNames: "[name]-[hash].js",
  });
  const files = await bundle.watchFiles;
  await bundle.close();
  return { chunks: output.filter((file) => file.type === "chunk"), files };
}

/**
 * One character beyond ASCII makes Node read a whole file as UTF-16, and V8 keep it with two bytes for each character.
 */
function inAscii(code: string): string {
  return code.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function writeBundle({ chunks, files: read }: Generated, folder: string): void {
  const files = chunks.flatMap(({ fileName, code, map }): (readonly [name: string, content: string])[] => {
    const file = [fileName, inAscii(code)] as const;
    if (map === null) return [file];
    const { sources, rows } = lineTableOf(map);
    const urls = sources.map((source) => pathToFileURL(join(ROOT, source)).href);
    const table = { sources: urls, rows: Buffer.from(rows.buffer).toString("base64") };
    return [file, [`${fileName}${TABLE}`, JSON.stringify(table)]];
  });
  files.push(["package.json", '{ "type": "module" }\n']);
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
  const modules = read.filter((file) => !file.startsWith("\0"));
  const builder = readdirSync(import.meta.dirname).map((name) => join(import.meta.dirname, name));
  const files = [...modules, ...builder, fileURLToPath(import.meta.resolve("rolldown"))].map(versionFileOf);
  return [...new Set([...files, join(ROOT, "package.json")])].map((file) => withSlashes(relative(ROOT, file))).sort();
}

/** A package's own package.json for its files; other files are themselves. */
function versionFileOf(file: string): string {
  const below = withSlashes(relative(ROOT, file));
  const inPackage = /^(.*\/node_modules\/|node_modules\/)(@[^/]+\/[^/]+|[^/]+)\//.exec(below);
  return inPackage === null ? file : join(ROOT, inPackage[0], "package.json");
}

function withSlashes(path: string): string {
  return path.split(sep).join("/");
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
  const older = listBundles(place).slice(KEPT);
  const abandoned = readdirSync(place)
    .filter((name) => name.startsWith("."))
    .map((name) => join(place, name))
    .filter((folder) => Date.now() - statSync(folder).mtimeMs > ABANDONED_MS);
  for (const folder of [...older, ...abandoned]) rmSync(folder, { recursive: true, force: true });
}

/** The bundle is compared with what stands there after it was made: that has to be what it was made of. */
async function generateUndisturbed(): Promise<Generated> {
  const hash = (): string => {
    const files = globSync("{src,gen,scripts}/**/*.{ts,mts,mjs}", { cwd: ROOT });
    return hashFiles(ROOT, files.sort());
  };
  const before = hash();
  const generated = await generate();
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
