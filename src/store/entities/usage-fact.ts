import { defineEntity, type InferEntity, p } from "@mikro-orm/core";

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
  },
});

/** A row of `usage_fact_day`. */
export type UsageFactRow = InferEntity<typeof UsageFactDay>;
