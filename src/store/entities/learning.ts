import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { CONTROL_FIELDS, CONTROL_NAMES, type ControlName } from "../../vocabulary/control-fields.ts";
import type { MetricSettings } from "../../vocabulary/metric-overrides.ts";

/**
 * The learning events of rows that were written together. It is written in their transaction, and deleted in the one
 * that writes what was learned: each row counts once.
 */
export const LearningBatch = defineEntity({
  name: "LearningBatch",
  tableName: "learning_batch",
  properties: {
    /** In the order of writing, as far as the clocks of the processes agree. */
    id: p.uuid().primary(),
    /** Not to be learned before: feedback on an inference that is still on its way is put back. */
    dueAt: p.datetime(3),
    /** Number of the events. */
    size: p.integer(),
    /** JSON; see src/learning/events.ts. Text, because no query looks into it. */
    events: p.text(),
  },
});

/** One row, by which those who learn at the same time hear of each other. */
export const LearningMark = defineEntity({
  name: "LearningMark",
  tableName: "learning_mark",
  properties: {
    id: p.integer().primary().autoincrement(false),
    /** Grows with everything that is learned. */
    generation: p.integer(),
    /** Nothing is learned before that: the states are being rebuilt. */
    pausedUntil: p.datetime(3).nullable(),
  },
});

/** The learned state of a workload. */
export const LearnedState = defineEntity({
  name: "LearnedState",
  tableName: "workload_state",
  properties: {
    projectId: p.uuid().primary(),
    /** Base: the model that is asked for. */
    model: p.text().primary(),
    /** Grows with each change; before the snapshot, so that it is read without it. */
    version: p.integer(),
    updatedAt: p.datetime(3),
    /** Rewards that the policy learned from. */
    rewards: p.double().$type<number>(),
    /** JSON; see src/learning/learner/workload-model.ts. Null once it was reset. */
    snapshot: p.text().nullable(),
  },
});

/** Something that happened to a workload, for people. */
export const WorkloadEvent = defineEntity({
  name: "WorkloadEvent",
  tableName: "workload_event",
  indexes: [{ properties: ["projectId", "model", "id"] }],
  properties: {
    id: p.uuid().primary(),
    projectId: p.uuid(),
    model: p.text(),
    at: p.datetime(3),
    kind: p.text(),
    detail: p.json<Readonly<Record<string, unknown>>>(),
  },
});

/** A point of a workload's course: how it stood at the end of a step of time. */
export const WorkloadPoint = defineEntity({
  name: "WorkloadPoint",
  tableName: "workload_point",
  properties: {
    projectId: p.uuid().primary(),
    model: p.text().primary(),
    /** Length of the step: points of several lengths are kept, the shorter the less long. */
    stepMinutes: p.integer().primary().autoincrement(false),
    /** Steps since 1970, UTC. */
    slot: p.integer().primary().autoincrement(false),
    /** JSON; see src/learning/learner/figures.ts. */
    figures: p.text(),
  },
});

/** The column of a setting by its kind. */
const CONTROL_COLUMNS = {
  choice: () => p.text().nullable(),
  model: () => p.text().nullable(),
  text: () => p.text().nullable(),
  number: () => p.double().$type<number>().nullable(),
  models: () => p.json<readonly string[]>().nullable(),
  metrics: () => p.json<readonly MetricSettings[]>().nullable(),
};

const controlColumns = Object.fromEntries(
  CONTROL_NAMES.map((name) => [name, CONTROL_COLUMNS[CONTROL_FIELDS[name].kind]()]),
) as { [Name in ControlName]: ReturnType<(typeof CONTROL_COLUMNS)[(typeof CONTROL_FIELDS)[Name]["kind"]]> };

/** The controls of a workload; null inherits from the project, and there from the configuration. */
export const WorkloadControl = defineEntity({
  name: "WorkloadControl",
  tableName: "workload_control",
  properties: {
    projectId: p.uuid().primary(),
    /** Base; empty for the default of the project. */
    model: p.text().primary(),
    ...controlColumns,
    updatedAt: p.datetime(3),
  },
});

/** A row of `workload_event`. */
export type WorkloadEventRow = InferEntity<typeof WorkloadEvent>;
