import { toSnakeCase } from "../../lib/letter-case.ts";
import { isJsonObject, type JsonObject } from "./json.ts";

/** The counts of the OpenAI formats, as a server tells them; anything but a count counts as none. */
interface ReportedCounts {
  readonly prompt: unknown;
  readonly output: unknown;
  readonly reasoning: unknown;
  /** The usage as it came, and its details of the prompt: both have counts of caches. */
  readonly usage: JsonObject;
  readonly details: JsonObject;
}

/**
 * Names of what a cache held, and of what was written to one, of which the largest count holds. Beside OpenAI's:
 * Moonshot (`cached_tokens` at the top), Mistral (`num_cached_tokens`), DeepSeek (`prompt_cache_hit_tokens`), the AI SDK
 * (`cachedInputTokens`), Converse (`cacheWriteInputTokens`), and Anthropic's words at gateways.
 */
const CACHE_READ = ["cached_tokens", "cache_read_input_tokens", "cache_read_tokens"] as const;
const CACHE_READ_AT_TOP = [
  ...CACHE_READ,
  "num_cached_tokens",
  "prompt_cache_hit_tokens",
  "cached_input_tokens",
] as const;
const CACHE_WRITE = [
  "cache_write_tokens",
  "cache_write_input_tokens",
  "cache_creation_tokens",
  "cache_creation_input_tokens",
] as const;

/**
 * Reads the counts of the OpenAI formats, in which the prompt holds what a cache held and the output the reasoning.
 * Servers count either beside them, and `total_tokens` tells: xAI counts 20 + 5 and 100 of reasoning as 125
 * (docs.cloud.google.com/.../partner-models/grok: "separated from the completion_tokens"), as Google's endpoint does
 * without telling the reasoning.
 */
export function readUsage({ prompt, output, reasoning, usage, details }: ReportedCounts) {
  const outputCount = toTokens(output);
  const thought = toTokens(reasoning);
  const totalCount = toTokens(usage["total_tokens"]);
  // No prompt is empty: where it is not told, it is what the total has beside the answer.
  const beyond = totalCount - outputCount - (thought > outputCount ? thought : 0);
  const promptTokens = toTokens(prompt) || Math.max(0, beyond);
  const read = Math.max(findLargest(details, CACHE_READ), findLargest(usage, CACHE_READ_AT_TOP));
  const written = Math.max(findLargest(details, CACHE_WRITE), findLargest(usage, CACHE_WRITE));
  const hasTotal = totalCount > 0;
  const beside = hasTotal ? Math.max(0, totalCount - promptTokens - outputCount) : thought > outputCount ? thought : 0;
  const isCacheBeside = hasTotal && beside > 0 && beside !== thought && beside === read + written;
  const outputTokens = toTokens(isCacheBeside ? outputCount : outputCount + beside);
  const cacheReadTokens = isCacheBeside ? read : Math.min(read, promptTokens);
  const cacheWriteTokens = isCacheBeside ? written : Math.min(written, promptTokens - cacheReadTokens);
  return {
    inputTokens: isCacheBeside ? promptTokens : promptTokens - cacheReadTokens - cacheWriteTokens,
    cacheReadTokens,
    cacheWriteTokens,
    outputTokens,
    reasoningTokens: typeof reasoning === "number" ? Math.min(thought, outputTokens) : undefined,
  };
}

function findLargest(counts: JsonObject, names: readonly string[]): number {
  let largest = 0;
  for (const name of names) if (counts[name] !== undefined) largest = Math.max(largest, toTokens(counts[name]));
  return largest;
}

/** Returns usage in the names of its format where a server has those of a program: `promptTokens`, `inputTokens`. */
export function withFormatNames(usage: JsonObject): JsonObject {
  const isOther = COUNTS.some((name) => usage[name] !== undefined);
  return isOther && usage["prompt_tokens"] === undefined && usage["input_tokens"] === undefined ? rename(usage) : usage;
}

const COUNTS = ["promptTokens", "inputTokens", "completionTokens", "outputTokens"] as const;

function rename(counts: JsonObject): JsonObject {
  const renamed: JsonObject = {};
  for (const [name, value] of Object.entries(counts)) {
    const known = toSnakeCase(name);
    renamed[known] = isJsonObject(value) ? rename(value) : value;
  }
  return renamed;
}

const DIGITS = /^\d{1,10}$/;

/** A count of tokens, which some servers write as text; anything else that stands in its place counts as none. */
export function toTokens(value: unknown): number {
  if (typeof value === "string") return DIGITS.test(value) ? toTokens(Number(value)) : 0;
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? Math.min(value, 2147483647) : 0;
}
