import { create } from "@bufbuild/protobuf";
import {
  BillingFactsSchema,
  type ContentBlock,
  type Usage,
  UsageSchema,
} from "../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { isStandardTerm } from "../../hub/standard-terms.ts";
import { estimateParts } from "../../hub/tokens/estimate-parts.ts";
import { partsOfBlock, partsOfPrompt } from "../../hub/tokens/prompt-parts.ts";
import { isObject } from "../../lib/is-object.ts";

/** A request, and the answer to it as far as it came. */
export interface Exchange {
  readonly input: InferenceInput;
  readonly content: readonly ContentBlock[];
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

/** Most characters of a tier, speed or region that is kept of a request. */
const MOST_CHARACTERS = 64;

/** Output tokens a millisecond that a model is taken to make unseen: most make fewer. */
const UNSEEN_TOKENS_PER_MS = 0.1;
/** A connection that was idle and is dead shows it by then. One that dies later may die with its server at work. */
const IDLE_DEATH_MS = 200;
/** The time before a model makes its first token. */
const FIRST_TOKEN_MS = 200;

/**
 * Estimates the tokens of an answer that was broken off, from what was asked and said so far and what the upstream has
 * told of it.
 */
export function estimateUsage(reported: Usage | undefined, { input, content, unseen }: Exchange): Usage {
  const known = reported ?? create(UsageSchema, { billing: requestedBilling(input) });
  const inputTokens = getPrompt(known) > 0 ? known.inputTokens : estimateInput(input);
  const outputTokens = Math.max(
    known.outputTokens,
    estimateOutput(content, input.embedding === undefined ? unseen : undefined),
  );
  return create(UsageSchema, { ...known, inputTokens, outputTokens, estimated: true });
}

/**
 * Estimates the tokens of a request that was sent again, since its connection died after so long; undefined where the
 * connection was dead before, so that no upstream was at work on it.
 */
export function estimateLost(lostMs: number, { input, unseen }: Omit<Exchange, "content">): Usage | undefined {
  if (lostMs <= IDLE_DEATH_MS) return undefined;
  return estimateUsage(undefined, { input, content: [], unseen: unseen && { ...unseen, ms: lostMs } });
}

/** Returns the tier, speed and region that a request asks for: its provider serves them, unless it says otherwise. */
function requestedBilling({ extension }: InferenceInput): Usage["billing"] {
  const members: unknown = JSON.parse(extension?.json ?? "{}");
  if (!isObject(members)) return undefined;
  const wordOf = (name: string): string => {
    const word = members[name];
    const isKept = typeof word === "string" && word.length <= MOST_CHARACTERS && !isStandardTerm(word);
    return isKept ? word.toLowerCase() : "";
  };
  const words = { serviceTier: wordOf("service_tier"), speed: wordOf("speed"), region: wordOf("inference_geo") };
  return Object.values(words).some((word) => word !== "") ? create(BillingFactsSchema, words) : undefined;
}

/**
 * Returns the tokens of a complete answer: as the upstream told them, or an estimate where it told none, or zeros
 * beside what can be read.
 */
export function completeUsage(reported: Usage | undefined, exchange: () => Exchange): Usage {
  if (reported !== undefined && getPrompt(reported) > 0 && reported.outputTokens > 0) return reported;
  const { input, content } = exchange();
  const isComplete = reported !== undefined && getPrompt(reported) > 0 && estimateOutput(content) === 0;
  return isComplete ? reported : estimateUsage(reported, { input, content });
}

/**
 * Returns the tokens of an answer that its upstream broke off: as it told them with the failure if that is no less than
 * what can be read, or an estimate.
 */
export function brokenUsage(reported: Usage, { input, content }: Exchange): Usage {
  const isPlausible = getPrompt(reported) > 0 && reported.outputTokens >= estimateOutput(content);
  return isPlausible ? reported : estimateUsage(reported, { input, content });
}

function getPrompt({ inputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number {
  return inputTokens + cacheReadTokens + cacheWriteTokens;
}

function estimateInput(input: InferenceInput): number {
  return Math.max(1, estimateParts(partsOfPrompt(input)));
}

function estimateOutput(content: readonly ContentBlock[], unseen?: UnseenOutput): number {
  const seen = content.reduce((total, block) => total + estimateParts(partsOfBlock(block)), 0);
  if (unseen === undefined) return seen;
  const made = Math.ceil(Math.max(0, unseen.ms - FIRST_TOKEN_MS) * UNSEEN_TOKENS_PER_MS);
  return Math.max(seen, Math.min(unseen.mostTokens, seen + made));
}
