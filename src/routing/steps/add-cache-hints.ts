import type { HubInput } from "../../hub/input.ts";
import type { ReuseWatch } from "../health/prefix-reuse.ts";
import { cachedPartsOf } from "./cached-parts.ts";
import type { PlanDraft, PlanStep, RequestFacts } from "./plan-step.ts";
import { cacheKeyOf } from "./prefix-key.ts";

/**
 * Creates the step that tells upstreams what to keep of the prompt. It takes note of the prompt, so it runs once an
 * answer.
 */
export function createCacheHintsStep(reuse: Pick<ReuseWatch, "arrived">): PlanStep {
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
  reuse: Pick<ReuseWatch, "arrived">,
): PlanDraft["cachedParts"] {
  const taking = planned?.strategy.attempts.find(({ upstream }) => upstream.takesCacheMarks === true);
  if (taking === undefined || !optimizationsFor(found.model).cacheMarks) return undefined;
  const { projectId } = context.principal;
  return cachedPartsOf(input, { model: taking.model, projectId, arrived: (arrival) => reuse.arrived(arrival) });
}

function cacheKeyFor(
  { planned }: PlanDraft,
  { input, context, found, optimizationsFor, prefixKey }: RequestFacts,
): PlanDraft["cacheKey"] {
  const taking = planned?.strategy.attempts.find(({ upstream }) => upstream.takesCacheKeys === true);
  if (taking === undefined || !optimizationsFor(found.model).cacheKeys) return undefined;
  const key = isNamed(input) ? undefined : prefixKey(taking.model);
  return key === undefined ? undefined : cacheKeyOf(key, context.principal.projectId);
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
