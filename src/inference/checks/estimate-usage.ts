import { create } from "@bufbuild/protobuf";
import { type ContentBlock, type Usage, UsageSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { estimateInputTokens, estimateOutputTokens } from "../../hub/tokens/estimate-tokens.ts";

/**
 * Estimates the tokens of an answer that was broken off, from what was asked and said so far and what the upstream has
 * told of it.
 */
export function estimateUsage(told: Usage | undefined, asked: InferenceInput, said: readonly ContentBlock[]): Usage {
  const known = told ?? create(UsageSchema, { inputTokens: estimateInputTokens(asked) });
  return create(UsageSchema, { ...known, outputTokens: Math.max(known.outputTokens, estimateOutputTokens(said)) });
}
