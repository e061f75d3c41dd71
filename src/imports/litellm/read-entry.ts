import { bedrockPlace, type Cloud, type CloudPlace, describeForeign, vertexPlace } from "../clouds.ts";
import { chooseKind, makesEmbeddings, type ServedKind } from "../providers.ts";
import type { SettingsView } from "../settings-view.ts";
import type { Upstreams } from "../upstreams.ts";
import { getFamily, type WrittenModel } from "../write-config.ts";
import { LITELLM_CLOUDS, LITELLM_PROVIDERS, type LitellmModel, splitModel } from "./providers.ts";
import { readModelFacts } from "./read-facts.ts";
import { readCommon, readUpstream, type UpstreamContext } from "./read-upstream.ts";
import { referTo, takeReference, takeSecret } from "./references.ts";

/** The ways of asking that stand before a model of Bedrock. */
const BEDROCK_PREFIX = /^(?:(?:invoke|converse|converse_like)\/)?(?:([a-z]{2}(?:-[a-z]+)+-\d)\/)?/;

/** The context in which the entries of a file are read. */
export interface EntryContext extends UpstreamContext {
  readonly upstreams: Upstreams;
  /** LiteLLM's own map of models. */
  readonly map: SettingsView;
}

/** Reads an entry as a model with one deployment; a text says why it cannot be one. */
export function readEntry(entry: SettingsView, { upstreams, map, ...context }: EntryContext): WrittenModel | string {
  const params = entry.map("litellm_params");
  const info = entry.map("model_info");
  const model = params.text("model") ?? "";
  const [base, given] = [info.text("base_model") ?? params.text("base_model"), params.text("custom_llm_provider")];
  const split = splitModel(model, given ?? providerIn(map, model));
  if (split === undefined) return `'${model}' doesn't name its provider`;
  if (split.name === "") return "it names no model";
  const mapped = [base, model, split.name].find((key) => key !== undefined && map.has(key));
  const known = mapped === undefined ? undefined : map.map(mapped);
  const mode = info.text("mode") ?? known?.text("mode") ?? guessMode(base ?? split.name);
  if (!["chat", "responses", "embedding"].includes(mode)) return `models of the mode '${mode}' are out of scope`;
  const asksResponses = split.asksResponses || mode === "responses";
  const place = readPlace(split, { ...context, params, asksResponses });
  if (typeof place === "string") return place;
  const isEmbedding = mode === "embedding";
  if (isEmbedding && !makesEmbeddings(place.kind)) return "this upstream makes no embeddings";
  const sources = { named: nameOf(base, split, place.model), model: place.model, mapped: known, info, params };
  return {
    name: "",
    family: getFamily(place.kind),
    ...(isEmbedding && { embeddings: true }),
    ...readModelFacts({ ...sources, isEmbedding, notes: context.notes }),
    deployments: [{ upstream: upstreams.nameOf(split.provider, place.upstream), model: place.model }],
  };
}

interface ReadPlace extends UpstreamContext {
  readonly params: SettingsView;
  readonly asksResponses: boolean;
}

/** Reads where a model is served; a text says why there is no such upstream. */
function readPlace(split: LitellmModel, context: ReadPlace): ServedPlace | string {
  const { provider, name } = split;
  const cloud = LITELLM_CLOUDS[provider];
  if (cloud !== undefined) return readCloud(cloud, name, context) ?? describeForeign(name, cloud);
  const known = LITELLM_PROVIDERS[provider];
  if (known === undefined) return `there is no upstream for '${provider}'`;
  const upstream = readUpstream([provider, known], context.params, context);
  return { kind: chooseKind(known, context.asksResponses), upstream, model: name };
}

interface ServedPlace {
  readonly kind: ServedKind;
  readonly upstream: object;
  readonly model: string;
}

/** The name that facts are known by: of the model that a deployment's own name stands for, where the file says it. */
function nameOf(base: string | undefined, { provider }: LitellmModel, model: string): LitellmModel {
  const plain = { provider, name: model, asksResponses: false };
  return base === undefined ? plain : (splitModel(base, undefined) ?? { ...plain, name: base });
}

/** The provider that LiteLLM's map has of a bare name. */
function providerIn(map: SettingsView, model: string): string | undefined {
  if (model.includes("/") || !map.has(model)) return undefined;
  return map
    .map(model)
    .text("litellm_provider")
    ?.replace(/^vertex_ai-.*/, "vertex_ai");
}

/** Guesses by its name what a model does, where neither the file nor the map says so. */
function guessMode(name: string): string {
  if (/embed/i.test(name)) return "embedding";
  if (/dall-e|gpt-image|imagen|stable-diffusion|flux/i.test(name)) return "image_generation";
  if (/whisper|transcribe/i.test(name)) return "audio_transcription";
  if (/(?:^|[-/])tts(?:-|$)/i.test(name)) return "audio_speech";
  return /rerank/i.test(name) ? "rerank" : "chat";
}

/** Reads the place of a model at a cloud; undefined where the cloud serves it in a format of its own. */
function readCloud(
  cloud: Cloud,
  model: string,
  { params, ...context }: UpstreamContext & { readonly params: SettingsView },
): CloudPlace | undefined {
  const place = cloud === "bedrock" ? readBedrock(model, params, context) : readVertex(model, params, context);
  return place && { ...place, upstream: { ...place.upstream, ...readCommon(params, context) } };
}

function readBedrock(model: string, params: SettingsView, context: UpstreamContext): CloudPlace | undefined {
  const [prefix = "", region] = BEDROCK_PREFIX.exec(model) ?? [];
  const secret = (key: string) => takeSecret(params, key, { wish: key.toUpperCase(), ...context });
  const auth = {
    accessKeyId: secret("aws_access_key_id"),
    secretAccessKey: secret("aws_secret_access_key"),
    sessionToken: secret("aws_session_token"),
  };
  return bedrockPlace(model.slice(prefix.length), {
    region: takeReference(params, "aws_region_name") ?? region ?? referTo("AWS_REGION_NAME"),
    endpoint: takeReference(params, "aws_bedrock_runtime_endpoint") ?? takeReference(params, "api_base"),
    apiKey: takeSecret(params, "api_key", { wish: "AWS_BEARER_TOKEN_BEDROCK", ...context }),
    auth: Object.fromEntries(Object.entries(auth).filter(([, value]) => value !== undefined)),
  });
}

function readVertex(model: string, params: SettingsView, { notes }: UpstreamContext): CloudPlace | undefined {
  const first = (...keys: readonly string[]): string | undefined =>
    keys.map((key) => takeReference(params, key)).find((value) => value !== undefined);
  const credentials = first("vertex_credentials", "vertex_ai_credentials");
  const isText = credentials?.trimStart().startsWith("{") === true;
  if (isText || credentials?.startsWith("${") === true) {
    const text = "put the JSON of the credentials into a file, and its path into GOOGLE_APPLICATION_CREDENTIALS";
    notes.push({ path: params.pathOf("vertex_credentials"), text });
  }
  const isPath = credentials !== undefined && !isText && !credentials.startsWith("${");
  return vertexPlace(model, {
    project: first("vertex_project", "vertex_ai_project") ?? referTo("VERTEXAI_PROJECT"),
    location: first("vertex_location", "vertex_ai_location") ?? referTo("VERTEXAI_LOCATION"),
    ...(isPath && { auth: { credentialsFile: credentials } }),
  });
}
