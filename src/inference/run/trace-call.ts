import type { TracedCall } from "../../hub/request-trace.ts";
import type { EndedCall } from "./ask-in-background.ts";
import type { InferenceRun } from "./inference-run.ts";

/**
 * Returns what takes note of the calls after an inference in its trace; undefined where it is not sampled. It holds
 * nothing of the inference but ids: such calls are made later.
 */
export function traceCalls(
  { id: inferenceId, summary }: Pick<InferenceRun, "id" | "summary">,
  purpose: TracedCall["purpose"],
): ((ended: EndedCall) => void) | undefined {
  const trace = summary?.trace;
  if (trace?.isSampled !== true) return undefined;
  return ({ planned, streamed, startedAt, latencyMs, end }) => {
    const outcome =
      "answer" in end
        ? { usage: end.answer.usage, costNanos: end.answer.costNanos }
        : { error: end.error, usage: end.error.facts.usage };
    const place = { upstream: planned.upstream.name, upstreamModel: planned.deployment.model };
    trace.addCall({ purpose, inferenceId, ...place, streamed, startedAt, latencyMs, ...outcome });
  };
}
