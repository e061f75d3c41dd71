import type { HubInput } from "../../hub/input.ts";
import type { Coalescing, CoalescingContext } from "../../inference/ports.ts";
import { asksForChoices, asksForSeveral } from "../candidates/asked-candidates.ts";
import type { RoutingSnapshot } from "../routing-snapshot.ts";
import { withoutDifferent } from "../without-different.ts";
import { coalescingKey, responseCacheKey } from "./coalescing-key.ts";
import type { Found } from "./find-model.ts";
import { optimizationsFor } from "./plan-step.ts";

/** Creates the function that returns what a request has in common with those that the same answer may serve. */
export function createCoalescingFinder(
  { optimizationsOff, isDifferent }: Pick<RoutingSnapshot, "optimizationsOff" | "isDifferent">,
  find: (input: HubInput, projectId: string) => Found,
): (input: HubInput, context: CoalescingContext) => Coalescing | undefined {
  return (input, context) => {
    // A caller who asks for several answers wants them made.
    if (asksForSeveral(input) || asksForChoices(input)) return undefined;
    const { model, places } = find(input, context.projectId);
    const { coalescing, responseCache } = optimizationsFor(input, model, () => optimizationsOff(context.projectId));
    const key = coalescing || responseCache !== undefined ? coalescingKey(input, context) : undefined;
    if (key === undefined) return undefined;
    const asked = withoutDifferent(model, places, isDifferent).map(({ deployment }) => deployment);
    const cached = responseCache && {
      key: responseCacheKey(key, input, asked),
      ttlMs: responseCache.ttlSeconds * 1000,
    };
    return { sharedKey: coalescing ? key : undefined, kept: cached };
  };
}
