import { defineEntity, type InferEntity, p } from "@mikro-orm/core";

/** Returns the properties that feedback is counted by; a new object each time, because an entity takes them over. */
function feedbackProperties() {
  return {
    projectId: p.uuid().primary(),
    /** Hours or days since 1970, UTC, of the time that the entry's id carries. */
    period: p.integer().primary(),
    model: p.text().primary(),
    /** Model that gave the answer it is on. */
    servedModel: p.text().primary(),
    workload: p.text().primary(),
    name: p.text().primary(),
    kind: p.text().primary(),
    /** Public id of the key that made the call; empty where the call was not known when the entry was written. */
    callKeyId: p.text().primary(),
    entries: p.bigint("number"),
    /** Sum of the floats; booleans count as 0 and 1. */
    sum: p.double().$type<number>(),
    sumOfSquares: p.double().$type<number>(),
    /** Booleans that are true. */
    trueEntries: p.bigint("number"),
    /** Entries that said max, and min. */
    maximised: p.bigint("number"),
    minimised: p.bigint("number"),
  };
}

/** Feedback counted by the hour; kept in the transaction that writes it, and longer than it. */
export const FeedbackHour = defineEntity({
  name: "FeedbackHour",
  tableName: "feedback_hour",
  properties: feedbackProperties(),
});

/** The same by the day, with what a condition on a value may find in it. */
export const FeedbackDay = defineEntity({
  name: "FeedbackDay",
  tableName: "feedback_day",
  properties: {
    ...feedbackProperties(),
    /** The least and the greatest value, booleans being 0 and 1; null of notes. */
    leastValue: p.double().$type<number>().nullable(),
    greatestValue: p.double().$type<number>().nullable(),
  },
});

/** Returns the properties that feedback of facts is counted by; a new object each time. */
function factProperties() {
  return {
    projectId: p.uuid().primary(),
    /** Days, weeks or times of four weeks, as those of calls, of the time that the entry's id carries. */
    period: p.integer().primary(),
    /** end_user or tag. */
    kind: p.string().length(10).primary(),
    /** Public id of the key that made the call; in longer periods also ALL_KEYS. */
    keyId: p.text().primary(),
    /** Id of the end user; name and value of the tag: team=search. */
    name: p.text().primary(),
    entries: p.bigint("number"),
    booleans: p.bigint("number"),
    /** Booleans that are true. */
    trueEntries: p.bigint("number"),
  };
}

/**
 * Feedback counted by the day and by the end user of the call that it is on, and by each of its tags. Of calls that
 * were not known when an entry was written, nothing is counted here.
 */
export const FeedbackFactDay = defineEntity({
  name: "FeedbackFactDay",
  tableName: "feedback_fact_day",
  properties: factProperties(),
});

/** The same by the week, for each key and for all of them, made of the days once the week is over. */
export const FeedbackFactWeek = defineEntity({
  name: "FeedbackFactWeek",
  tableName: "feedback_fact_week",
  properties: factProperties(),
});

/** The same by four weeks, made of the weeks. */
export const FeedbackFactFourWeeks = defineEntity({
  name: "FeedbackFactFourWeeks",
  tableName: "feedback_fact_four_weeks",
  properties: factProperties(),
});

/** A row of `feedback_fact_day`, or of one of the longer periods. */
export type FeedbackFactRow = InferEntity<typeof FeedbackFactDay>;

/** A row of `feedback_day`; `feedback_hour` has all but the last two. */
export type FeedbackRollupRow = InferEntity<typeof FeedbackDay>;
