import type { Usage } from "../../../../gen/attune/content/v1/content_pb.ts";
import { type JsonObject, mergeMembers } from "../../shared/json.ts";
import { readChatJson } from "../raw-json.ts";
import type { ChatUsage } from "../types.ts";

/** Encodes the tokens of an answer. Here the prompt is counted whole; what a cache held is told beside it. */
export function encodeUsage(usage: Usage | undefined): JsonObject {
  const cached = usage?.cacheReadTokens ?? 0;
  const written = usage?.cacheWriteTokens ?? 0;
  const prompt = (usage?.inputTokens ?? 0) + cached + written;
  const completion = usage?.outputTokens ?? 0;
  const encoded: ChatUsage = {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
  };
  if (usage?.reasoningTokens !== undefined) {
    encoded.completion_tokens_details = { reasoning_tokens: usage.reasoningTokens };
  }
  return mergeMembers(encoded, readChatJson(usage?.extension));
}
