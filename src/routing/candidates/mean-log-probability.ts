import type { ContentBlock } from "../../../gen/attune/content/v1/content_pb.ts";
import type { GenerateResponse } from "../../../gen/attune/inference/v1/inference_pb.ts";

/** Longer ones are not read: twenty alternatives to each token make them a thousand times as long as their text. */
const MOST_CHARACTERS = 2 ** 22;
/** The floor of a log probability: some upstreams send -9999, which would outweigh all else. */
const LEAST = -20;

/**
 * Returns the mean logarithm of the probabilities of an answer's tokens, -20 to 0; undefined where it came without
 * them, which it does unless the request asked for them and its upstream gives them.
 */
export function meanLogProbability({ content }: GenerateResponse): number | undefined {
  let [sum, count] = [0, 0];
  for (const block of content) {
    for (const token of tokensOf(block)) {
      if (typeof token?.logprob !== "number" || Number.isNaN(token.logprob)) return undefined;
      sum += Math.max(LEAST, Math.min(token.logprob, 0));
      count += 1;
    }
  }
  return count === 0 ? undefined : sum / count;
}

type Token = { readonly logprob?: unknown } | null | undefined;

/** Both formats that have them give a block's tokens in a member of its own dialect, by the same names. */
function tokensOf({ extension }: ContentBlock): readonly Token[] {
  if (extension === undefined || extension.json.length > MOST_CHARACTERS) return [];
  if (!extension.json.includes('"logprobs"')) return [];
  try {
    const { logprobs }: { readonly logprobs?: unknown } = JSON.parse(extension.json) ?? {};
    return Array.isArray(logprobs) ? logprobs : [];
  } catch {
    return [];
  }
}
