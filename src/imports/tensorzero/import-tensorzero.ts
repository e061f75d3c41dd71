import { parse, TomlError } from "smol-toml";

import { ImportError, type Imported, type ImportNote } from "../import-error.ts";
import { joinPlaces } from "../join-places.ts";
import { knownFacts } from "../known-facts.ts";
import { chooseKind, keySettings } from "../providers.ts";
import { SettingsView } from "../settings-view.ts";
import { Upstreams } from "../upstreams.ts";
import { getFamily, type WrittenModel, writeConfig } from "../write-config.ts";
import { TENSORZERO_PROVIDERS } from "./providers.ts";
import { readKey, readProvider, readTimeouts } from "./read-provider.ts";

/** Remarks on the other sections. */
const REASONS: Readonly<Record<string, string>> = {
  gateway: "see docs/configuration.md for the server, its log and its metrics",
  clickhouse: "Attune's store is SQLite or PostgreSQL: database.url",
  postgres: "give Attune a database of its own: database.url",
  tools: "send the tools with each request",
  evaluations: "'npm run bench:replay' plays logged rows; see docs/replay.md",
  rate_limiting: "see docs/quotas.md, and 'attune quotas'",
  object_storage: "files of a request are kept with its texts",
  non_streaming: "one limit counts for streams and whole answers: timeouts.totalMs",
  ttft_ms: "timeouts.firstByteMs counts for whole answers too, which begin when they are complete",
};

/** The same on the settings of a function and its variants; all others go with requests. */
const FUNCTION_REASONS: Readonly<Record<string, string>> = {
  weight: "learning finds how often each model answers",
  experimentation: "learning explores by itself; see docs/learning.md",
  candidates: "see docs/best-of-several.md",
  evaluator: "see docs/best-of-several.md",
  fuser: "has no counterpart",
  k: "has no counterpart",
  max_distance: "has no counterpart",
  embedding_model: "has no counterpart",
  retries: "see routing in docs/configuration.md",
  timeouts: "see the timeouts of upstreams in docs/configuration.md",
  evaluators: "grades are feedback: send them to POST /v1/feedback",
  description: "has no counterpart",
};

/**
 * Turns a `tensorzero.toml` into an `attune.yaml`: its models and their providers. Functions and metrics need no
 * configuration, and the notes say how they are called. Source of the keys:
 * tensorzero.com/docs/gateway/configuration-reference. Throws ImportError.
 */
export function importTensorzero(text: string): Imported {
  const notes: ImportNote[] = [];
  const file = new SettingsView(parseToml(text));
  const upstreams = new Upstreams();
  const target = { upstreams, notes, types: file.map("provider_types") };
  const configured = readSections(file.map("models"));
  const models = configured.flatMap((section) => readModel(section, target));
  const names = new Set(configured.map((section) => section.path.slice("models.".length)));
  const functionModels = readFunctions(file.map("functions"), notes);
  for (const model of functionModels) if (!names.has(model)) models.push(...readShort(model, names, target));
  models.push(...readSections(file.map("embedding_models")).flatMap((section) => readModel(section, target, true)));
  readMetrics(file.map("metrics"), notes);
  if (models.length === 0) throw new ImportError("it names no model that can be carried over");
  for (const { path, key } of file.left) {
    const text = path.startsWith("functions.")
      ? (FUNCTION_REASONS[key] ?? "send it with each request")
      : (REASONS[key] ?? "has no counterpart");
    notes.push({ path, text });
  }
  return { yaml: writeConfig({ upstreams: upstreams.all, models }, "attune import tensorzero"), notes };
}

interface Target {
  readonly upstreams: Upstreams;
  readonly notes: ImportNote[];
  readonly types: SettingsView;
}

/** Reads a model with its providers in the order of `routing`; none, with a note, if no provider has a counterpart. */
function readModel(section: SettingsView, { upstreams, notes, types }: Target, isEmbedding = false): WrittenModel[] {
  const name = section.path.slice(section.path.indexOf(".") + 1);
  const routing = section.take("routing");
  const providers = section.map("providers");
  const order = Array.isArray(routing) ? routing.map(String) : providers.entries.map(([provider]) => provider);
  const { totalMs } = readTimeouts(section.map("timeouts"));
  const places = order.flatMap((key) => {
    const view = providers.map(key);
    const type = view.text("type") ?? "";
    const place = readProvider(view, type, { totalMs, isEmbedding, notes, types });
    if (place === undefined) {
      view.takeAll();
      return [];
    }
    return [{ ...place, provider: type, upstream: upstreams.nameOf(type, place.upstream) }];
  });
  const [first] = places;
  if (first === undefined) {
    notes.push({ path: section.path, text: "it is left out: none of its providers has a counterpart" });
    return [];
  }
  const placed = places.map(({ upstream, model, price, kind, provider }) => {
    const facts = isEmbedding ? { embeddings: true as const, maxOutputTokens: 1 } : knownFacts(provider, model).facts;
    const own = price === undefined ? {} : { price };
    return { name, path: section.path, family: getFamily(kind), ...facts, ...own, deployments: [{ upstream, model }] };
  });
  const [one, ...others] = placed;
  return one === undefined ? [] : [joinPlaces([one, ...others], notes)];
}

/** Reads a model that a function names as `provider::model`, without a section of its own. */
function readShort(model: string, names: ReadonlySet<string>, { upstreams, notes, types }: Target): WrittenModel[] {
  const [type = "", ...rest] = model.split("::");
  const asksResponses = rest[0] === "responses";
  const name = rest.slice(asksResponses ? 1 : 0).join("::");
  const known = TENSORZERO_PROVIDERS[type];
  if (known?.baseUrl === undefined || name === "") {
    notes.push({ path: "functions", text: `the model '${model}' is left out: there is no upstream for it` });
    return [];
  }
  const kind = chooseKind(known, asksResponses);
  const variable = readKey(types.map(type).map("defaults"), known, notes);
  const key = variable === undefined ? undefined : `\${${variable}}`;
  const upstream = upstreams.nameOf(type, { kind, baseUrl: known.baseUrl, ...keySettings(known, key) });
  const free = names.has(name) ? `${type}/${name}` : name;
  return [
    { name: free, family: getFamily(kind), ...knownFacts(type, name).facts, deployments: [{ upstream, model: name }] },
  ];
}

function parseToml(text: string): unknown {
  try {
    return parse(text);
  } catch (thrown) {
    if (!(thrown instanceof TomlError)) throw thrown;
    // What follows is the line itself, of any length.
    const [problem = ""] = thrown.message.split("\n", 1);
    throw new ImportError(`line ${thrown.line}, column ${thrown.column}: ${problem}`);
  }
}

/** Reads the sections of a map whose members are maps. */
function readSections(view: SettingsView): SettingsView[] {
  return view.entries.map(([name]) => view.map(name));
}

/**
 * Says what becomes of each function: its calls are a workload. Returns the models of all variants, once each.
 */
function readFunctions(functions: SettingsView, notes: ImportNote[]): string[] {
  const models: string[] = [];
  for (const section of readSections(functions)) {
    const name = section.path.slice(functions.path.length + 1);
    const variants = readSections(section.map("variants"));
    const own = variants.flatMap((variant) => variant.text("model") ?? []);
    models.push(...own);
    for (const view of [section, ...variants]) view.take("type");
    const modelNames = [...new Set(own)].join(", ");
    notes.push({
      path: section.path,
      text:
        `send its prompt with each request, and the header attune-workload: ${name}. ` +
        "Ask for one of the models of its " +
        `variants (${modelNames === "" ? "none" : modelNames}): with feedback, learning finds which of all answers best`,
    });
  }
  return [...new Set(models)];
}

/** Says how the values of each metric are sent. */
function readMetrics(metrics: SettingsView, notes: ImportNote[]): void {
  for (const section of readSections(metrics)) {
    const name = section.path.slice(metrics.path.length + 1);
    const [level, optimize] = [section.text("level"), section.text("optimize")];
    section.takeAll();
    const where = level === "episode" ? '"session" in place of "id"' : '"id" of the answer';
    const direction = optimize === "min" ? ', and "optimize": "min"' : "";
    notes.push({
      path: section.path,
      text: `needs no setting: send it to POST /v1/feedback as { "${name}": value } with ${where}${direction}`,
    });
  }
}
