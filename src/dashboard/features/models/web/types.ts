import type { Outputs } from "../../../web/api/trpc.ts";

/** Models of a workload beside each other. */
export type Comparison = Outputs["models"]["compare"];

/** One of the models. */
export type ComparedModel = Comparison["models"][number];

/** A metric of all of them. */
export type ComparedMetric = Comparison["metrics"][number];
