import { existsSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { z } from "zod";
import type { ModelLists } from "../catalog/lists/model-lists.ts";
import { LISTS_FILE, openLists } from "../catalog/lists/open-lists.ts";
import { buildConfig } from "./build-config.ts";
import { completeModels } from "./complete-models.ts";
import type { Config } from "./config.ts";
import { checkedSchema } from "./cross-check.ts";
import { defaultUpstreams, type EnvironmentValue } from "./defaults.ts";
import { dropEmptySections } from "./drop-empty-sections.ts";
import type { Environment } from "./interpolate.ts";
import { ConfigError, type Mistake, pathText } from "./mistake.ts";
import { type ParsedText, parseText } from "./parse-text.ts";
import { readIssue } from "./read-issue.ts";
import { telemetryFromEnvironment } from "./telemetry-environment.ts";

/** File that is read, if it is there, when ATTUNE_CONFIG does not name another. */
export const DEFAULT_FILE = "attune.yaml";

const MAX_SECRET_BYTES = 64 * 1024;

/** Variables that go before the file. */
const OVERRIDES: Readonly<Record<string, readonly string[]>> = {
  ATTUNE_HOST: ["server", "host"],
  ATTUNE_PORT: ["server", "port"],
  ATTUNE_ADMIN_PORT: ["server", "adminPort"],
  ATTUNE_DATABASE_URL: ["database", "url"],
  ATTUNE_BOOTSTRAP_KEY: ["bootstrapKey"],
};

/**
 * Reads the configuration: built-in defaults, over them the file, over it the environment. Throws ConfigError with
 * every mistake.
 */
export function loadConfig(environment: Environment, cwd: string): Config {
  const file = environment["ATTUNE_CONFIG"] || (existsSync(resolve(cwd, DEFAULT_FILE)) ? DEFAULT_FILE : undefined);
  const secretFiles = new Set<string>();
  const readReferenced = (name: string): string => {
    const path = resolve(cwd, name);
    secretFiles.add(path);
    return readSecret(path);
  };
  const parsed = parseText(file === undefined ? "" : readFile(file, cwd), { environment, readReferenced });
  if (!isMap(parsed.value)) {
    throw new ConfigError(file, [parsed.mistake([], "the file must be a map of keys, such as 'server:'")]);
  }
  const values = environmentValues(parsed.value, environment);
  for (const value of values) setValue(parsed.value, value);
  const readLists = once(() => openConfigured(file, cwd));
  const unplaced = completeModels(parsed.value, readLists);
  const isUnplaced = ({ path }: Mistake): boolean =>
    unplaced.some(({ at }) => path === `models[${at}]` || path.startsWith(`models[${at}].`));
  const check = () => {
    const checked = checkedSchema.safeParse(parsed.value);
    const mistakes = collectMistakes(checked.error?.issues ?? [], parsed, values).filter((each) => !isUnplaced(each));
    return { checked, mistakes };
  };
  const emptySections = dropEmptySections(parsed.value, parsed.emptied, () => check().mistakes).map(pathText);
  const { checked, mistakes } = check();
  for (const { at, problem } of unplaced) mistakes.push(parsed.mistake(["models", at], problem));
  if (!checked.success || mistakes.length > 0) throw new ConfigError(file, mistakes);
  const origin = { file, secretFiles: [...secretFiles], unset: parsed.unset, emptySections, readLists };
  return buildConfig(checked.data, origin);
}

/** Opens the lists of models. Throws ConfigError where the operator's own are none. */
function openConfigured(file: string | undefined, cwd: string): ModelLists {
  try {
    return openLists(file ?? DEFAULT_FILE, cwd);
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    throw new ConfigError(LISTS_FILE, [{ line: 0, column: 0, path: "", message }]);
  }
}

/** Returns what makes a value when it is asked for first. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Reads a file of a reference. A secret is short; a device, or another file by mistake, could be without end. */
export function readSecret(path: string): string {
  const { size } = statSync(path);
  if (size > MAX_SECRET_BYTES) throw Object.assign(new Error("the file is too large"), { code: "larger than 64 KiB" });
  return readFileSync(path, "utf8");
}

function readFile(file: string, cwd: string): string {
  try {
    return readFileSync(resolve(cwd, file), "utf8");
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? thrown.code : "an error";
    const message = `cannot be read (${code}): name another file (ATTUNE_CONFIG), or none to use ./${DEFAULT_FILE}`;
    throw new ConfigError(file, [{ line: 0, column: 0, path: "", message }]);
  }
}

type Map = Record<string, unknown>;

function isMap(value: unknown): value is Map {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function environmentValues(file: Map, environment: Environment): EnvironmentValue[] {
  const overrides = Object.entries(OVERRIDES).flatMap(([variable, path]) => {
    const value = environment[variable];
    return value ? [{ path, variable, value }] : [];
  });
  const known = [...overrides, ...telemetryFromEnvironment(environment)];
  return file["upstreams"] === undefined ? [...known, ...defaultUpstreams(environment)] : known;
}

/** Sets a value, and the maps on its way if they are missing; a way through something else is a mistake of its own. */
function setValue(target: Map, { path, value }: EnvironmentValue): void {
  let map = target;
  for (const step of path.slice(0, -1)) {
    map[step] ??= {};
    const next = map[step];
    if (!isMap(next)) return;
    map = next;
  }
  map[path.at(-1) ?? ""] = value;
}

function collectMistakes(
  issues: readonly z.core.$ZodIssue[],
  parsed: ParsedText,
  values: readonly EnvironmentValue[],
): Mistake[] {
  const found = issues.flatMap((issue) => readIssue(issue, parsed.value));
  // A value whose reference is not set is reported once, as that.
  const known = new Set(parsed.mistakes.map((mistake) => mistake.path));
  const mistakes = found
    .filter(({ path }) => !known.has(pathText(path)))
    .map(({ path, message, at }) => {
      const source = values.find((value) => pathText(value.path) === pathText(path));
      return source === undefined
        ? parsed.mistake(path, message, at)
        : { line: 0, column: 0, path: source.variable, message };
    });
  return [...parsed.mistakes, ...mistakes];
}
