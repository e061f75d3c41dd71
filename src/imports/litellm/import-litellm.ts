import { parse } from "yaml";
import { builtInFacts } from "../built-in-facts.ts";
import { ImportError, type Imported, type ImportNote } from "../imported.ts";
import { describeAbsent } from "../providers.ts";
import { SettingsView } from "../settings-view.ts";
import { Upstreams } from "../upstreams.ts";
import { type WrittenModel, writeConfig } from "../write-config.ts";
import { LITELLM_PROVIDERS, splitModel } from "./providers.ts";
import { readQuotas } from "./quotas.ts";
import { readFacts, readPrice } from "./read-facts.ts";
import { readUpstream } from "./read-upstream.ts";
import { reasonOf } from "./reasons.ts";

/**
 * Turns a `config.yaml` of LiteLLM into an `attune.yaml`. `map` is LiteLLM's own map of models, which has windows and
 * prices that the file leaves out. Source of the keys: docs.litellm.ai/docs/proxy/config_settings. Throws ImportError.
 */
export function importLitellm(text: string, map: unknown = {}): Imported {
  const notes: ImportNote[] = [];
  const file = new SettingsView(parse(text) ?? {});
  const entries = file.maps("model_list");
  if (entries.length === 0)
    throw new ImportError("model_list has no models: it is no configuration of LiteLLM's proxy");
  const seconds =
    file.map("litellm_settings").number("request_timeout") ?? file.map("router_settings").number("timeout");
  const upstreams = new Upstreams();
  const models = new Map<string, WrittenModel>();
  for (const entry of entries)
    addEntry(entry, { models, upstreams, notes, seconds, map: new SettingsView(map, "the map of models") });
  addAliases(file.map("router_settings").map("model_group_alias"), models, notes);
  const quotas = readQuotas(file, notes);
  const config = {
    ...{ upstreams: upstreams.all, models: [...models.values()] },
    ...(Object.keys(quotas).length > 0 && { quotas }),
  };
  for (const { path } of file.left) notes.push({ path, text: reasonOf(path) });
  return { yaml: writeConfig(config, "attune import litellm"), notes: unique(notes) };
}

interface Target {
  readonly models: Map<string, WrittenModel>;
  readonly upstreams: Upstreams;
  readonly notes: ImportNote[];
  /** The limit of a call, where an entry has none of its own. */
  readonly seconds: number | undefined;
  readonly map: SettingsView;
}

function addEntry(entry: SettingsView, { models, upstreams, notes, seconds, map }: Target): void {
  const params = entry.map("litellm_params");
  const info = entry.map("model_info");
  const [name, model, mode] = [entry.text("model_name"), params.text("model"), info.text("mode")];
  if (name === undefined || model === undefined)
    throw new ImportError(`${entry.path} must have model_name and litellm_params.model`);
  const { provider, name: upstreamModel } = splitModel(model);
  const known = LITELLM_PROVIDERS[provider];
  const fault = faultOf({ name, model, provider: known === undefined ? provider : undefined, mode });
  if (known === undefined || fault !== undefined) {
    for (const view of [entry, params, info]) view.takeAll();
    notes.push({ path: entry.path, text: `'${name}' is left out: ${fault}` });
    return;
  }
  const mapped = [info.text("base_model"), model, upstreamModel].find((key) => key !== undefined && map.has(key));
  const price = readPrice(params);
  const facts = {
    ...builtInFacts(upstreamModel),
    ...(mapped !== undefined && readFacts(map.map(mapped))),
    ...readFacts(info),
    ...(price !== undefined && { price }),
  };
  const upstream = readUpstream([provider, known], params, { seconds, notes });
  const deployment = { upstream: upstreams.nameOf(provider, upstream), model: upstreamModel };
  const before = models.get(name);
  if (before !== undefined) {
    models.set(name, { ...facts, ...before, deployments: [...before.deployments, deployment] });
    return;
  }
  const family = known.kind === "anthropic-messages" ? "messages" : "chat";
  models.set(name, { name, family, ...facts, deployments: [deployment] });
}

/** Tells why an entry cannot become a model; undefined if it can. */
function faultOf(entry: {
  readonly name: string;
  readonly model: string;
  /** The provider, if it is not supported. */
  readonly provider: string | undefined;
  readonly mode: string | undefined;
}): string | undefined {
  const { name, model, provider, mode } = entry;
  if (`${name}${model}`.includes("*")) return "each model has to be listed by its name";
  if (provider !== undefined) return describeAbsent(provider);
  if (mode !== undefined && mode !== "chat" && mode !== "responses")
    return `models of the mode '${mode}' are out of scope`;
  return undefined;
}

function addAliases(aliases: SettingsView, models: Map<string, WrittenModel>, notes: ImportNote[]): void {
  for (const [alias, target] of aliases.entries) {
    const name = typeof target === "object" ? aliases.map(alias).text("model") : aliases.text(alias);
    const model = name === undefined ? undefined : models.get(name);
    if (model === undefined)
      notes.push({ path: aliases.pathOf(alias), text: `there is no model '${name}' for this alias` });
    else models.set(model.name, { ...model, aliases: [...(model.aliases ?? []), alias] });
  }
}

/** Says the same of one place once. */
function unique(notes: readonly ImportNote[]): ImportNote[] {
  return [...new Map(notes.map((note) => [`${note.path}\n${note.text}`, note])).values()];
}
