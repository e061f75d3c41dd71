import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import type { ImprovementEnd } from "../../vocabulary/improvement.ts";

/** The latest improvement of a workload: the one that waits or runs, or else the last one that ended. */
export const WorkloadImprovement = defineEntity({
  name: "WorkloadImprovement",
  tableName: "workload_improvement",
  indexes: [{ properties: ["state"] }],
  properties: {
    projectId: p.uuid().primary(),
    /** Base: the model that was asked for. */
    model: p.text().primary(),
    /** Its trials name it. */
    id: p.uuid(),
    /** The person or key that asked for it, and the way. */
    actorKind: p.text(),
    actorId: p.text(),
    actorLabel: p.text(),
    via: p.text(),
    requestedAt: p.datetime(3),
    /** JSON: names of the models that may be asked; an empty list for all that may answer in base's place. */
    models: p.text(),
    /** The most that it may spend, and the most recorded requests that others are asked for. */
    mostNanos: p.bigint("number"),
    mostCalls: p.integer(),
    /** waiting, running, done or canceled. */
    state: p.text().$type<"waiting" | "running" | "done" | "canceled">(),
    /** The process that runs it, and when it last said so; null where none does. */
    holder: p.uuid().nullable(),
    beatAt: p.datetime(3).nullable(),
    startedAt: p.datetime(3).nullable(),
    endedAt: p.datetime(3).nullable(),
    /** Why it ended by itself; null otherwise. */
    ending: p.text().$type<ImprovementEnd>().nullable(),
    /**
     * Counted when it ended: answers of other models, answers of base that the judge was measured by, and their cost.
     */
    calls: p.integer(),
    checks: p.integer(),
    spentNanos: p.bigint("number"),
  },
});

/** A row of `workload_improvement`. */
export type WorkloadImprovementRow = InferEntity<typeof WorkloadImprovement>;
