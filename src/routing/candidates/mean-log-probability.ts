import type { GenerateResponse } from "../../../gen/attune/inference/v1/inference_pb.ts";

/** The floor of a log probability: some upstreams send -9999, which would outweigh all else. */
const LEAST = -20;

/**
 * Returns the mean logarithm of the probabilities of an answer's tokens, -20 to 0; undefined where it came without
 * them, which it does unless the request asked for them and its upstream gives them.
 */
export function meanLogProbability({ content }: GenerateResponse): number | undefined {
  let [sum, count] = [0, 0];
  for (const { logprobs } of content) {
    for (const { logprob } of logprobs?.tokens ?? []) {
      if (Number.isNaN(logprob)) return undefined;
      sum += Math.max(LEAST, Math.min(logprob, 0));
      count += 1;
    }
  }
  return count === 0 ? undefined : sum / count;
}
