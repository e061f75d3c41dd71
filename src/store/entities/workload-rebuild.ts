import { defineEntity, type InferEntity, p } from "@mikro-orm/core";

/** The latest rebuild of a project's learned state: the one that waits or runs, or else the last one that ended. */
export const WorkloadRebuild = defineEntity({
  name: "WorkloadRebuild",
  tableName: "workload_rebuild",
  indexes: [{ properties: ["state"] }],
  properties: {
    projectId: p.uuid().primary(),
    /** The person or key that asked for it, and the way. */
    actorKind: p.text(),
    actorId: p.text(),
    actorLabel: p.text(),
    via: p.text(),
    requestedAt: p.datetime(3),
    /** waiting, running, done, failed or canceled. */
    state: p.text().$type<"waiting" | "running" | "done" | "failed" | "canceled">(),
    startedAt: p.datetime(3).nullable(),
    endedAt: p.datetime(3).nullable(),
    /** Workloads of which something was learned; 0 until it is done. */
    workloads: p.integer(),
    /** Inferences and feedback entries that were read so far. */
    events: p.bigint("number"),
    /** Why it failed; empty otherwise. */
    problem: p.text(),
  },
});

/** A row of `workload_rebuild`. */
export type WorkloadRebuildRow = InferEntity<typeof WorkloadRebuild>;
