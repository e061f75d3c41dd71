import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import { GenerateResponseSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../../../src/hub/error.ts";
import type { AttemptRecord } from "../../../../src/inference/ports.ts";
import { recordToAttempts, recordToRow } from "../../../../src/store/write/recorder/record-to-row.ts";
import { DECISION, inferenceRecord } from "../../../support/inference-record.ts";
import { RANKING } from "../../../support/rows.ts";

const COMPLETED = {
  id: "0190a5a0-7d6e-7000-8000-000000000000",
  projectId: "00000000-0000-7000-8000-000000000001",
  keyId: "abcdefghijkl",
  dialect: "messages",
  streamed: true,
  model: "some-model",
  upstream: "anthropic",
  upstreamModel: "real-model",
  upstreamRequestId: "req_1",
  workload: "support",
  servedModel: "some-model",
  family: "",
  decision: null,
  status: "completed",
  startedAt: new Date("2026-11-21T02:31:00.123Z"),
  latencyMs: 1234.5,
  timeToFirstTokenMs: 99.25,
  inputTokens: 11,
  cacheReadTokens: 22,
  cacheWriteTokens: 33,
  cacheWrite5mTokens: 30,
  cacheWrite1hTokens: 3,
  outputTokens: 44,
  reasoningTokens: 5,
  usageEstimated: false,
  costNanos: 9_007_199_254_740_991,
  billing: { serviceTier: "flex", toolCalls: { web_search: 2 } },
  costGaps: ['service tier "flex"'],
  baseCostNanos: 9_007_199_254_740_991,
  saved: { choice: 1_000_000, hedging: -1_000_000 },
  cacheSavedNanos: 1_500_000,
  finishReason: "stop_sequence",
  rawFinishReason: "stop_sequence",
  errorReason: null,
  errorMessage: null,
  errorUpstreamStatus: null,
  errorUpstreamCode: null,
  deviation: "none",
  optimizations: ["failover"],
  translationLosses: ["top_k", "messages[0].content[0].title"],
  previousId: null,
  stored: true,
  coalescingKey: "what identical requests have in common",
  sessionId: "run-7",
  sessionSource: "attune-session",
  parentSessionId: null,
  endUserId: "jane",
  tags: { team: "search" },
  requestId: "mine-1",
  deletedAt: null,
};

describe("recordToRow()", () => {
  it("carries every fact of an inference", () => {
    expect(recordToRow(inferenceRecord({ id: COMPLETED.id }))).toEqual(COMPLETED);
  });

  it("leaves unknown what a failed inference never learned", () => {
    const error = new InferenceError(ErrorReason.UPSTREAM_OVERLOADED, "busy", {
      upstreamStatus: 529,
      upstreamCode: "overloaded_error",
    });
    const record = inferenceRecord({
      id: COMPLETED.id,
      dialect: Dialect.UNSPECIFIED,
      status: "failed",
      error,
      timeToFirstTokenMs: undefined,
      usage: undefined,
      costNanos: undefined,
      costGaps: undefined,
      baseCostNanos: undefined,
      saved: undefined,
      cacheSavedNanos: undefined,
      output: create(GenerateResponseSchema),
    });
    expect(recordToRow(record)).toEqual({
      ...COMPLETED,
      dialect: "rpc",
      status: "failed",
      timeToFirstTokenMs: null,
      inputTokens: null,
      cacheReadTokens: null,
      cacheWriteTokens: null,
      cacheWrite5mTokens: null,
      cacheWrite1hTokens: null,
      outputTokens: null,
      reasoningTokens: null,
      costNanos: null,
      billing: null,
      costGaps: null,
      baseCostNanos: null,
      saved: null,
      cacheSavedNanos: null,
      finishReason: null,
      rawFinishReason: null,
      errorReason: "upstream_overloaded",
      errorMessage: "busy",
      errorUpstreamStatus: 529,
      errorUpstreamCode: "overloaded_error",
      deviation: "unspecified",
      optimizations: [],
      translationLosses: [],
    });
  });

  it("leaves out facts that a call does not have", () => {
    const { sessionId, sessionSource, endUserId, tags } = recordToRow(inferenceRecord({ facts: undefined }));
    expect([sessionId, sessionSource, endUserId, tags]).toEqual([null, null, null, null]);
  });

  it("replaces what PostgreSQL cannot hold in a text", () => {
    const row = recordToRow(inferenceRecord({ workload: "a\0b", upstreamRequestId: "\ud800" }));
    expect([row.workload, row.upstreamRequestId]).toEqual(["a\uFFFDb", "\uFFFD"]);
  });

  it("carries who answered in the place of the model that was asked for, and how that was decided", () => {
    const decision = { ...DECISION, family: "tag:\ud800" };
    expect(recordToRow(inferenceRecord({ servedModel: "other-model", decision }))).toMatchObject({
      model: "some-model",
      servedModel: "other-model",
      family: "tag:\uFFFD",
      decision: { ...DECISION, family: "tag:\uFFFD" },
    });
  });

  it("rounds a cost to whole nano-dollars", () => {
    expect(recordToRow(inferenceRecord({ costNanos: 10.5 })).costNanos).toBe(11);
  });

  it("marks tokens that are an estimate, and keeps a cache that cost more than it saved", () => {
    const row = recordToRow(
      inferenceRecord({ isEstimated: true, cacheSavedNanos: -1500.6, saved: { hedging: -1500.6 } }),
    );
    expect([row.usageEstimated, row.cacheSavedNanos, row.saved]).toEqual([true, -1501, { hedging: -1501 }]);
  });
});

describe("recordToAttempts()", () => {
  const [primary] = inferenceRecord().attempts as readonly [AttemptRecord];

  it("carries every fact of an attempt", () => {
    expect(recordToAttempts(inferenceRecord({ id: COMPLETED.id }))).toEqual([
      {
        id: COMPLETED.id,
        position: 0,
        role: "primary",
        outcome: "completed",
        isWinner: true,
        upstream: "anthropic",
        upstreamModel: "real-model",
        upstreamRequestId: "req_1",
        propensity: 1,
        startedAfterMs: 1.5,
        firstEventMs: 97.75,
        latencyMs: 1233,
        inputTokens: 11,
        cacheReadTokens: 22,
        cacheWriteTokens: 33,
        cacheWrite5mTokens: 30,
        cacheWrite1hTokens: 3,
        outputTokens: 44,
        reasoningTokens: 5,
        usageEstimated: false,
        costNanos: 9_007_199_254_740_991,
        losses: ["top_k", "messages[0].content[0].title"],
        failedChecks: null,
        score: null,
        candidateReason: null,
        ranking: null,
        errorReason: null,
        errorMessage: null,
        errorUpstreamStatus: null,
        errorUpstreamCode: null,
      },
    ]);
  });

  it("keeps the order of attempts, what was wrong with each, and leaves unknown what was not learned", () => {
    const error = new InferenceError(ErrorReason.UPSTREAM_OVERLOADED, `${"x".repeat(998)}\ud83d\udc4b and more`, {
      upstreamStatus: 529,
      upstreamCode: "over\0loaded",
    });
    const failed = { ...primary, outcome: "failed" as const, isWinner: false, error, losses: ["a\0b"] };
    const silent = { ...failed, firstEventMs: undefined, usage: undefined, costNanos: undefined };
    const failover = { ...primary, role: "failover" as const, propensity: 0.25, isEstimated: true };
    const retry = { ...primary, role: "retry" as const, failedChecks: ["invalid_arguments"] as const };
    const compared = {
      score: 0.75,
      candidateReason: "majority",
      ranking: RANKING,
    } as const;
    const candidate = { ...primary, role: "candidate", ...compared } as const;
    const rows = recordToAttempts(inferenceRecord({ attempts: [silent, failover, retry, candidate] }));
    expect(rows.map(({ position }) => position)).toEqual([0, 1, 2, 3]);
    expect(rows[3]).toMatchObject({ role: "candidate", ...compared });
    expect(rows[2]).toMatchObject({ role: "retry", failedChecks: ["invalid_arguments"] });
    expect(rows[0]).toMatchObject({
      role: "primary",
      outcome: "failed",
      isWinner: false,
      firstEventMs: null,
      inputTokens: null,
      costNanos: null,
      errorReason: "upstream_overloaded",
      errorUpstreamStatus: 529,
      errorUpstreamCode: "over\uFFFDloaded",
      // The half of a pair that is left where it was cut cannot be stored.
      errorMessage: `${"x".repeat(998)}\uFFFD…`,
      losses: ["a\uFFFDb"],
    });
    expect(rows[1]).toMatchObject({ role: "failover", isWinner: true, propensity: 0.25, usageEstimated: true });
  });
});
