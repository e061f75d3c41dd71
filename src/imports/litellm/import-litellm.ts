import { parse, YAMLParseError } from "yaml";
import { isModelName, MODEL_NAME_RULE } from "../../catalog/model-name.ts";
import { ImportError, type Imported, type ImportNote } from "../import-error.ts";
import { joinPlaces, type PlacedModel } from "../join-places.ts";
import { Secrets } from "../secrets.ts";
import { isSettings, SettingsView } from "../settings-view.ts";
import { Upstreams } from "../upstreams.ts";
import { type WrittenModel, writeConfig } from "../write-config.ts";
import { readQuotas } from "./quotas.ts";
import { type EntryContext, readEntry } from "./read-entry.ts";
import { getReason } from "./reasons.ts";
import { variablesIn } from "./references.ts";

/**
 * Turns a `config.yaml` of LiteLLM into an `attune.yaml`. `map` is LiteLLM's own map of models, which has windows and
 * prices that the file leaves out. Source of the keys: docs.litellm.ai/docs/proxy/config_settings. Throws ImportError.
 */
export function importLitellm(text: string, map: unknown = {}): Imported {
  const notes: ImportNote[] = [];
  const file = new SettingsView(mergeCredentials(parseFile(text) ?? {}));
  const entries = file.maps("model_list");
  if (entries.length === 0)
    throw new ImportError("model_list has no models: this isn't a configuration of LiteLLM's proxy");
  const seconds =
    file.map("litellm_settings").number("request_timeout") ?? file.map("router_settings").number("timeout");
  const upstreams = new Upstreams();
  const placed = new Map<string, [PlacedModel, ...PlacedModel[]]>();
  const secrets = new Secrets(variablesIn(text));
  const target = { placed, upstreams, notes, secrets, seconds, map: new SettingsView(map, "the map of models") };
  const zeroWeights = findZeroWeights(entries);
  for (const entry of entries) {
    if (zeroWeights.has(entry)) leaveOut(entry, "its weight is 0: it is never asked", notes);
    else addEntry(entry, target);
  }
  const models = new Map([...placed].map(([name, joined]) => [name, joinPlaces(joined, notes)]));
  addAliases(file.map("router_settings").map("model_group_alias"), models, notes);
  const quotas = readQuotas(file, notes);
  const config = {
    upstreams: upstreams.all,
    models: [...models.values()],
    ...(Object.keys(quotas).length > 0 && { quotas }),
  };
  for (const { path } of file.left) notes.push({ path, text: getReason(path) });
  return { yaml: writeConfig(config, "attune import litellm"), notes: unique(notes) };
}

interface Target extends EntryContext {
  /** The entries of each name. */
  readonly placed: Map<string, [PlacedModel, ...PlacedModel[]]>;
}

/** Entries of a weight of 0 are never asked where another one of their name has more. */
function findZeroWeights(entries: readonly SettingsView[]): ReadonlySet<SettingsView> {
  const weightOf = (entry: SettingsView) =>
    Number(Object.fromEntries(entry.map("litellm_params").entries)["weight"] ?? 1);
  const servedNames = new Set(entries.filter((entry) => weightOf(entry) > 0).map((entry) => entry.text("model_name")));
  return new Set(entries.filter((entry) => weightOf(entry) === 0 && servedNames.has(entry.text("model_name"))));
}

function leaveOut(entry: SettingsView, why: string, notes: ImportNote[]): void {
  for (const view of [entry, entry.map("litellm_params"), entry.map("model_info")]) view.takeAll();
  notes.push({ path: entry.path, text: `'${entry.text("model_name")}' is left out: ${why}` });
}

function addEntry(entry: SettingsView, target: Target): void {
  const { placed, notes } = target;
  const params = entry.map("litellm_params");
  const [name, model] = [entry.text("model_name"), params.text("model")];
  if (name === undefined || model === undefined)
    throw new ImportError(`${entry.path} must have model_name and litellm_params.model`);
  const before = placed.get(name);
  const read = readListed(entry, before?.[0], target);
  if (typeof read === "string") {
    leaveOut(entry, read, notes);
    return;
  }
  const added = { ...read, name, path: entry.path };
  if (before === undefined) placed.set(name, [added]);
  else before.push(added);
}

/** Reads an entry whose name `before` may have; a text says why it cannot be a model. */
function readListed(
  entry: SettingsView,
  before: WrittenModel | undefined,
  target: EntryContext,
): WrittenModel | string {
  const names = [entry.text("model_name"), entry.map("litellm_params").text("model")];
  if (names.some((name) => name?.includes("*"))) return "each model has to be listed by its name";
  const read = readEntry(entry, target);
  if (typeof read === "string" || before === undefined || before.embeddings === read.embeddings) return read;
  return "a model either answers or makes embeddings, and another entry of this name does the other";
}

/** LiteLLM asks an alias's model, also where another model has the alias as its name. */
function addAliases(aliases: SettingsView, models: Map<string, WrittenModel>, notes: ImportNote[]): void {
  const added = new Map<string, string[]>();
  for (const [alias] of aliases.entries) {
    const path = aliases.pathOf(alias);
    const name = isSettings(aliases.take(alias)) ? aliases.map(alias).text("model") : aliases.text(alias);
    if (name === undefined || !models.has(name))
      notes.push({ path, text: `there is no model '${name}' for this alias` });
    else if (!isModelName(alias)) notes.push({ path, text: `the alias is left out: it ${MODEL_NAME_RULE}` });
    else if (alias !== name) added.set(name, [...(added.get(name) ?? []), alias]);
  }
  for (const [name, names] of added) {
    const model = models.get(name);
    if (model !== undefined) models.set(name, { ...model, aliases: names });
  }
  for (const alias of [...added.values()].flat()) {
    if (!models.delete(alias)) continue;
    notes.push({ path: aliases.pathOf(alias), text: `the model '${alias}' is left out: the alias takes precedence` });
  }
}

/** Says the same of one place once. */
function unique(notes: readonly ImportNote[]): ImportNote[] {
  return [...new Map(notes.map((note) => [`${note.path}\n${note.text}`, note])).values()];
}

/**
 * Puts the values of `credential_list` into the entries that name them by `litellm_credential_name`. What an entry says
 * itself goes before. Credentials that no entry names stay in the list.
 */
function mergeCredentials(file: unknown): unknown {
  if (!isSettings(file) || !Array.isArray(file["credential_list"]) || !Array.isArray(file["model_list"])) return file;
  const used = new Set<unknown>();
  const credentials = new Map(
    file["credential_list"].filter(isSettings).map((item) => [item["credential_name"], item]),
  );
  const entries = file["model_list"].map((entry: unknown) => {
    const params = isSettings(entry) ? entry["litellm_params"] : undefined;
    if (!isSettings(entry) || !isSettings(params)) return entry;
    const { litellm_credential_name: name, ...own } = params;
    const values = credentials.get(name)?.["credential_values"];
    if (!isSettings(values)) return entry;
    used.add(name);
    return { ...entry, litellm_params: { ...values, ...own } };
  });
  const unused = file["credential_list"].filter((item) => !isSettings(item) || !used.has(item["credential_name"]));
  const { credential_list: _, ...others } = file;
  return { ...others, model_list: entries, ...(unused.length > 0 && { credential_list: unused }) };
}

/** Parses the file. Throws ImportError where it is nested too deeply or repeats too much, else YAMLParseError. */
function parseFile(text: string): unknown {
  try {
    return parse(text);
  } catch (thrown) {
    if (thrown instanceof YAMLParseError && thrown.code === "RESOURCE_EXHAUSTION") {
      throw new ImportError(`line ${thrown.linePos?.[0].line ?? 1} is nested too deeply`);
    }
    // Of aliases of aliases.
    if (thrown instanceof ReferenceError) throw new ImportError("it repeats too much by aliases: write it out");
    throw thrown;
  }
}
