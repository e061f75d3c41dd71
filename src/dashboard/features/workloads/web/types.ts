import type { Inputs, Outputs } from "../../../web/api/trpc.ts";

/** The workload names of calls in a window. */
export type Workloads = Outputs["workloads"]["list"];

/** One of the names. */
export type Workload = Workloads["workloads"][number];

/** The list of workloads with what was learned. */
export type LearnedList = Outputs["learning"]["list"];

/** One of them. */
export type LearnedRow = LearnedList["workloads"][number];

/** One workload, with all that is known of it. */
export type WorkloadDetails = Outputs["learning"]["read"];

/** The figures of a workload's models. */
export type Figures = NonNullable<NonNullable<WorkloadDetails["learned"]>["figures"]>;

/** Something that happened to a workload. */
export type WorkloadEvent = Outputs["learning"]["history"][number];

/** The changes that a person may make to a workload. */
export type ControlChanges = Omit<Inputs["learning"]["setControls"], "projectId" | "model">;
