import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import type { RunOutcome, RunSide, RunState } from "../../learning/dataset-runs/ports.ts";
import { Dataset } from "./dataset.ts";

/** A run of a dataset against two models. Its calls count in no figure of the project. */
export const DatasetRun = defineEntity({
  name: "DatasetRun",
  tableName: "dataset_run",
  indexes: [{ properties: ["dataset", "id"] }],
  properties: {
    id: p.uuid().primary(),
    dataset: () => p.manyToOne(Dataset).fieldName("dataset_id").deleteRule("cascade"),
    projectId: p.uuid(),
    /** Names without the prefix. */
    firstModel: p.text(),
    secondModel: p.text(),
    /** Requests that are asked. */
    requests: p.integer(),
    /** Null where a model has no price. */
    estimatedNanos: p.bigint("number").nullable(),
    state: p.text().$type<RunState>(),
    cancelRequested: p.boolean(),
    /** Address of the person who started it. */
    createdBy: p.text(),
    createdAt: p.datetime(3),
    /** The time at which its process last wrote: one that is silent has ended. */
    beatAt: p.datetime(3),
    endedAt: p.datetime(3).nullable(),
  },
});

/** An answer of a run, without its text. */
export const DatasetAnswer = defineEntity({
  name: "DatasetAnswer",
  tableName: "dataset_answer",
  // Retention deletes them with their inferences.
  indexes: [{ properties: ["run", "inferenceId"] }, { properties: ["inferenceId"] }],
  properties: {
    id: p.uuid().primary(),
    run: () => p.manyToOne(DatasetRun).fieldName("run_id").deleteRule("cascade"),
    inferenceId: p.uuid(),
    /** 0 for the first model of the run, 1 for the second. */
    side: p.integer().$type<RunSide>(),
    outcome: p.text().$type<RunOutcome>(),
    /** The reason why there is no answer; null where there is one. */
    problem: p.text().nullable(),
    inputTokens: p.integer(),
    outputTokens: p.integer(),
    /** Null where the model has no price. */
    costNanos: p.bigint("number").nullable(),
    /** The cost of its grade; null where there is none, or the judge has no price. */
    gradeNanos: p.bigint("number").nullable(),
    latencyMs: p.double().$type<number>().nullable(),
    /** Names of the checks that it failed, with spaces between them; null where nothing was checked. */
    failedChecks: p.text().nullable(),
    /** The judge's grade; null where there is none. */
    isGood: p.boolean().nullable(),
  },
});

/** The beginning of the text of such an answer. */
export const DatasetAnswerText = defineEntity({
  name: "DatasetAnswerText",
  tableName: "dataset_answer_text",
  // Retention deletes them with the texts of their inferences.
  indexes: [{ properties: ["inferenceId"] }],
  properties: {
    answer: () => p.manyToOne(DatasetAnswer).primary().fieldName("id").deleteRule("cascade"),
    inferenceId: p.uuid(),
    text: p.text(),
  },
});

/** A row of `dataset_run`. */
export type DatasetRunRow = InferEntity<typeof DatasetRun>;
