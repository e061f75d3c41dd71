/**
 * `npm run release [-- FOLDER]`: makes a folder and an archive that run with Node 24 alone, in FOLDER (dist/release).
 * The same sources and packages give the same bytes: nothing of the machine, its paths or the time stands in them.
 */
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { buildPages } from "../../src/dashboard/build/build-pages.ts";
import { generateBundle, ROOT, type SourceNames, withSlashes } from "../bundle/generate.ts";
import { megabytesOf, writeArchive } from "./archive.ts";
import { licencesOf } from "./licences.ts";
import { readLockHashes } from "./lock-hashes.ts";
import { findPackages } from "./packages.ts";
import { sbomOf } from "./sbom.ts";

/** Copied as they are. */
const COPIED = [
  "LICENSE",
  "README.md",
  "CHANGELOG.md",
  "SECURITY.md",
  "attune.example.yaml",
  "docs",
  "packaging",
  "proto",
  "src/catalog/lists/models.jsonl",
];

/** For who works on Attune, and not for who runs it. */
const LEFT_OUT = new Set(["docs/decisions", "docs/notes"].map((folder) => join(ROOT, folder)));

/** Sources are named as if they stood beside the folder of the server. */
const NAMES: SourceNames = {
  expressionOf(kind, file) {
    const source = withSlashes(relative(ROOT, file));
    if (kind === "url") return `new URL(${JSON.stringify(`../${source}`)}, import.meta.url).href`;
    return `(import.meta.dirname + ${JSON.stringify(`/../${dirname(source)}`)})`;
  },
  nameOf: (file) => file,
};

const OTHERS_READ = 0o022;
const RUNNABLE = 0o755;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Writes the server and the pages; returns the files that they were made of. */
async function writePrograms(folder: string): Promise<readonly string[]> {
  const { files, read } = await generateBundle(NAMES);
  mkdirSync(join(folder, "server"));
  for (const [name, content] of files) writeFileSync(join(folder, "server", name), content);
  const pages = await buildPages(join(folder, "dashboard"));
  rmSync(join(folder, ".vite"), { recursive: true, force: true });
  return [...read, ...pages];
}

function writeStarter(folder: string): void {
  mkdirSync(join(folder, "bin"));
  for (const name of ["release/attune.mjs", "exec-node.mjs", "serving-options.mjs"]) {
    cpSync(join(ROOT, "scripts", name), join(folder, "bin", name.replace("release/", "")));
  }
  chmodSync(join(folder, "bin", "attune.mjs"), RUNNABLE);
}

/** Without dependencies, so that npm has nothing to install beside it. */
function writeManifest(folder: string, { name, version, description, license }: Manifest): void {
  const engines = { node: ">=24" };
  const bin = { attune: "bin/attune.mjs" };
  writeJson(join(folder, "package.json"), { name, version, description, license, type: "module", engines, bin });
}

function writeJson(file: string, value: object): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** A path of this machine in a release would be in its hash too, and would mean nothing elsewhere. */
function checkPaths(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const file = join(folder, name);
    if (statSync(file).isFile() && readFileSync(file).includes(ROOT)) throw new Error(`${name} names ${ROOT}`);
  }
}

/** The font of the dashboard: a part of one, which stands in the project and is no package. */
function readFont() {
  const text = readFileSync(join(ROOT, "src/dashboard/web/fonts/LICENSE.txt"), "utf8");
  return { name: "Inter", version: "(its Latin characters)", license: "OFL-1.1", texts: [text] };
}

async function release(place: string): Promise<void> {
  process.umask(OTHERS_READ);
  const began = performance.now();
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Manifest;
  const folder = join(place, `attune-${manifest.version}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const packages = findPackages(await writePrograms(folder));
  const own = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  writeStarter(folder);
  writeManifest(folder, manifest);
  writeFileSync(join(folder, "THIRD-PARTY-LICENSES.txt"), licencesOf([...packages, readFont()]));
  writeJson(join(folder, "sbom.cdx.json"), sbomOf(manifest, { packages, own, hashOf: readLockHashes(ROOT) }));
  checkPaths(folder);
  // As they are: a path that they name is the same on every machine, as that of the image's own build is.
  for (const name of COPIED) {
    cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter: (file) => !LEFT_OUT.has(file) });
  }
  const hash = writeArchive(folder, `${folder}.tgz`);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${relative(process.cwd(), folder)}.tgz: ${megabytesOf(`${folder}.tgz`)} MB, ${seconds} s`);
  console.log(`${packages.length} packages of others; SHA-256 ${hash}`);
}

await release(process.argv[2] ?? join(ROOT, "dist", "release"));
