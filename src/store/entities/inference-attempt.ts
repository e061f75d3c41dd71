import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import type { CandidateReason } from "../../hub/candidate-reasons.ts";
import type { CandidateRanking } from "../../hub/candidate-signals.ts";
import type { FailedCheck } from "../../hub/failed-checks.ts";

/** A call of an upstream for an inference. An inference that asked three deployments has three rows. */
export const InferenceAttempt = defineEntity({
  name: "InferenceAttempt",
  tableName: "inference_attempt",
  properties: {
    /** Id of the inference: the rows of one lie side by side, and in the same week as it. */
    id: p.uuid().primary(),
    /** From 0, in the order in which they began. */
    position: p.integer().primary(),
    /** Why it was made: primary, failover, hedge, retry, or candidate. */
    role: p.text(),
    /** The outcome: completed, failed, canceled, or refused. */
    outcome: p.text(),
    /** True if its answer is the one that the caller got, as far as it came. */
    isWinner: p.boolean(),
    upstream: p.text(),
    upstreamModel: p.text(),
    upstreamRequestId: p.text(),
    /** Probability with which the deployment was chosen. */
    propensity: p.double().$type<number>(),
    /** From the start of the inference. */
    startedAfterMs: p.double().$type<number>(),
    /** From the start of the attempt; null where nothing came. */
    firstEventMs: p.double().$type<number>().nullable(),
    latencyMs: p.double().$type<number>(),
    inputTokens: p.integer().nullable(),
    cacheReadTokens: p.integer().nullable(),
    cacheWriteTokens: p.integer().nullable(),
    cacheWrite5mTokens: p.integer().nullable().fieldName("cache_write_5m_tokens"),
    cacheWrite1hTokens: p.integer().nullable().fieldName("cache_write_1h_tokens"),
    outputTokens: p.integer().nullable(),
    reasoningTokens: p.integer().nullable(),
    /** True if the tokens are an estimate: it was broken off before the upstream had counted. */
    usageEstimated: p.boolean(),
    costNanos: p.bigint("number").nullable(),
    /** Parts of the request that the upstream's format cannot carry. */
    losses: p.json<readonly string[]>(),
    /** The failed checks of its answer; null where it was not checked. */
    failedChecks: p.json<readonly FailedCheck[]>().nullable(),
    /** The score of a candidate, 0 to 1; null where it was not compared with others. */
    score: p.double().$type<number>().nullable(),
    /** Why a candidate was chosen, or was not; null where it failed before, and for other roles. */
    candidateReason: p.text().$type<CandidateReason>().nullable(),
    /**
     * The ranking of a candidate; null where nothing is learned, where it failed a check, and where no other one
     * passed.
     */
    ranking: p.json<CandidateRanking>().nullable(),
    errorReason: p.text().nullable(),
    /** Its first thousand characters. */
    errorMessage: p.text().nullable(),
    errorUpstreamStatus: p.integer().nullable(),
    errorUpstreamCode: p.text().nullable(),
  },
});

/** A row of `inference_attempt`. */
export type InferenceAttemptRow = InferEntity<typeof InferenceAttempt>;
