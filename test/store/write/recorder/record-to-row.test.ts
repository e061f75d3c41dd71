import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import { GenerateResponseSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../../../src/inference/error.ts";
import { recordToRow } from "../../../../src/store/write/recorder/record-to-row.ts";
import { inferenceRecord } from "../../../support/inference-record.ts";

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
  costNanos: 9_007_199_254_740_991,
  baseCostNanos: 9_007_199_254_740_991,
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
      baseCostNanos: undefined,
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
      baseCostNanos: null,
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

  it("replaces what PostgreSQL cannot hold in a text", () => {
    const row = recordToRow(inferenceRecord({ workload: "a\0b", upstreamRequestId: "\ud800" }));
    expect([row.workload, row.upstreamRequestId]).toEqual(["a\uFFFDb", "\uFFFD"]);
  });

  it("rounds a cost to whole nano-dollars", () => {
    expect(recordToRow(inferenceRecord({ costNanos: 10.5 })).costNanos).toBe(11);
  });
});
