import { defineEntity, type InferEntity, p } from "@mikro-orm/core";

/**
 * One flattened value of feedback. The inference may still be on its way to the database, so there is no foreign key.
 */
export const FeedbackEntry = defineEntity({
  name: "FeedbackEntry",
  tableName: "feedback_entry",
  indexes: [
    { properties: ["inferenceId", "id"] },
    { properties: ["projectId", "id"] },
    { properties: ["projectId", "sessionId", "id"], where: "session_id is not null" },
    // Whole entries of a metric by inference, so that a filter on its value never leaves the index.
    {
      name: "feedback_entry_metric_index",
      properties: ["projectId", "name", "inferenceId", "floatValue", "booleanValue", "attempt"],
    },
  ],
  properties: {
    id: p.uuid().primary(),
    inferenceId: p.uuid(),
    /**
     * Position of the attempt whose answer it is on, one of several that was not given; null for the answer that was
     * given.
     */
    attempt: p.integer().nullable(),
    projectId: p.uuid(),
    /** Public id of the key that sent it. */
    keyId: p.text(),
    /** Names of nested groups joined with dots. */
    name: p.text(),
    /** boolean, float or note: which of the three value columns is set. */
    kind: p.text(),
    booleanValue: p.boolean().nullable(),
    floatValue: p.double().$type<number>().nullable(),
    textValue: p.text().nullable(),
    tags: p.json<Readonly<Record<string, string>>>(),
    /** max, min, or null where the caller did not say. */
    optimize: p.text().nullable(),
    createdAt: p.datetime(3),
    /** Model of the inference, so that feedback can be counted without it; empty where it is not known. */
    model: p.text().default(""),
    /**
     * Model that gave the answer, as far as the database knew it when the entry was written; empty otherwise, and of
     * answers that were not given.
     */
    servedModel: p.text().default(""),
    /** Workload of the inference; empty where it is not known. */
    workload: p.text().default(""),
    /** Session as a whole that it is on; its inference stands for that then. */
    sessionId: p.text().nullable(),
    /** Its rater, where that is neither the end user of the inference nor the key; see raterOf(). */
    rater: p.text().nullable(),
  },
});

/** A row of `feedback_entry`. */
export type FeedbackEntryRow = InferEntity<typeof FeedbackEntry>;
