import { globSync } from "node:fs";
import { basename, join, sep } from "node:path";
import { type OutputChunk, type Plugin, rolldown } from "rolldown";
import { lineTableOf } from "./line-table.ts";

/** The folder of the project. */
export const ROOT = join(import.meta.dirname, "..", "..");

/** Packages that others use where they are installed, and that are not. */
const OPTIONAL = ["pg-native", "pg-cloudflare", "dataloader", "bufferutil", "utf-8-validate", "picomatch"];

/** Ending of the files that stacks.ts reads. */
export const TABLE = ".lines.json";

const THREAD = /new URL\("(?:\.\/)?([\w-]+-worker)\.ts", import\.meta\.url\)/g;
const OWN_PLACE = /\bimport\.meta\.(url|dirname)\b/g;

/** The names by which a bundle knows the sources that it was made of. */
export interface SourceNames {
  /** Returns the expression that stands for `import.meta.url` or `import.meta.dirname` of a source. */
  expressionOf(kind: "url" | "dirname", file: string): string;
  /** Returns the name of a file in stack traces; the file is relative to the project. */
  nameOf(file: string): string;
}

/** A bundle that is not written yet. */
export interface Bundle {
  readonly files: readonly (readonly [name: string, content: string])[];
  /**
   * All files that were read: of a module whose constants stand where they are used, no chunk says that it is in it.
   */
  readonly read: readonly string[];
}

/** Makes one program of the sources and their packages, with an entry for the command line and one for each thread. */
export async function generateBundle(names: SourceNames): Promise<Bundle> {
  const programs = ["src/cli.ts", ...globSync("src/**/*-worker.ts", { cwd: ROOT }).map(withSlashes).sort()];
  const bundle = await rolldown({
    cwd: ROOT,
    platform: "node",
    input: Object.fromEntries(programs.map((file) => [basename(file, ".ts"), `entry:${file}`])),
    external: OPTIONAL,
    tsconfig: false,
    logLevel: "silent",
    plugins: [entries, createPlaces(names)],
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
  const chunks = output.filter((file) => file.type === "chunk");
  return {
    files: chunks.flatMap((chunk) => filesOf(chunk, names)),
    read: files.filter((file) => !file.startsWith("\0")),
  };
}

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
function createPlaces(names: SourceNames): Plugin {
  return {
    name: "places",
    transform: {
      filter: { id: new RegExp(`^${RegExp.escape(join(ROOT, "src") + sep)}`), code: /import\.meta/ },
      handler(code, id) {
        const parts = code.split(THREAD);
        const said = parts.map((part, index) =>
          // Every second part is what the expression caught: the name of a thread.
          index % 2 === 1
            ? `new URL("./${part}.js", import.meta.url)`
            : part.replaceAll(OWN_PLACE, (_, kind) => names.expressionOf(kind, id)),
        );
        if (parts.some((part, index) => index % 2 === 0 && part.replaceAll(OWN_PLACE, "").includes("import.meta"))) {
          this.error(`${id} uses import.meta in a way that the bundle does not know`);
        }
        return { code: said.join(""), map: null };
      },
    },
  };
}

function filesOf({ fileName, code, map }: OutputChunk, names: SourceNames): Bundle["files"] {
  const file = [fileName, inAscii(code)] as const;
  if (map === null) return [file];
  const { sources, rows } = lineTableOf(map);
  const table = { sources: sources.map(names.nameOf), rows: Buffer.from(rows.buffer).toString("base64") };
  return [file, [`${fileName}${TABLE}`, JSON.stringify(table)]];
}

/**
 * One character beyond ASCII makes Node read a whole file as UTF-16, and V8 keep it with two bytes for each character.
 */
function inAscii(code: string): string {
  return code.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Writes a path as URLs and other systems do. */
export function withSlashes(path: string): string {
  return path.split(sep).join("/");
}
