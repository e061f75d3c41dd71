import { create } from "@bufbuild/protobuf";
import { type Usage, UsageSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import { extraMembers, isJsonObject, type JsonObject } from "../../shared/json.ts";
import { readUsage } from "../../shared/read-usage.ts";
import { MODELLED } from "../members.ts";
import { chatJson } from "../raw-json.ts";

const KNOWN = new Set([...MODELLED.usage, "prompt_tokens_details", "completion_tokens_details"]);

/**
 * Decodes `usage`. What a cache held stands under other names elsewhere: at the top at Moonshot (`cached_tokens`) and
 * DeepSeek (`prompt_cache_hit_tokens`), and in Anthropic's words at LiteLLM.
 */
export function decodeUsage(usage: JsonObject): Usage {
  const prompt = isJsonObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const completion = isJsonObject(usage.completion_tokens_details) ? usage.completion_tokens_details : {};
  const counts = readUsage({
    prompt: usage.prompt_tokens,
    output: usage.completion_tokens,
    total: usage.total_tokens,
    reasoning: completion.reasoning_tokens,
    cacheRead: [
      prompt.cached_tokens,
      usage.cached_tokens,
      usage.prompt_cache_hit_tokens,
      usage.cache_read_input_tokens,
    ],
    cacheWrite: [prompt.cache_write_tokens, prompt.cache_creation_tokens, usage.cache_creation_input_tokens],
  });
  return create(UsageSchema, { ...counts, extension: chatJson(extraOf(usage, { prompt, completion })) });
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
