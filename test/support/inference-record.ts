import { create } from "@bufbuild/protobuf";
import { Dialect, Role, UsageSchema } from "../../gen/attune/content/v1/content_pb.ts";
import {
  CallFactsSchema,
  Deviation,
  FinishReason,
  GenerateResponseSchema,
} from "../../gen/attune/inference/v1/inference_pb.ts";
import type { DecisionRecord } from "../../src/hub/decision-record.ts";
import { createHubInput } from "../../src/hub/input.ts";
import type { InferenceRecord } from "../../src/inference/ports.ts";
import { newId } from "../../src/lib/ids.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";

/** A decision that another model may answer, and its record. */
export const DECISION: DecisionRecord = {
  mode: "on",
  family: "tag:triage",
  policy: "baht-g/19",
  version: 7,
  arms: ["some-model", "other-model"],
  eligible: [1, 1],
  worths: [0.5, 0.75],
  doubts: [0.125, 0.1],
  base: 0,
  best: 1,
  arm: 1,
  choice: "best",
  controlChance: 0.02,
  exploreChance: 0.05,
  exploreWidth: 1,
  switchCost: 0,
  hasRoom: true,
  seed: -5,
};

/** Makes the record of an inference that completed, with every fact set. */
export function inferenceRecord(changes: Partial<InferenceRecord> = {}): InferenceRecord {
  const id = changes.id ?? newId();
  const text = { kind: { case: "text" as const, value: { text: "Grüße, 世界 👋" } } };
  const usage = create(UsageSchema, {
    billing: { serviceTier: "flex", toolCalls: { web_search: 2 } },
    inputTokens: 11,
    cacheReadTokens: 22,
    cacheWriteTokens: 33,
    cacheWrite5mTokens: 30,
    cacheWrite1hTokens: 3,
    outputTokens: 44,
    reasoningTokens: 5,
  });
  return {
    id,
    projectId: DEFAULT_PROJECT.id,
    keyId: "abcdefghijkl",
    dialect: Dialect.MESSAGES,
    streamed: true,
    model: "some-model",
    servedModel: "some-model",
    upstream: "anthropic",
    upstreamModel: "real-model",
    requestId: "mine-1",
    upstreamRequestId: "req_1",
    workload: "support",
    facts: create(CallFactsSchema, {
      sessionId: "run-7",
      sessionSource: "attune-session",
      endUserId: "jane",
      tags: { team: "search" },
    }),
    status: "completed",
    startedAt: new Date("2026-11-21T02:31:00.123Z"),
    latencyMs: 1234.5,
    timeToFirstTokenMs: 99.25,
    costGaps: ['service tier "flex"'],
    usage,
    isEstimated: false,
    costNanos: 9_007_199_254_740_991,
    baseCostNanos: 9_007_199_254_740_991,
    saved: { choice: 1_000_000, hedging: -1_000_000 },
    cacheSavedNanos: 1_500_000,
    attempts: [
      {
        upstream: "anthropic",
        upstreamModel: "real-model",
        upstreamRequestId: "req_1",
        role: "primary",
        startedAt: new Date("2026-11-21T02:31:00.125Z"),
        startedAfterMs: 1.5,
        firstEventMs: 97.75,
        latencyMs: 1233,
        outcome: "completed",
        isWinner: true,
        usage,
        isEstimated: false,
        costNanos: 9_007_199_254_740_991,
        losses: ["top_k", "messages[0].content[0].title"],
        propensity: 1,
      },
    ],
    stored: true,
    coalescingKey: "what identical requests have in common",
    input: createHubInput({
      model: "attune/some-model",
      dialect: Dialect.MESSAGES,
      messages: [{ role: Role.USER, content: [text] }],
    }),
    output: create(GenerateResponseSchema, {
      id,
      model: "attune/some-model",
      content: [text],
      finished: { reason: FinishReason.STOP_SEQUENCE, rawReason: "stop_sequence", usage },
      serving: {
        upstream: "anthropic",
        optimizations: ["failover"],
        deviation: Deviation.NONE,
        translationLosses: ["top_k", "messages[0].content[0].title"],
      },
    }),
    ...changes,
  };
}
