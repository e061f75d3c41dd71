import { create } from "@bufbuild/protobuf";
import { type Usage, UsageSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import { extraMembers } from "../../shared/extra-members.ts";
import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import { MODELLED } from "../members.ts";
import { chatJson } from "../raw-json.ts";

const KNOWN = new Set([...MODELLED.usage, "prompt_tokens_details", "completion_tokens_details"]);

/** Decodes `usage`. The prompt is counted whole there; here what a cache held is taken out of it. */
export function decodeUsage(usage: JsonObject): Usage {
  const prompt = isJsonObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const completion = isJsonObject(usage.completion_tokens_details) ? usage.completion_tokens_details : {};
  const promptTokens = count(usage.prompt_tokens);
  // DeepSeek counts its hits outside the details.
  const cacheReadTokens = Math.min(count(prompt.cached_tokens ?? usage.prompt_cache_hit_tokens), promptTokens);
  const cacheWriteTokens = Math.min(count(prompt.cache_write_tokens), promptTokens - cacheReadTokens);
  return create(UsageSchema, {
    inputTokens: promptTokens - cacheReadTokens - cacheWriteTokens,
    cacheReadTokens,
    cacheWriteTokens,
    outputTokens: count(usage.completion_tokens),
    reasoningTokens: typeof completion.reasoning_tokens === "number" ? count(completion.reasoning_tokens) : undefined,
    extension: chatJson(extraOf(usage, { prompt, completion })),
  });
}

/** Returns the counts that the hub has no field for; undefined if there are none. */
function extraOf(usage: JsonObject, details: { readonly prompt: JsonObject; readonly completion: JsonObject }) {
  const extra = extraMembers(usage, KNOWN);
  const prompt = extraMembers(details.prompt, MODELLED.prompt_tokens_details);
  const completion = extraMembers(details.completion, MODELLED.completion_tokens_details);
  if (prompt === undefined && completion === undefined) return extra;
  return {
    ...extra,
    ...(prompt && { prompt_tokens_details: prompt }),
    ...(completion && { completion_tokens_details: completion }),
  };
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? Math.min(value, 2147483647) : 0;
}
