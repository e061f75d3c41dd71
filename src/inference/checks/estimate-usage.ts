import { create } from "@bufbuild/protobuf";
import { type ContentBlock, type Usage, UsageSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { estimateParts } from "../../hub/tokens/estimate-parts.ts";
import { partsOfBlock, partsOfPrompt } from "../../hub/tokens/prompt-parts.ts";

/** A request, and the answer to it as far as it came. */
export interface Exchange {
  readonly asked: InferenceInput;
  readonly said: readonly ContentBlock[];
  /** The output that a model may have made and nobody saw; none if absent. */
  readonly unseen?: UnseenOutput | undefined;
}

/** The time in which a model may have reasoned, or written an answer that was to come whole. */
export interface UnseenOutput {
  /** From when the request went out to the first text of its answer, or to the end. */
  readonly ms: number;
  /** The most tokens that the answer may have. */
  readonly mostTokens: number;
}

/** Output tokens a millisecond that a model is taken to make unseen: most make fewer. */
const UNSEEN_TOKENS_PER_MS = 0.1;
/** The time before a model makes its first token. */
const FIRST_TOKEN_MS = 200;

/**
 * Estimates the tokens of an answer that was broken off, from what was asked and said so far and what the upstream has
 * told of it.
 */
export function estimateUsage(told: Usage | undefined, { asked, said, unseen }: Exchange): Usage {
  const known = told ?? create(UsageSchema);
  const inputTokens = promptOf(known) > 0 ? known.inputTokens : estimateInput(asked);
  const outputTokens = Math.max(
    known.outputTokens,
    estimateOutput(said, asked.embedding === undefined ? unseen : undefined),
  );
  return create(UsageSchema, { ...known, inputTokens, outputTokens, estimated: true });
}

/**
 * Returns the tokens of a complete answer: as the upstream told them, or an estimate where it told none, or zeros
 * beside what can be read.
 */
export function completeUsage(told: Usage | undefined, exchange: () => Exchange): Usage {
  if (told !== undefined && promptOf(told) > 0 && told.outputTokens > 0) return told;
  const { asked, said } = exchange();
  const isComplete = told !== undefined && promptOf(told) > 0 && estimateOutput(said) === 0;
  return isComplete ? told : estimateUsage(told, { asked, said });
}

/**
 * Returns the tokens of an answer that its upstream broke off: as it told them with the failure if that is no less than
 * what can be read, or an estimate.
 */
export function brokenUsage(told: Usage, { asked, said }: Exchange): Usage {
  const isTold = promptOf(told) > 0 && told.outputTokens >= estimateOutput(said);
  return isTold ? told : estimateUsage(told, { asked, said });
}

function promptOf({ inputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number {
  return inputTokens + cacheReadTokens + cacheWriteTokens;
}

function estimateInput(asked: InferenceInput): number {
  return Math.max(1, estimateParts(partsOfPrompt(asked)));
}

function estimateOutput(said: readonly ContentBlock[], unseen?: UnseenOutput): number {
  const seen = said.reduce((total, block) => total + estimateParts(partsOfBlock(block)), 0);
  if (unseen === undefined) return seen;
  const made = Math.ceil(Math.max(0, unseen.ms - FIRST_TOKEN_MS) * UNSEEN_TOKENS_PER_MS);
  return Math.max(seen, Math.min(unseen.mostTokens, seen + made));
}
