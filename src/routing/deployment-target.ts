import type { Deployment } from "../catalog/model.ts";
import type { Upstream } from "../hub/upstream.ts";

/** One place that serves a model. */
export interface DeploymentTarget {
  readonly upstream: Upstream;
  readonly deployment: Deployment;
  /** The price, as a multiple of the model's cheapest deployment: 1 or more. */
  readonly relativePrice: number;
}
