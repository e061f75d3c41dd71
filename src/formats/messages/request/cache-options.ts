import { create } from "@bufbuild/protobuf";
import { CacheMarkSchema, CacheTtl, Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { isJsonObject, type JsonObject, parseJsonObject } from "../../shared/json.ts";
import type { LossList } from "../../shared/losses.ts";
import { CACHE_TTL_WORDS } from "../../shared/openai-words.ts";
import type { AutomaticMark } from "./cache-marks.ts";

const OPTIONS = "prompt_cache_options";

/** Returns the mark that a request asks for as a whole; undefined if it asks for none. */
export function automaticMark(input: InferenceInput): AutomaticMark | undefined {
  const { automaticCacheMark: mark } = input;
  if (mark !== undefined) return { mark, place: "automatic_cache_mark" };
  const options = openAiOptions(input);
  if (options?.mode !== "implicit") return undefined;
  const word = Object.entries(CACHE_TTL_WORDS).find(([name]) => name === options.ttl);
  const ttl = word?.[1] ?? CacheTtl.CACHE_TTL_UNSPECIFIED;
  return { mark: create(CacheMarkSchema, { ttl }), place: `extension.${OPTIONS}` };
}

/**
 * Encodes the members of the request that the hub does not model. OpenAI's callers say there how to cache: an automatic
 * mark (`implicit`) is automaticMark()'s, and marks alone (`explicit`) are what this format does anyway. `said` are
 * those that stand elsewhere in the request.
 */
export function encodeExtension(
  input: InferenceInput,
  losses: LossList,
  said: ReadonlySet<string>,
): JsonObject | undefined {
  const options = openAiOptions(input);
  const { extension } = input;
  if (extension === undefined || (options === undefined && said.size === 0)) return losses.own(extension);
  losses.settle("extension");
  for (const [name, value] of Object.entries(parseJsonObject(extension.json) ?? {})) {
    if (name !== OPTIONS && !said.has(name)) losses.said("", name, value);
  }
  for (const [name, value] of Object.entries(options ?? {})) {
    const isSaid = name === "mode" ? value === "implicit" || value === "explicit" : isTtlSaid(name, options ?? {});
    if (!isSaid && value !== null) losses.member("", `${OPTIONS}.${name}`);
  }
  return undefined;
}

/** A lifetime belongs to the automatic mark, whose own loss it is; without one there is nothing to say it of. */
function isTtlSaid(name: string, { mode, ttl }: JsonObject): boolean {
  return name === "ttl" && mode === "implicit" && typeof ttl === "string" && Object.hasOwn(CACHE_TTL_WORDS, ttl);
}

function openAiOptions({ extension }: InferenceInput): JsonObject | undefined {
  if (extension?.dialect !== Dialect.CHAT && extension?.dialect !== Dialect.RESPONSES) return undefined;
  const options = parseJsonObject(extension.json)?.[OPTIONS];
  return isJsonObject(options) ? options : undefined;
}
