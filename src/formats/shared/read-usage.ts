/** The counts of the OpenAI formats, as a server tells them; anything but a count counts as none. */
interface ReportedCounts {
  readonly prompt: unknown;
  readonly output: unknown;
  readonly total: unknown;
  readonly reasoning: unknown;
  /** The names under which servers tell what a cache held, and what was written to one: the largest counts. */
  readonly cacheRead: readonly unknown[];
  readonly cacheWrite: readonly unknown[];
}

/**
 * Reads the counts of the OpenAI formats, in which the prompt holds what a cache held and the output the reasoning.
 * Servers count either beside them, and `total_tokens` tells: xAI counts 20 + 5 and 100 of reasoning as 125
 * (docs.cloud.google.com/.../partner-models/grok: "separated from the completion_tokens"), as Google's endpoint does
 * without telling the reasoning.
 */
export function readUsage({ prompt, output, total, reasoning, cacheRead, cacheWrite }: ReportedCounts) {
  const outputCount = toTokens(output);
  const thought = toTokens(reasoning);
  const totalCount = toTokens(total);
  // No prompt is empty: where it is not told, it is what the total has beside the answer.
  const beyond = totalCount - outputCount - (thought > outputCount ? thought : 0);
  const promptTokens = toTokens(prompt) || Math.max(0, beyond);
  const read = findLargest(cacheRead);
  const written = findLargest(cacheWrite);
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

function findLargest(counts: readonly unknown[]): number {
  let largest = 0;
  for (const count of counts) if (count !== undefined) largest = Math.max(largest, toTokens(count));
  return largest;
}

const DIGITS = /^\d{1,10}$/;

/** A count of tokens, which some servers write as text; anything else that stands in its place counts as none. */
export function toTokens(value: unknown): number {
  if (typeof value === "string") return DIGITS.test(value) ? toTokens(Number(value)) : 0;
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? Math.min(value, 2147483647) : 0;
}
