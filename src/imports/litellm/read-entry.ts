import { describeForeign } from "../clouds.ts";
import { kindOf, makesEmbeddings, type ServedKind } from "../providers.ts";
import type { SettingsView } from "../settings-view.ts";
import type { Upstreams } from "../upstreams.ts";
import { familyOf, type WrittenModel } from "../write-config.ts";
import { LITELLM_CLOUDS, LITELLM_PROVIDERS, type LitellmModel, splitModel } from "./providers.ts";
import { readCloud } from "./read-cloud.ts";
import { readModelFacts } from "./read-facts.ts";
import { readUpstream, type UpstreamContext } from "./read-upstream.ts";

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
  if (split === undefined) return `'${model}' does not say of which provider it is`;
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
  const sources = { provider: split.provider, model: place.model, mapped: known, info, params };
  return {
    name: "",
    family: familyOf(place.kind),
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
  return { kind: kindOf(known, context.asksResponses), upstream, model: name };
}

interface ServedPlace {
  readonly kind: ServedKind;
  readonly upstream: object;
  readonly model: string;
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
