import { defineEntity, type InferEntity, p } from "@mikro-orm/core";

/** Returns the sums that calls of a fact have; a new object each time, because an entity takes them over. */
function sumProperties() {
  return {
    calls: p.bigint("number"),
    inputTokens: p.bigint("number"),
    cacheReadTokens: p.bigint("number"),
    cacheWriteTokens: p.bigint("number"),
    outputTokens: p.bigint("number"),
    reasoningTokens: p.bigint("number"),
    /** Calls of whose tokens some are estimated. */
    estimatedCalls: p.bigint("number"),
    /** Calls whose cost is known. */
    pricedCalls: p.bigint("number"),
    costNanos: p.bigint("number"),
    /** Histogram of the latencies. */
    latencies: p.text(),
  };
}

/**
 * Inferences counted by the day and by their end user, and by each of their tags; kept in the transaction that writes
 * them, and longer than they. Names beyond the cap are one.
 */
export const UsageFactDay = defineEntity({
  name: "UsageFactDay",
  tableName: "usage_fact_day",
  properties: {
    projectId: p.uuid().primary(),
    /** Days since 1970, UTC, of the time that the inference's id carries. */
    period: p.integer().primary(),
    /** end_user or tag. */
    kind: p.string().length(10).primary(),
    keyId: p.text().primary(),
    /** Id of the end user; name and value of the tag: team=search. */
    name: p.text().primary(),
    status: p.text().primary(),
    ...sumProperties(),
  },
});

/** The key id of rows that have the calls of all keys. */
export const ALL_KEYS = "*";

/** Returns the properties of longer periods: failed calls are a sum there, and latencies those of completed calls. */
function largerProperties() {
  return {
    projectId: p.uuid().primary(),
    /** Weeks, or times of four weeks, since the first Monday of 1970. */
    period: p.integer().primary(),
    kind: p.string().length(10).primary(),
    /** ALL_KEYS in rows that add up those of the keys. */
    keyId: p.text().primary(),
    name: p.text().primary(),
    failedCalls: p.bigint("number"),
    ...sumProperties(),
  };
}

/**
 * The same by the week, for each key and for all of them: made of the days once the week is over, so that a year of end
 * users is read from few rows. What is written late is added, as soon as there is a row of that week or of a later one.
 */
export const UsageFactWeek = defineEntity({
  name: "UsageFactWeek",
  tableName: "usage_fact_week",
  properties: largerProperties(),
});

/** The same by four weeks, made of the weeks. */
export const UsageFactFourWeeks = defineEntity({
  name: "UsageFactFourWeeks",
  tableName: "usage_fact_four_weeks",
  properties: largerProperties(),
});

/** A row of `usage_fact_day`. */
export type UsageFactRow = InferEntity<typeof UsageFactDay>;

/** A row of `usage_fact_week` or `usage_fact_four_weeks`. */
export type LargerFactRow = InferEntity<typeof UsageFactWeek>;
