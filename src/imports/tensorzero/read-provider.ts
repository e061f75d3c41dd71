import { bedrockPlace, type Cloud, type CloudPlace, describeForeign, vertexPlace } from "../clouds.ts";
import type { ImportNote } from "../import-error.ts";
import { chooseKind, closeAddress, keySettings, makesEmbeddings, type ServedKind } from "../providers.ts";
import type { SettingsView } from "../settings-view.ts";
import { plainText } from "../write-config.ts";
import { TENSORZERO_CLOUDS, TENSORZERO_PROVIDERS, type TensorzeroProvider } from "./providers.ts";
import { readCost } from "./read-cost.ts";

const ENVIRONMENT = /^env::([A-Za-z_][A-Za-z0-9_]*)$/;
/** The end of a Messages provider's address, which an upstream's does not have. */
const MESSAGES_ROUTE = "/v1/messages";

/** A place that serves a model. */
interface ProviderFacts {
  readonly kind: ServedKind;
  readonly upstream: object;
  /** Model as it is called there. */
  readonly model: string;
  /** USD per million tokens. */
  readonly price: object | undefined;
}

interface ReadOptions {
  /** The model's own limit of a call. */
  readonly totalMs: number | undefined;
  /** Tells that it makes embeddings. */
  readonly isEmbedding: boolean;
  readonly notes: ImportNote[];
  /** The `provider_types` of the file. */
  readonly types: SettingsView;
}

/** Reads the section of a provider; undefined, with a note, where there is no such upstream. */
export function readProvider(view: SettingsView, type: string, options: ReadOptions): ProviderFacts | undefined {
  const { totalMs, notes } = options;
  const found = readUpstream(view, type, options);
  const isFit = typeof found === "string" || !options.isEmbedding || makesEmbeddings(found.kind);
  const place = isFit ? found : "this upstream makes no embeddings";
  if (typeof place === "string") {
    notes.push({ path: view.path, text: `it is left out: ${place}` });
    return undefined;
  }
  const timeouts = { ...readTimeouts(view.map("timeouts"), totalMs) };
  const upstream = { ...place.upstream, ...(Object.keys(timeouts).length > 0 && { timeouts }) };
  return { ...place, upstream, price: readCost(view, options) };
}

/** Reads the upstream without its limits; a text says why there is none. */
function readUpstream(view: SettingsView, type: string, options: ReadOptions): Omit<ProviderFacts, "price"> | string {
  const { notes } = options;
  const cloud = TENSORZERO_CLOUDS[type];
  if (cloud !== undefined) {
    return (
      readCloud(cloud, view, notes) ?? describeForeign(view.text("model_id") ?? view.text("model_name") ?? "", cloud)
    );
  }
  const provider = TENSORZERO_PROVIDERS[type];
  if (provider === undefined) return `there is no upstream for '${type}'`;
  const model = view.text("model_name") ?? view.text("deployment_id") ?? provider.model;
  const baseUrl = readBaseUrl(provider, view);
  if (model === undefined) return "it has no name of a model";
  if (baseUrl === undefined) return "it has no address";
  const own = view.has("api_key_location") ? view : options.types.map(type).map("defaults");
  const key = readKey(own, provider, notes);
  const kind = chooseKind(provider, view.text("api_type") === "responses");
  const upstream = { kind, baseUrl, ...keySettings(provider, key === undefined ? undefined : `\${${key}}`) };
  return { kind, upstream, model };
}

/** Reads the limits of a call, of which a whole answer's counts for streams too. */
export function readTimeouts(view: SettingsView, otherwise?: number): { readonly totalMs?: number } {
  const totalMs = view.map("streaming").number("total_ms") ?? view.map("non_streaming").number("total_ms") ?? otherwise;
  return totalMs === undefined ? {} : { totalMs };
}

function readBaseUrl(provider: TensorzeroProvider, view: SettingsView): string | undefined {
  const given = view.text("api_base") ?? view.text("endpoint");
  if (given === undefined) return provider.baseUrl;
  const variable = ENVIRONMENT.exec(given)?.[1];
  const address = variable === undefined ? plainText(given) : `\${${variable}}`;
  const closed = closeAddress(address, provider);
  return closed.endsWith(MESSAGES_ROUTE) ? closed.slice(0, -MESSAGES_ROUTE.length) : closed;
}

/** Returns the variable that has the key; undefined if it needs none. */
export function readKey(
  view: SettingsView,
  { keyVariable }: TensorzeroProvider,
  notes: ImportNote[],
): string | undefined {
  const given = view.take("api_key_location");
  if (given === undefined) return keyVariable;
  if (given === "none") return undefined;
  // One that comes with requests may have another for those without.
  const places = typeof given === "object" && given !== null ? Object.values(given) : [given];
  const variable = places.map((place) => ENVIRONMENT.exec(String(place))?.[1]).find((name) => name !== undefined);
  if (variable !== undefined) return variable;
  notes.push({ path: view.pathOf("api_key_location"), text: `keys come from the environment: set ${keyVariable}` });
  return keyVariable;
}

/**
 * Reads the place of a model at a cloud; undefined where the cloud serves it in a format of its own. Where the file
 * says who calls in a way that has no counterpart, a note says what to do.
 */
function readCloud(cloud: Cloud, view: SettingsView, notes: ImportNote[]): CloudPlace | undefined {
  const model = view.text("model_id") ?? view.text("model_name") ?? "";
  if (cloud === "bedrock")
    return bedrockPlace(model, {
      region: readName(view, "region", { variable: "AWS_REGION", notes }),
      endpoint: view.text("endpoint_url"),
    });
  const credentials = view.text("credential_location") ?? "sdk";
  const path = /^path::(.+)$/.exec(credentials)?.[1];
  if (path === undefined && credentials !== "sdk") {
    const text = "set GOOGLE_APPLICATION_CREDENTIALS to the path of the credentials";
    notes.push({ path: view.pathOf("credential_location"), text });
  }
  return vertexPlace(model, {
    project: readName(view, "project_id", { variable: "GOOGLE_CLOUD_PROJECT", notes }),
    location: readName(view, "location", { variable: "GOOGLE_CLOUD_LOCATION", notes }),
    ...(path !== undefined && { auth: { credentialsFile: path } }),
  });
}

/** Reads the name of a region or project, or refers to the variable that has it. */
function readName(
  view: SettingsView,
  key: string,
  { variable, notes }: { readonly variable: string; readonly notes: ImportNote[] },
): string {
  const given = view.text(key) ?? "sdk";
  const named = /^env::([A-Za-z_][A-Za-z0-9_]*)$/.exec(given)?.[1];
  if (given !== "sdk" && !given.includes("::")) return given;
  if (given.includes("::") && named === undefined)
    notes.push({ path: view.pathOf(key), text: `requests cannot say it: set the variable ${variable}` });
  return `\${${named ?? variable}}`;
}
