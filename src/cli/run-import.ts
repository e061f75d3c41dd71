import { readFile, writeFile } from "node:fs/promises";
import { YAMLParseError } from "yaml";
import { ImportError, type Imported } from "../imports/imported.ts";
import { fail, print, tell } from "./output.ts";

interface ImportOptions {
  readonly modelMap?: string;
  readonly out?: string;
}

/** Prints, or writes, the configuration that a file of LiteLLM becomes; ends the command where it is none. */
export async function runImportLitellm(file: string, { modelMap, out }: ImportOptions): Promise<void> {
  const map: unknown = modelMap === undefined ? {} : parseJson(modelMap, await read(modelMap));
  const { importLitellm } = await import("../imports/litellm/import-litellm.ts");
  await runImport(file, out, (text) => importLitellm(text, map));
}

/** Prints, or writes, the configuration that a file of TensorZero becomes; ends the command where it is none. */
export async function runImportTensorzero(file: string, { out }: Pick<ImportOptions, "out">): Promise<void> {
  const { importTensorzero } = await import("../imports/tensorzero/import-tensorzero.ts");
  await runImport(file, out, importTensorzero);
}

interface EvaluationFiles {
  readonly inferences: string;
  readonly feedback: string;
}

/** Prints, or writes, rows for `attune replay` of the evaluations of TensorZero; ends the command where there are none. */
export async function runImportEvaluations(
  files: EvaluationFiles,
  { out, ...choice }: { readonly function?: string; readonly metric?: string; readonly out?: string },
): Promise<void> {
  const tables = { inferences: await read(files.inferences), feedback: await read(files.feedback) };
  const { importEvaluations } = await import("../imports/tensorzero/import-evaluations.ts");
  const { rows, notes } = importOrFail(undefined, () => importEvaluations(tables, choice));
  if (out === undefined) for (const row of rows) print(row);
  else await write(out, `${rows.join("\n")}\n`);
  for (const note of notes) tell(note);
}

/** Prints, or writes, a configuration of the servers on this host; ends the command where there are none. */
export async function runImportLocal({ out }: Pick<ImportOptions, "out">): Promise<void> {
  const { describeServer, findLocalServers, importLocal } = await import("../imports/local/import-local.ts");
  const servers = await findLocalServers();
  if (servers.length === 0) fail("no server of models answers on its usual port of this host");
  for (const server of servers) tell(`found ${describeServer(server)}`);
  await show(importLocal(servers), out);
}

async function runImport(file: string, out: string | undefined, make: (text: string) => Imported): Promise<void> {
  const text = await read(file);
  await show(
    importOrFail(file, () => make(text)),
    out,
  );
}

async function show({ yaml, notes }: Imported, out: string | undefined): Promise<void> {
  if (out === undefined) print(yaml.trimEnd());
  else await write(out, yaml);
  for (const note of notes) tell(`${note.path}: ${note.text}`);
}

function importOrFail<T>(file: string | undefined, make: () => T): T {
  try {
    return make();
  } catch (thrown) {
    if (thrown instanceof ImportError || thrown instanceof YAMLParseError)
      fail(file === undefined ? thrown.message : `${file}: ${thrown.message}`);
    throw thrown;
  }
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return fail(`${file} is no JSON`);
  }
}

async function read(file: string): Promise<string> {
  return await readFile(file, "utf8").catch((thrown: Error) => fail(`${file} cannot be read: ${thrown.message}`));
}

async function write(file: string, text: string): Promise<void> {
  await writeFile(file, text, { flag: "wx" }).catch((thrown: NodeJS.ErrnoException) =>
    fail(thrown.code === "EEXIST" ? `${file} exists already` : `${file} cannot be written: ${thrown.message}`),
  );
}
