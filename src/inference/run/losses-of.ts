import type { Upstream, UpstreamTarget } from "../../hub/upstream.ts";
import { RefusedAttempt, refusing } from "../attempts/run-strategy.ts";
import type { Prompt } from "../history/history.ts";
import { prepareAtPlaces } from "../history/history-places.ts";
import type { OpenedInput } from "../history/open-input.ts";

/**
 * Translates a prompt for a place without sending it, and returns what it would lose there; undefined if it would be
 * refused.
 */
export function lossesOf(upstream: Upstream, prompt: Prompt, target: UpstreamTarget): readonly string[] | undefined {
  try {
    return refusing(() => {
      const place = { upstream, deployment: target.deployment };
      const prepare = ({ input, own }: OpenedInput) => upstream.prepare(input, { ...target, ownReasoning: own });
      return prepareAtPlaces(prompt, place, prepare).losses;
    });
  } catch (thrown) {
    if (thrown instanceof RefusedAttempt) return undefined;
    throw thrown;
  }
}
