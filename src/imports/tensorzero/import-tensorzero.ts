import { parse, TomlError } from "smol-toml";

import { ImportError, type Imported, type ImportNote } from "../imported.ts";
import { joinPlaces } from "../join-places.ts";
import { knownFacts } from "../known-facts.ts";
import { keySettings, kindOf } from "../providers.ts";
import { SettingsView } from "../settings-view.ts";
import { Upstreams } from "../upstreams.ts";
import { familyOf, type WrittenModel, writeConfig } from "../write-config.ts";
import { readFunctions, readMetrics, sectionsOf } from "./functions.ts";
import { TENSORZERO_PROVIDERS } from "./providers.ts";
import { readProvider, readTimeouts } from "./read-provider.ts";

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
  provider_types: "keys and addresses are named at each upstream",
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
  const target = { upstreams, notes };
  const configured = sectionsOf(file.map("models"));
  const models = configured.flatMap((section) => readModel(section, target));
  const names = new Set(configured.map((section) => section.path.slice("models.".length)));
  const asked = readFunctions(file.map("functions"), notes);
  for (const model of asked) if (!names.has(model)) models.push(...readShort(model, names, target));
  models.push(...sectionsOf(file.map("embedding_models")).flatMap((section) => readModel(section, target, true)));
  readMetrics(file.map("metrics"), notes);
  if (models.length === 0) throw new ImportError("it names no model that can be carried over");
  for (const { path, key } of file.left) notes.push({ path, text: REASONS[key] ?? "has no counterpart" });
  return { yaml: writeConfig({ upstreams: upstreams.all, models }, "attune import tensorzero"), notes };
}

interface Target {
  readonly upstreams: Upstreams;
  readonly notes: ImportNote[];
}

/** Reads a model with its providers in the order of `routing`; none, with a note, if no provider has a counterpart. */
function readModel(section: SettingsView, { upstreams, notes }: Target, isEmbedding = false): WrittenModel[] {
  const name = section.path.slice(section.path.indexOf(".") + 1);
  const routing = section.take("routing");
  const providers = section.map("providers");
  const order = Array.isArray(routing) ? routing.map(String) : providers.entries.map(([provider]) => provider);
  const { totalMs } = readTimeouts(section.map("timeouts"));
  const places = order.flatMap((key) => {
    const view = providers.map(key);
    const type = view.text("type") ?? "";
    const place = readProvider(view, type, { totalMs, isEmbedding, notes });
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
    return { name, path: section.path, family: familyOf(kind), ...facts, ...own, deployments: [{ upstream, model }] };
  });
  const [one, ...others] = placed;
  return one === undefined ? [] : [joinPlaces([one, ...others], notes)];
}

/** Reads a model that a function names as `provider::model`, without a section of its own. */
function readShort(model: string, names: ReadonlySet<string>, { upstreams, notes }: Target): WrittenModel[] {
  const [type = "", ...rest] = model.split("::");
  const asksResponses = rest[0] === "responses";
  const name = rest.slice(asksResponses ? 1 : 0).join("::");
  const known = TENSORZERO_PROVIDERS[type];
  if (known?.baseUrl === undefined || name === "") {
    notes.push({ path: "functions", text: `the model '${model}' is left out: there is no upstream for it` });
    return [];
  }
  const kind = kindOf(known, asksResponses);
  const key = known.keyVariable === undefined ? undefined : `\${${known.keyVariable}}`;
  const upstream = upstreams.nameOf(type, { kind, baseUrl: known.baseUrl, ...keySettings(known, key) });
  const free = names.has(name) ? `${type}/${name}` : name;
  return [
    { name: free, family: familyOf(kind), ...knownFacts(type, name).facts, deployments: [{ upstream, model: name }] },
  ];
}

function parseToml(text: string): unknown {
  try {
    return parse(text);
  } catch (thrown) {
    if (thrown instanceof TomlError) throw new ImportError(thrown.message);
    throw thrown;
  }
}
