import type { JsonObject } from "@bufbuild/protobuf";
import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import type { DecisionRecord } from "../../hub/decision-record.ts";
import type { Savings } from "../../hub/saving-kinds.ts";

/**
 * The facts of one inference; what was asked and answered is in `inference_body`. Rows are written late and in batches,
 * so no foreign key can stop one.
 */
export const Inference = defineEntity({
  name: "Inference",
  tableName: "inference",
  // The id carries the time: in its order, rows are in the order of time.
  indexes: [
    { properties: ["projectId", "id"] },
    // Few rows have one.
    { properties: ["coalescingKey", "id"], where: "coalescing_key is not null" },
    { properties: ["projectId", "sessionId", "id"], where: "session_id is not null" },
    // Sessions of subagents are found by the one that began them.
    { properties: ["projectId", "parentSessionId", "id"], where: "parent_session_id is not null" },
    // Looked for by whoever has an id from the log, or from an answer's headers.
    { properties: ["projectId", "requestId", "id"], where: "request_id is not null" },
    { properties: ["projectId", "endUserId", "id"], where: "end_user_id is not null" },
  ],
  properties: {
    id: p.uuid().primary(),
    projectId: p.uuid(),
    /** Public id of the key. */
    keyId: p.text(),
    /** Format of the request: chat, responses, messages, or rpc. */
    dialect: p.text(),
    streamed: p.boolean(),
    model: p.text(),
    upstream: p.text(),
    upstreamModel: p.text(),
    upstreamRequestId: p.text(),
    workload: p.text(),
    /**
     * Model that answered, or failed to: another one than `model` where the policy chose it. Empty in rows from before
     * there was a policy.
     */
    servedModel: p.text().default(""),
    /** Prompt family within the workload; empty where nothing is learned. */
    family: p.text().default(""),
    /** The decision on which model answers; null where nothing is learned. */
    decision: p.json<DecisionRecord>().nullable(),
    status: p.text(),
    startedAt: p.datetime(3),
    latencyMs: p.double().$type<number>(),
    timeToFirstTokenMs: p.double().$type<number>().nullable(),
    inputTokens: p.integer().nullable(),
    cacheReadTokens: p.integer().nullable(),
    cacheWriteTokens: p.integer().nullable(),
    cacheWrite5mTokens: p.integer().nullable().fieldName("cache_write_5m_tokens"),
    cacheWrite1hTokens: p.integer().nullable().fieldName("cache_write_1h_tokens"),
    outputTokens: p.integer().nullable(),
    reasoningTokens: p.integer().nullable(),
    /** True if the tokens are an estimate: the caller left before the upstream had counted. */
    usageEstimated: p.boolean().default(false),
    /** Facts that change the cost beside the counts, as BillingFacts has it in JSON; null where nothing does. */
    billing: p.json<JsonObject>().nullable(),
    /** Of all attempts, each at the price of its deployment. */
    costNanos: p.bigint("number").nullable(),
    /** Parts of it that have no known price: it cost more. Null where all is in the cost. */
    costGaps: p.json<readonly string[]>().nullable(),
    /** The cost of the call, as it was sent, on the plain base model at its first deployment. */
    baseCostNanos: p.bigint("number").nullable(),
    /** The parts of the difference, in nano-USD by kind; null where they are not known. */
    saved: p.json<Savings>().nullable(),
    /** The part that the provider's prompt cache took off; negative where writing cost more than reading saved. */
    cacheSavedNanos: p.bigint("number").nullable(),
    finishReason: p.text().nullable(),
    rawFinishReason: p.text().nullable(),
    errorReason: p.text().nullable(),
    errorMessage: p.text().nullable(),
    errorUpstreamStatus: p.integer().nullable(),
    errorUpstreamCode: p.text().nullable(),
    deviation: p.text(),
    optimizations: p.json<readonly string[]>(),
    translationLosses: p.json<readonly string[]>(),
    /** The inference whose conversation this one continues. */
    previousId: p.uuid().nullable(),
    /** True if it can be read and continued by its id. Records from before that could be said were not meant to be. */
    stored: p.boolean().default(false),
    /** The key of identical requests that may get this answer again; null where none may. */
    coalescingKey: p.text().nullable(),
    /** The run of an agent, or other calls that belong together. */
    sessionId: p.text().nullable(),
    /** Source of the session: a header, a member of the request, or `conversation`. */
    sessionSource: p.text().nullable(),
    /** Session that began this one. */
    parentSessionId: p.text().nullable(),
    endUserId: p.text().nullable(),
    /** Labels by their names; those that can be found stand in `inference_tag` too. */
    tags: p.json<Readonly<Record<string, string>>>().nullable(),
    /** The id of the request that it answers, as its caller was told it; null where none is known. */
    requestId: p.text().nullable(),
    /** When its bodies were deleted on its owner's wish. */
    deletedAt: p.datetime(3).nullable(),
  },
});

/** A row of `inference`. */
export type InferenceRow = InferEntity<typeof Inference>;
