import { defineEntity, type InferEntity, p } from "@mikro-orm/core";

/** Returns the properties that calls are counted by; a new object each time, because an entity takes them over. */
function usageProperties() {
  return {
    projectId: p.uuid().primary(),
    /** Hours, days or weeks since 1970, UTC, of the time that the inference's id carries. */
    period: p.integer().primary(),
    keyId: p.text().primary(),
    model: p.text().primary(),
    /** Model that answered, or failed to. */
    servedModel: p.text().primary(),
    upstream: p.text().primary(),
    upstreamModel: p.text().primary(),
    workload: p.text().primary(),
    status: p.text().primary(),
    /** Empty where there was none. */
    errorReason: p.text().primary(),
    calls: p.bigint("number"),
    streamedCalls: p.bigint("number"),
    /** Calls that another model than base served. */
    routedCalls: p.bigint("number"),
    inputTokens: p.bigint("number"),
    cacheReadTokens: p.bigint("number"),
    cacheWriteTokens: p.bigint("number"),
    outputTokens: p.bigint("number"),
    reasoningTokens: p.bigint("number"),
    /** Calls of whose tokens some are estimated: the upstream did not tell them. */
    estimatedCalls: p.bigint("number"),
    /** Calls whose cost is known. */
    pricedCalls: p.bigint("number"),
    costNanos: p.bigint("number"),
    baseCostNanos: p.bigint("number"),
    /** The discount of the providers' prompt caches; negative where writing cost more than reading saved. */
    cacheSavedNanos: p.bigint("number").default(0),
    /** The parts of the difference to plain base calls, by kind; negative where more was spent. */
    savedCacheMarksNanos: p.bigint("number").default(0),
    savedCoalescingNanos: p.bigint("number").default(0),
    savedResponseCacheNanos: p.bigint("number").default(0),
    savedChoiceNanos: p.bigint("number").default(0),
    savedRoutingNanos: p.bigint("number").default(0),
    savedFailoverNanos: p.bigint("number").default(0),
    savedHedgingNanos: p.bigint("number").default(0),
    savedRetryNanos: p.bigint("number").default(0),
    savedCandidatesNanos: p.bigint("number").default(0),
    /** Sum, in whole microseconds, so that the order of the calls does not matter. */
    latencyMicros: p.bigint("number"),
    /** Histogram of the latencies: src/store/rollups/histogram.ts. */
    latencies: p.text(),
    /** Calls that had a first token, and the sum and the histogram of its times. */
    firstTokenCalls: p.bigint("number"),
    firstTokenMicros: p.bigint("number"),
    firstTokens: p.text(),
  };
}

/** Inferences counted by the hour; kept in the transaction that writes them, and longer than they. */
export const UsageHour = defineEntity({ name: "UsageHour", tableName: "usage_hour", properties: usageProperties() });

/** The same by the day, so that a year can be summed up in milliseconds. */
export const UsageDay = defineEntity({ name: "UsageDay", tableName: "usage_day", properties: usageProperties() });

/**
 * The same by the week, made of the days once the week is over: what is written late is added here too, as soon as the
 * project has a row of that week or of a later one.
 */
export const UsageWeek = defineEntity({
  name: "UsageWeek",
  tableName: "usage_week",
  properties: usageProperties(),
});

/** A row of `usage_hour`, `usage_day` or `usage_week`. */
export type UsageRow = InferEntity<typeof UsageHour>;
