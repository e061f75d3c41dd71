import { isJsonObject, type JsonObject } from "../../shared/json.ts";

/** The members of Messages for what was written to a cache, by the lifetimes of Converse. */
const WRITTEN: ReadonlyMap<unknown, string> = new Map([
  ["5m", "ephemeral_5m_input_tokens"],
  ["1h", "ephemeral_1h_input_tokens"],
]);

/** Returns the tokens of an answer in the members of Messages; those that it has not stay as they are. */
export function decodeUsage(usage: unknown): JsonObject {
  if (!isJsonObject(usage)) return {};
  const { inputTokens, outputTokens, totalTokens: _sum, cacheReadInputTokens, cacheWriteInputTokens, ...rest } = usage;
  const { cacheDetails, ...others } = rest;
  const details = Array.isArray(cacheDetails) ? cacheDetails.filter(isJsonObject) : [];
  const known = details.filter(({ ttl }) => WRITTEN.has(ttl));
  const unknown = details.filter((detail) => !WRITTEN.has(detail["ttl"]) || Object.keys(detail).length > 2);
  return {
    ...others,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    cache_read_input_tokens: cacheReadInputTokens,
    cache_creation_input_tokens: cacheWriteInputTokens,
    ...(known.length > 0 && {
      cache_creation: Object.fromEntries(known.map(({ ttl, inputTokens: tokens }) => [WRITTEN.get(ttl), tokens])),
    }),
    ...(unknown.length > 0 && { cacheDetails: unknown }),
  };
}
