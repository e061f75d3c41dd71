import { openInput } from "../history/open-input.ts";
import type { PlannedAttempt } from "../ports.ts";
import type { InferenceRun } from "../run/run.ts";

/**
 * Tells whether one call serves two inferences that ask the same but for their callers' formats: each place that may be
 * asked would be sent the same bytes for both, and its answer be read in the same way.
 */
export function areAskedAlike(leader: InferenceRun, other: InferenceRun): boolean {
  const [first, second] = [leader.plan.strategy.attempts[0], other.plan.strategy.attempts[0]];
  if (first?.model !== second?.model) return false;
  if (leader.input.dialect === other.input.dialect) return true;
  return leader.plan.strategy.attempts.every((planned) => {
    const [one, two] = [fingerprintOf(leader, planned), fingerprintOf(other, planned)];
    return one !== undefined && one === two;
  });
}

/** Undefined where it cannot be told, also because the place would refuse the request. */
function fingerprintOf(run: InferenceRun, { model, upstream, deployment }: PlannedAttempt): string | undefined {
  try {
    const { input, own } = openInput(run.prompt, { upstream, deployment });
    return upstream.fingerprint?.(input, {
      model,
      deployment,
      streamed: run.streamed,
      inferenceId: run.id,
      projectId: run.principal.projectId,
      ownReasoning: own,
    });
  } catch {
    return undefined;
  }
}
