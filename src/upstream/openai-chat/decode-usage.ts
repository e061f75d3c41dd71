import { type Usage, UsageSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { create } from "../../lib/protobuf/create.ts";
import { MODELLED } from "../../wire/chat/members.ts";
import { chatJson } from "../../wire/chat/raw-json.ts";
import { extraMembers } from "../../wire/extra-members.ts";
import { isJsonObject, type JsonObject } from "../../wire/json.ts";

const KNOWN = new Set([...MODELLED.usage, "prompt_tokens_details", "completion_tokens_details"]);

/** Decodes `usage`. The prompt is counted whole there; here what a cache held is taken out of it. */
export function decodeUsage(usage: JsonObject): Usage {
  const prompt = isJsonObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const completion = isJsonObject(usage.completion_tokens_details) ? usage.completion_tokens_details : {};
  const promptTokens = count(usage.prompt_tokens);
  // DeepSeek counts its hits outside the details.
  const cacheReadTokens = Math.min(count(prompt.cached_tokens ?? usage.prompt_cache_hit_tokens), promptTokens);
  const cacheWriteTokens = Math.min(count(prompt.cache_write_tokens), promptTokens - cacheReadTokens);
  const extra = {
    ...extraMembers(usage, KNOWN),
    ...named("prompt_tokens_details", extraMembers(prompt, MODELLED.prompt_tokens_details)),
    ...named("completion_tokens_details", extraMembers(completion, MODELLED.completion_tokens_details)),
  };
  return create(UsageSchema, {
    inputTokens: promptTokens - cacheReadTokens - cacheWriteTokens,
    cacheReadTokens,
    cacheWriteTokens,
    outputTokens: count(usage.completion_tokens),
    reasoningTokens: typeof completion.reasoning_tokens === "number" ? count(completion.reasoning_tokens) : undefined,
    extension: Object.keys(extra).length === 0 ? undefined : chatJson(extra),
  });
}

function named(name: string, members: JsonObject | undefined): JsonObject {
  return members === undefined ? {} : { [name]: members };
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? Math.min(value, 2147483647) : 0;
}
