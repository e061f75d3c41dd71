/**
 * Prints which of the 60 names that most public lists have are served at the price of the lists, with nothing but keys
 * in the environment. By hand, outside CI. Usage: node compat/tools/prices/listed-names.ts MAP GENAI PI_AI SNAPSHOT:
 * LiteLLM's map, what scripts/models/genai-prices.py prints, pi-ai's dist/models.generated.js, model-prices' snapshot.json.
 */
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { pathToFileURL } from "node:url";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { picosToUsdPerMillion } from "../../../src/catalog/price.ts";
import { loadConfig } from "../../../src/config/load-config.ts";

const print = (line: string): boolean => process.stdout.write(`${line}\n`);
const NAMES = 60;
const KEYS = [
  "OPENAI",
  "ANTHROPIC",
  "GEMINI",
  "XAI",
  "MISTRAL",
  "DEEPSEEK",
  "MOONSHOT",
  "GROQ",
  "ZAI",
  "MINIMAX",
  "DASHSCOPE",
];

/** An entry of a list: USD per million tokens. */
interface Entry {
  readonly list: string;
  readonly provider: string;
  readonly name: string;
  readonly price: string;
}

type Json = Readonly<Record<string, unknown>>;

const readJson = (file: string): Json => JSON.parse(readFileSync(file, "utf8"));
const objectOf = (value: unknown): Json => (typeof value === "object" && value !== null ? { ...value } : {});
const usd = (value: unknown): string => String(Number(Number(value).toFixed(6)));

function readMap(file: string): Entry[] {
  return Object.entries(readJson(file)).flatMap(([key, value]) => {
    const entry = objectOf(value);
    if (entry["mode"] !== "chat" && entry["mode"] !== "responses") return [];
    const price = `${usd(Number(entry["input_cost_per_token"]) * 1e6)} / ${usd(Number(entry["output_cost_per_token"]) * 1e6)}`;
    const provider = String(entry["litellm_provider"]);
    return [{ list: "litellm", provider, name: key.slice(key.lastIndexOf("/") + 1), price }];
  });
}

function readGenai(file: string): Entry[] {
  return (JSON.parse(readFileSync(file, "utf8")) as readonly Json[]).map(({ provider, id, input, output }) => {
    const name = String(id);
    const price = `${usd(input)} / ${usd(output)}`;
    return { list: "genai-prices", provider: String(provider), name: name.slice(name.lastIndexOf("/") + 1), price };
  });
}

async function readPi(file: string): Promise<Entry[]> {
  const { MODELS } = (await import(pathToFileURL(file).href)) as { readonly MODELS: Readonly<Record<string, Json>> };
  return Object.entries(MODELS).flatMap(([provider, models]) =>
    Object.entries(models).map(([id, model]) => {
      const cost = objectOf(objectOf(model)["cost"]);
      const price = `${usd(cost["input"])} / ${usd(cost["output"])}`;
      return { list: "pi-ai", provider, name: id.slice(id.lastIndexOf("/") + 1), price };
    }),
  );
}

function readSnapshot(file: string): Entry[] {
  return Object.entries(objectOf(readJson(file)["prices"])).flatMap(([provider, models]) =>
    Object.entries(objectOf(models)).map(([id, model]) => {
      const { standard } = objectOf(model);
      const cost = objectOf(objectOf(Array.isArray(standard) ? standard.at(-1) : undefined)["rates"]);
      const price = `${usd(cost["input"])} / ${usd(cost["output"])}`;
      return { list: "model-prices", provider, name: id.slice(id.lastIndexOf("/") + 1), price };
    }),
  );
}

const [map = "", genai = "", pi = "", snapshot = ""] = process.argv.slice(2);
const entries = [...readMap(map), ...readGenai(genai), ...(await readPi(pi)), ...readSnapshot(snapshot)];
const byName = Map.groupBy(entries, ({ name }) => name);
const ranked = [...byName]
  .map(([name, all]) => ({
    name,
    all,
    lists: new Set(all.map(({ list }) => list)).size,
    places: new Set(all.map(({ list, provider }) => `${list}/${provider}`)).size,
  }))
  .sort((a, b) => b.lists - a.lists || b.places - a.places || (a.name < b.name ? -1 : 1))
  .slice(0, NAMES);

const config = loadConfig(Object.fromEntries(KEYS.map((key) => [`${key}_API_KEY`, "k"])), tmpdir());
const catalog = createCatalog(config.models, config.prefix);
let [served, priced] = [0, 0];
print("name | places | served by | Attune | prices of the lists, with the places that have each");
for (const { name, all, places } of ranked) {
  const model = catalog.find(name);
  const price = model?.price;
  const ours =
    price === undefined ? "" : `${picosToUsdPerMillion(price.input)} / ${picosToUsdPerMillion(price.output)}`;
  const known = all.filter((entry) => !entry.price.includes("NaN"));
  const told = [...Map.groupBy(known, (entry) => entry.price)].sort(([, a], [, b]) => b.length - a.length);
  if (model !== undefined) served += 1;
  if (told[0]?.[0] === ours) priced += 1;
  const said = told.slice(0, 3).map(([value, by]) => `${value} (${by.length})`);
  print([name, places, model?.deployments[0]?.upstream ?? "-", ours, said.join(", ")].join(" | "));
}
print(`\n${served} of ${NAMES} are served, ${priced} at the price that most places have`);
