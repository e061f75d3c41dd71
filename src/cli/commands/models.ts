import { readFile, rename, writeFile } from "node:fs/promises";
import { buildLists } from "../../catalog/lists/build-lists.ts";
import type { FoundModel, ModelLists } from "../../catalog/lists/model-lists.ts";
import type { CatalogModel } from "../../catalog/model.ts";
import { BASE_KINDS } from "../../catalog/prices.ts";
import { listsFile, openLists } from "../../config/load-config.ts";
import { argument, type CommandGroup, defineCommand, flag, optional } from "../command.ts";
import { json } from "../options.ts";
import { fail, print, tell } from "../output.ts";
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
      summary: "show each fact of a model, who says so, and where the lists disagree",
      arguments: { name: argument("its name, with its provider or without: openai/gpt-6-astra") },
      options: json("list", ["fact", "value", "source"]),
      run: ({ name, json: isJson }) => showModel(name, isJson),
    }),
    update: defineCommand({
      summary: "write newer lists beside attune.yaml, which go before those that come with Attune",
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
  const rows = all
    ? [...openLists(process.env, process.cwd()).list()].map(listedRow)
    : readConfig().models.map(servedRow);
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
  const usd = (picos: number) => picos / 1_000_000;
  const by = [...new Set(deployments.map(({ upstream }) => upstream))].join(", ");
  const until = retiresAt && `until ${retiresAt.toISOString().slice(0, 10)}`;
  return {
    name,
    price: price ? `${usd(price.input)} / ${usd(price.output)}` : "no price",
    by: [by, until].filter(Boolean).join(", "),
  };
}

/** Prints what is known of a model, fact by fact; ends the command where nothing is. */
function showModel(name: string, isJson: boolean): void {
  const lists = openLists(process.env, process.cwd());
  const slash = name.indexOf("/");
  const [provider, rest] = [name.slice(0, Math.max(0, slash)), name.slice(slash + 1)];
  const exact = lists.find(provider, rest);
  const found = exact ? { provider, name: rest, facts: exact } : lists.findMade(name);
  const config = readConfig();
  const served = config.models.find((model) => model.name === name || model.name === found?.name);
  if (found === undefined && served === undefined)
    fail(`no list knows '${name}': 'attune models list --all' has all names`);
  const rows = [...ownFacts(served, config.file), ...(found ? factsOf(found, lists) : [])];
  if (isJson) print(JSON.stringify({ data: rows }, null, 2));
  else for (const { fact, value, source } of rows) print(`${fact.padEnd(32)}${value}  (${source})`);
}

interface Fact {
  readonly fact: string;
  readonly value: string;
  readonly source: string;
}

/** The facts that count: the operator's own configuration, or the built-in ones. */
function ownFacts(model: CatalogModel | undefined, file: string | undefined): Fact[] {
  if (model === undefined) return [];
  const { deployments, optimizations: _, checks: _c, candidates: _n, price, listed: _l, createdAt, ...facts } = model;
  const source = model.listed === true ? "served, by the lists" : `served, by ${file ?? "what is built in"}`;
  const places = deployments.map(({ upstream, model: at }) => `${upstream} (${at})`).join(", ");
  const prices = BASE_KINDS.flatMap((kind) => (price ? [[kind, price[kind] / 1_000_000]] : []));
  const dated = { ...facts, createdAt: createdAt.toISOString().slice(0, 10), price: Object.fromEntries(prices) };
  return [...flatten(dated, source), { fact: "deployments", value: places, source }];
}

function factsOf({ provider, facts }: FoundModel, lists: ModelLists): Fact[] {
  const { disagree = {}, ...others } = facts;
  const [first] = lists.sources;
  const source = `${first?.name} ${first?.version}, ${first?.date}`;
  const differing = Object.entries(disagree).flatMap(([list, said]) => {
    const version = lists.sources.find(({ name }) => name === list)?.version ?? "";
    return flatten({ price: said }, `${list} ${version} says otherwise`);
  });
  return [{ fact: "provider", value: provider, source }, ...flatten(others, source), ...differing];
}

function flatten(facts: object, source: string, path = ""): Fact[] {
  return Object.entries(facts).flatMap(([name, value]: [string, unknown]): Fact[] => {
    if (value === undefined) return [];
    const fact = path === "" ? name : `${path}.${name}`;
    if (typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date)) {
      return flatten(value, source, fact);
    }
    return [{ fact, value: typeof value === "string" ? value : JSON.stringify(value), source }];
  });
}

/** Writes the operator's own lists, of a file or of LiteLLM's repository. */
async function updateLists(file: string | undefined): Promise<void> {
  const text =
    file === undefined ? await fetchMap() : await readFile(file, "utf8").catch((thrown: Error) => fail(thrown.message));
  const map = parseMap(text, file ?? MAP_URL);
  const version = file === undefined ? "main" : file;
  const lines = buildLists(map, [], [{ name: "litellm", version, date: new Date().toISOString().slice(0, 10) }]);
  const count = lines.split("\n").length - 2;
  if (count === 0) fail(`${file ?? MAP_URL} has no models: it must be LiteLLM's map of models`);
  const target = listsFile(process.env, process.cwd());
  await writeFile(`${target}.new`, lines);
  await rename(`${target}.new`, target);
  tell(`Wrote ${count} models to ${target}. They hold from the next start, or reload, on.`);
}

function parseMap(text: string, name: string): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  let map: unknown;
  try {
    map = JSON.parse(text);
  } catch {
    return fail(`${name} is no JSON`);
  }
  if (typeof map !== "object" || map === null || Array.isArray(map)) return fail(`${name} is no map of models`);
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
