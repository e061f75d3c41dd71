import { readFile, rename, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { buildLists } from "../../catalog/lists/build-lists.ts";
import type { FoundModel, ModelLists } from "../../catalog/lists/model-lists.ts";
import { listsFile, openLists } from "../../catalog/lists/open-lists.ts";
import type { CatalogModel } from "../../catalog/model.ts";
import { picosToUsdPerMillion } from "../../catalog/price.ts";
import { DEFAULT_FILE } from "../../config/load-config.ts";
import { argument, type CommandGroup, defineCommand, flag, optional } from "../command.ts";
import { describeModelFacts } from "../describe-model-facts.ts";
import { json } from "../options.ts";
import { fail, print, printTable, tell } from "../output.ts";
import { readConfig } from "../with-config.ts";

/** LiteLLM's map of models, as its repository has it. */
const MAP_URL = "https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json";
const FETCH_MS = 30_000;
const MOST_BYTES = 32 * 2 ** 20;

/** `attune models`. */
export const models: CommandGroup = {
  commands: {
    list: defineCommand({
      summary: "list the models that are served; with --all, those that the lists know",
      options: { all: flag("list all models of the lists, by provider"), ...json("list", ["name", "price", "by"]) },
      run: (options) => listModels(options.all, options.json),
    }),
    show: defineCommand({
      summary: "show each fact about a model with its sources, and where they disagree",
      arguments: { name: argument("its name, with its provider or without: openai/gpt-6-astra") },
      options: json("list", ["fact", "value", "source", "counts"]),
      run: ({ name, json: isJson }) => showModel(name, isJson),
    }),
    update: defineCommand({
      summary: "write newer lists next to attune.yaml; they override the built-in ones until those are newer",
      arguments: {
        file: optional(
          argument("LiteLLM's model_prices_and_context_window.json; fetched from its repository if absent"),
        ),
      },
      run: ({ file }) => updateLists(file),
    }),
  },
};

/** Prints the models that are served, or all that the lists know. */
function listModels(all: boolean, isJson: boolean): void {
  const rows = all ? [...readLists().list()].map(listedRow) : readConfig().models.map(servedRow);
  if (isJson) print(JSON.stringify({ data: rows }, null, 2));
  else for (const { name, price, by } of rows) print([name.padEnd(48), price.padEnd(24), by].join("  ").trimEnd());
}

function listedRow({ provider, name, facts }: FoundModel) {
  const price = facts.price && `${facts.price.input} / ${facts.price.output}`;
  return {
    name: `${provider}/${name}`,
    price: price ?? "no price",
    by: facts.retiresAt ? `until ${facts.retiresAt}` : "",
  };
}

function servedRow({ name, price, retiresAt, deployments }: CatalogModel) {
  const by = [...new Set(deployments.map(({ upstream }) => upstream))].join(", ");
  const until = retiresAt && `until ${retiresAt.toISOString().slice(0, 10)}`;
  return {
    name,
    price: price ? `${picosToUsdPerMillion(price.input)} / ${picosToUsdPerMillion(price.output)}` : "no price",
    by: [by, until].filter(Boolean).join(", "),
  };
}

/** Prints what is known of a model, fact by fact; ends the command where nothing is. */
function showModel(name: string, isJson: boolean): void {
  const rows = describeModelFacts(name, readConfig(), readLists());
  if (rows.length === 0) fail(`no list knows '${name}': 'attune models list --all' has all names`);
  if (isJson) print(JSON.stringify({ data: rows }, null, 2));
  else
    printTable(
      ["FACT", "VALUE", "SAID BY"],
      rows.map(({ fact, value, source, counts }) => [counts ? fact : "", value, counts ? source : `but ${source}`]),
    );
}

/** Opens the lists of models; ends the command where the operator's own are none. */
function readLists(): ModelLists {
  try {
    return openLists(configuration(), process.cwd());
  } catch (thrown) {
    fail(`${listsFile(configuration(), process.cwd())} ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}

function configuration(): string {
  return process.env["ATTUNE_CONFIG"] || DEFAULT_FILE;
}

/** Writes the operator's own lists, of a file or of LiteLLM's repository. */
async function updateLists(file: string | undefined): Promise<void> {
  const text = file === undefined ? await fetchMap() : await readFile(file, "utf8").catch(unreadable(file));
  const map = parseMap(text, file ?? MAP_URL);
  const version = file === undefined ? "main" : basename(file);
  const lines = buildLists(map, [], [{ name: "litellm", version, date: new Date().toISOString().slice(0, 10) }]);
  const count = lines.split("\n").length - 2;
  if (count === 0) fail(`${file ?? MAP_URL} has no models: it must be LiteLLM's map of models`);
  const target = listsFile(configuration(), process.cwd());
  await writeFile(`${target}.new`, lines);
  await rename(`${target}.new`, target);
  tell(`Wrote ${count} models to ${target}. They apply from the next start or reload on.`);
}

function unreadable(file: string): (thrown: NodeJS.ErrnoException) => never {
  return ({ code, message }) => fail(`${file} cannot be read (${code ?? message})`);
}

function parseMap(text: string, name: string): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  let map: unknown;
  try {
    map = JSON.parse(text);
  } catch {
    return fail(`${name} isn't JSON`);
  }
  if (typeof map !== "object" || map === null || Array.isArray(map)) return fail(`${name} isn't a map of models`);
  const entries = Object.entries(map).filter(([, entry]) => typeof entry === "object" && entry !== null);
  return Object.fromEntries(entries);
}

async function fetchMap(): Promise<string> {
  const response = await fetch(MAP_URL, { signal: AbortSignal.timeout(FETCH_MS) }).catch((thrown: Error) =>
    fail(`${MAP_URL} does not answer (${thrown.message}): download it, and give the file`),
  );
  if (!response.ok) fail(`${MAP_URL} answers ${response.status}: download it, and give the file`);
  const text = await response.text();
  if (text.length > MOST_BYTES) fail(`${MAP_URL} is larger than ${MOST_BYTES / 2 ** 20} MiB`);
  return text;
}
