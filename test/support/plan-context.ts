import type { PlanContext } from "../../src/inference/ports.ts";

/**
 * The context of an answer's plan: nothing is under way in the conversation, and every place takes the request whole.
 */
export function planContext(given: Partial<PlanContext> = {}): PlanContext {
  return {
    inferenceId: "i",
    principal: { keyId: "k", projectId: "p" },
    workload: "",
    streamed: false,
    isAnswered: true,
    session: () => undefined,
    origin: () => undefined,
    awaiting: () => undefined,
    lossesAt: () => [],
    ...given,
  };
}
