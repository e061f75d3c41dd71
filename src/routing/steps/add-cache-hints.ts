import { type ContentBlock, Role, type Tool } from "../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { CatalogModel } from "../../catalog/model.ts";
import type { PricePicos } from "../../catalog/prices.ts";
import { offersTools } from "../../hub/brought-tools.ts";
import type { HubInput } from "../../hub/input.ts";
import { estimateInputTokens } from "../../hub/tokens/estimate-tokens.ts";
import type { CachedParts } from "../../hub/upstream.ts";
import { hashTexts } from "../../lib/hash.ts";
import type { PrefixArrival, PrefixReuse } from "../health/prefix-reuse.ts";
import type { PlanDraft, PlanStep, RequestFacts } from "./plan-step.ts";
import { createCacheKey, readInstructions, readOpening, readText, readTexts } from "./prefix-key.ts";

/**
 * Creates the step that tells upstreams what to keep of the prompt. It takes note of the prompt, so it runs once an
 * answer.
 */
export function createCacheHintsStep(reuse: Pick<PrefixReuse, "arrived">): PlanStep {
  return (draft, facts) => {
    if (!facts.context.isAnswered) return draft;
    const cachedParts = cachedPartsFor(draft, facts, reuse);
    const cacheKey = cacheKeyFor(draft, facts);
    const prefixKey = prefixKeyFor(draft, facts);
    return {
      ...draft,
      ...(cachedParts && { cachedParts }),
      ...(cacheKey !== undefined && { cacheKey }),
      ...(prefixKey !== undefined && { prefixKey }),
    };
  };
}

function cachedPartsFor(
  { planned }: PlanDraft,
  { input, context, found, optimizationsFor }: RequestFacts,
  reuse: Pick<PrefixReuse, "arrived">,
): PlanDraft["cachedParts"] {
  const taking = planned?.strategy.attempts.find(({ upstream }) => upstream.takesCacheMarks === true);
  if (taking === undefined || !optimizationsFor(found.model).cacheMarks) return undefined;
  const { projectId } = context.principal;
  return findCachedParts(input, { model: taking.model, projectId, arrived: (arrival) => reuse.arrived(arrival) });
}

function cacheKeyFor(
  { planned }: PlanDraft,
  { input, context, found, optimizationsFor, prefixKey }: RequestFacts,
): PlanDraft["cacheKey"] {
  const taking = planned?.strategy.attempts.find(({ upstream }) => upstream.takesCacheKeys === true);
  if (taking === undefined || !optimizationsFor(found.model).cacheKeys) return undefined;
  const key = isNamed(input) ? undefined : prefixKey(taking.model);
  return key === undefined ? undefined : createCacheKey(key, context.principal.projectId);
}

/** Upstreams with several keys have prompts that begin alike go by one of them, whose account may cache them. */
function prefixKeyFor({ planned }: PlanDraft, { prefixKey }: RequestFacts): number | undefined {
  const taking = planned?.strategy.attempts.find(({ upstream }) => upstream.keys !== undefined);
  return taking && prefixKey(taking.model);
}

/** Returns whether the caller names the prompt for a cache: by a key, or by the end user, which was the key before. */
function isNamed({ promptCacheKey, extension }: HubInput): boolean {
  return promptCacheKey !== undefined || extension?.json.includes('"user"') === true;
}

/**
 * The rate of reuse from which a cache pays at the usual prices, a quarter more for what is written and a tenth for
 * what is read: 0.25 / (1.25 - 0.1). Prices that ask for more reuse count, those that ask for less do not: few
 * configurations have them all.
 */
const LEAST_RATE = 0.25 / 1.15;

/** The reuse expected of agents and of ongoing conversations, before anything is known. */
const LIKELY = 0.5;

/** The facts that the cached parts depend on, beside the prompt. */
interface CachedPartsFacts {
  readonly model: CatalogModel;
  readonly projectId: string;
  /** Takes note that a prefix came, and returns the part of such prefixes that comes again in time. */
  readonly arrived: (arrival: PrefixArrival) => number;
}

/**
 * Chooses the parts of a prompt that should be marked for the upstream's cache, since they are likely to come again in
 * time: system and tools, which agents send with every call, and the conversation, which those send again that go on
 * with it. Undefined if it is none of them, if the caller has a say in it, or if the prompt is too short for a cache.
 */
export function findCachedParts(input: InferenceInput, facts: CachedPartsFacts): CachedParts | undefined {
  const { model, projectId, arrived } = facts;
  const { minCacheableTokens, price } = model;
  if (minCacheableTokens === 0 || estimateInputTokens(input) < minCacheableTokens) return undefined;
  if (isMarked(input)) return undefined;
  const { first } = readOpening(input);
  const instructions = readInstructions(input).map(readText);
  const shared = [...instructions.flatMap(ends), ...input.tools.map(outline)];
  const key = hashTexts([projectId, model.name, ...shared]);
  const isAgent = offersTools(input);
  const isOngoing = isAgent || input.messages.some(({ role }) => role === Role.ASSISTANT);
  const least = leastRate(price);
  const group = (part: string, isLikely: boolean): string => JSON.stringify([projectId, model.name, part, isLikely]);
  const prior = (isLikely: boolean): number => (isLikely ? LIKELY : 0);
  const prefix = arrived({ key, group: group("prefix", isAgent), prior: prior(isAgent) }) > least;
  const opening = readTexts(first).flatMap(ends);
  const conversation =
    arrived({
      key: hashTexts([`${key}`, ...opening]),
      group: group("conversation", isOngoing),
      prior: prior(isOngoing),
    }) > least;
  return prefix || conversation ? { prefix, conversation } : undefined;
}

/** Characters at each end of a text that are compared: what changes from call to call, as the date, stands there. */
const END = 1024;

function ends(text: string): string[] {
  return text.length <= 2 * END ? [text] : [text.slice(0, END), text.slice(-END), `${text.length}`];
}

/** Definitions change seldom, and hardly ever to others of the same length. */
function outline({ kind }: Tool): string {
  switch (kind.case) {
    case "function":
      return `${kind.value.name} ${kind.value.description?.length} ${kind.value.parametersJson?.length}`;
    case "custom":
      return `${kind.value.name} ${kind.value.description?.length} ${kind.value.formatJson?.length}`;
    default:
      return `${kind.value?.json.length}`;
  }
}

/** The part of prefixes that must come again for a cache to cost no more than it saves. */
function leastRate(price: PricePicos | undefined): number {
  if (price === undefined) return LEAST_RATE;
  const { input, cacheRead, cacheWrite5m } = price;
  if (cacheWrite5m <= input) return LEAST_RATE;
  return Math.max(LEAST_RATE, (cacheWrite5m - input) / (cacheWrite5m - cacheRead));
}

/** Returns whether the caller says what is to be cached: by marks, or for the request as a whole. */
function isMarked({ automaticCacheMark, tools, system, messages, extension }: InferenceInput): boolean {
  if (automaticCacheMark !== undefined || extension?.json.includes('"prompt_cache_options"') === true) return true;
  if (tools.some(({ cacheMark }) => cacheMark !== undefined) || system.some(isMarkedBlock)) return true;
  return messages.some(({ content }) => content.some(isMarkedBlock));
}

function isMarkedBlock({ cacheMark, kind }: ContentBlock): boolean {
  if (cacheMark !== undefined) return true;
  return kind.case === "toolResult" && kind.value.content.some((inner) => inner.cacheMark !== undefined);
}
