import { createHubInput, type HubInit } from "../../src/hub/input.ts";
import type { PlanContext } from "../../src/inference/ports.ts";
import { createRequestFacts, type RequestFacts } from "../../src/routing/steps/plan-step.ts";
import { planContext } from "./plan-context.ts";
import { stubModel } from "./stub-upstream.ts";

interface Given {
  readonly init?: HubInit;
  readonly context?: Partial<PlanContext>;
  readonly found?: Partial<RequestFacts["found"]>;
  /** Names of the optimisations that the project has switched off. */
  readonly off?: readonly string[];
  readonly workload?: RequestFacts["workload"];
}

/** The facts of a request for a model without deployments, in a project where nothing is learned. */
export function requestFacts({ init, context, found, off = [], workload }: Given = {}): RequestFacts {
  const facts = createRequestFacts(
    {
      input: createHubInput({ model: "attune/m", ...init }),
      context: planContext(context),
      found: { model: stubModel, places: [], isDirected: false, ...found },
    },
    { optimizationsOff: () => new Set(off) },
  );
  return workload === undefined ? facts : { ...facts, workload };
}
