import { createHash } from "node:crypto";
import { InferenceInputSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { Deployment } from "../../catalog/model.ts";
import type { HubInput } from "../../hub/input.ts";
import { actsAtProvider, isDeterministic, isStored } from "../../hub/request-traits.ts";
import type { Coalescing, CoalescingContext } from "../../inference/ports.ts";
import { asksForChoices, asksForSeveral } from "../candidates/requested-candidates.ts";
import type { RoutingSnapshot } from "../routing-snapshot.ts";
import { createDigest, memberNames } from "./digest.ts";
import type { Found } from "./find-model.ts";
import { optimizationsFor, withoutDifferent } from "./plan-step.ts";

/**
 * Characters of a request beyond which no twin is looked for: reading more would hold up other requests for too long.
 */
const MOST_CHARACTERS = 2 ** 22;

const NAMES = memberNames(InferenceInputSchema);

/**
 * Returns what requests of a project have in common that one answer may serve at the same time (a stream and a whole
 * answer are asked for in different words, and differ in what their events and members hold); undefined for a request
 * of another kind: one that leaves its answer to chance (neither `temperature: 0` nor a seed), whose answer is kept,
 * that continues a stored one, or that has the provider do something. It is a SHA-256 over all that the hub's request
 * says, in the caller's own order, but for the format that it came in: what follows from that, the places that would be
 * asked are compared by.
 */
export function coalescingKey(input: HubInput, { projectId, streamed }: CoalescingContext): string | undefined {
  if (isStored(input) || input.previousId !== undefined || input.conversationId !== undefined) return undefined;
  if (!isDeterministic(input) || actsAtProvider(input)) return undefined;
  const labels = Object.entries(input.metadata).sort(([a], [b]) => (a < b ? -1 : 1));
  // Only the message's own members count: not those that say how it came in.
  const members = { ...input, store: undefined, metadata: undefined, maxCostNanos: undefined };
  return createDigest([projectId, streamed, labels, members], { names: NAMES, most: MOST_CHARACTERS });
}

/**
 * Returns what identical requests have in common that come at any time, each after the other has ended: also the
 * caller's format, in whose form answers are read and kept, and the places that may be asked, so that it is not
 * answered for by those that served it before.
 */
function responseCacheKey(key: string, { dialect }: HubInput, deployments: readonly Deployment[]): string {
  const places = deployments.map(({ upstream, model }) => [upstream, model]);
  return createHash("sha256")
    .update(JSON.stringify([key, dialect, places]))
    .digest("base64");
}

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
    const deployments = withoutDifferent(model, places, isDifferent).map(({ deployment }) => deployment);
    const cached = responseCache && {
      key: responseCacheKey(key, input, deployments),
      ttlMs: responseCache.ttlSeconds * 1000,
    };
    return { sharedKey: coalescing ? key : undefined, kept: cached };
  };
}
