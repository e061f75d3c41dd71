import { Dialect, type Usage } from "../../../../gen/attune/content/v1/content_pb.ts";
import { type JsonObject, mergeMembers, parseJsonObject } from "../../shared/json.ts";
import { OWN_COUNTS } from "./outside-iterations.ts";

/** Members that the first event of a stream carries, and its last ones do not. */
const START_ONLY = ["cache_creation", "service_tier", "speed", "inference_geo"];

/** Members that count the prompt. */
const PROMPT = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];

/** Encodes the usage of a message, with all its members. */
export function encodeUsage(usage: Usage | undefined): JsonObject {
  const json: JsonObject = {
    input_tokens: usage?.inputTokens ?? 0,
    cache_creation_input_tokens: usage?.cacheWriteTokens ?? 0,
    cache_read_input_tokens: usage?.cacheReadTokens ?? 0,
    cache_creation: encodeCacheCreation(usage),
    output_tokens: usage?.outputTokens ?? 0,
    output_tokens_details: usage?.reasoningTokens === undefined ? null : { thinking_tokens: usage.reasoningTokens },
    server_tool_use: null,
    service_tier: null,
    speed: null,
    inference_geo: null,
  };
  const { extension } = usage ?? {};
  if (extension?.dialect !== Dialect.MESSAGES) return json;
  const members = parseJsonObject(extension.json);
  // Counts that the upstream told otherwise than they are billed are told as it did.
  if (members?.["iterations"] !== undefined) for (const name of OWN_COUNTS) if (name in members) delete json[name];
  return mergeMembers(json, members);
}

/** Null where the upstream did not say for how long it keeps what it wrote: the parts must add up to the whole. */
function encodeCacheCreation(usage: Usage | undefined): JsonObject | null {
  const fiveMinutes = usage?.cacheWrite5mTokens ?? 0;
  const oneHour = usage?.cacheWrite1hTokens ?? 0;
  if (fiveMinutes + oneHour !== (usage?.cacheWriteTokens ?? 0)) return null;
  return { ephemeral_5m_input_tokens: fiveMinutes, ephemeral_1h_input_tokens: oneHour };
}

/**
 * Encodes the usage at the start of a stream. An upstream that counts only at the end has not told the prompt's tokens
 * yet: `estimate` stands for them until then, so that clients that read the first event alone do not see a prompt of
 * nothing.
 */
export function encodeStartUsage(usage: Usage | undefined, estimate: () => number): JsonObject {
  const json = encodeUsage(usage);
  const promptTokens = (usage?.inputTokens ?? 0) + (usage?.cacheReadTokens ?? 0) + (usage?.cacheWriteTokens ?? 0);
  if (promptTokens === 0) json["input_tokens"] = estimate();
  return json;
}

/**
 * Encodes the usage at the end of a stream: totals of the whole message. Of an upstream that never told them, the
 * prompt's are null, which leaves standing what the first event said.
 */
export function encodeDeltaUsage(usage: Usage | undefined): JsonObject {
  const json = encodeUsage(usage);
  for (const name of START_ONLY) delete json[name];
  if (usage === undefined) for (const name of PROMPT) json[name] = null;
  return json;
}
