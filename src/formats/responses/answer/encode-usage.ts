import type { Usage } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { JsonObject } from "../../shared/json.ts";
import { mergeMembers } from "../../shared/json.ts";
import { readResponsesJson } from "../../shared/responses-json.ts";

/** Encodes token counts. Here `input_tokens` is the whole prompt, cached or not. */
export function encodeUsage(usage: Usage): JsonObject {
  const inputTokens = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const encoded = {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: usage.cacheReadTokens, cache_write_tokens: usage.cacheWriteTokens },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
    total_tokens: inputTokens + usage.outputTokens,
  };
  return mergeMembers(encoded, readResponsesJson(usage.extension));
}
