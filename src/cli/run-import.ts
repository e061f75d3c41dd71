import { readFile, writeFile } from "node:fs/promises";
import { YAMLParseError } from "yaml";
import { ImportError } from "../imports/imported.ts";
import { importLitellm } from "../imports/litellm/import-litellm.ts";
import { fail, print, tell } from "./output.ts";

interface ImportOptions {
  readonly modelMap?: string;
  readonly out?: string;
}

/** Prints, or writes, the configuration that a file of LiteLLM becomes; ends the command where it is none. */
export async function runImportLitellm(file: string, { modelMap, out }: ImportOptions): Promise<void> {
  const text = await read(file);
  const map: unknown = modelMap === undefined ? {} : parseJson(modelMap, await read(modelMap));
  const { yaml, notes } = importOrFail(file, () => importLitellm(text, map));
  if (out === undefined) print(yaml.trimEnd());
  else await write(out, yaml);
  for (const note of notes) tell(`${note.path}: ${note.text}`);
}

function importOrFail<T>(file: string, make: () => T): T {
  try {
    return make();
  } catch (thrown) {
    if (thrown instanceof ImportError || thrown instanceof YAMLParseError) fail(`${file}: ${thrown.message}`);
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
