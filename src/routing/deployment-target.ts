import type { Deployment } from "../catalog/model.ts";
import type { Upstream } from "../hub/upstream.ts";

/** One place that serves a model. */
export interface Place {
  readonly upstream: Upstream;
  readonly deployment: Deployment;
  /** What it costs, as a multiple of the model's cheapest place: 1 or more. */
  readonly relativePrice: number;
}
