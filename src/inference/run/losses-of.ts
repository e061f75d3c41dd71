import type { Upstream, UpstreamTarget } from "../../hub/upstream.ts";
import { RefusedAttempt, refusing } from "../attempts/run-strategy.ts";
import type { Prompt } from "../history/history.ts";
import { openInput } from "../history/open-input.ts";

/**
 * Translates a prompt for a place without sending it, and returns what it would lose there; undefined if it would be
 * refused.
 */
export function lossesOf(upstream: Upstream, prompt: Prompt, target: UpstreamTarget): readonly string[] | undefined {
  try {
    return refusing(() => {
      const { input, own } = openInput(prompt, { upstream, deployment: target.deployment });
      return upstream.prepare(input, { ...target, ownReasoning: own }).losses;
    });
  } catch (thrown) {
    if (thrown instanceof RefusedAttempt) return undefined;
    throw thrown;
  }
}
