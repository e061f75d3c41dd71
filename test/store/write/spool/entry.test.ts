import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newId } from "../../../../src/lib/ids.ts";
import { FeedbackEntry, type FeedbackEntryRow } from "../../../../src/store/entities/feedback-entry.ts";
import { Inference } from "../../../../src/store/entities/inference.ts";
import { InferenceAttempt } from "../../../../src/store/entities/inference-attempt.ts";
import { recordToAttempts, recordToRow } from "../../../../src/store/write/recorder/record-to-row.ts";
import { decodeEntry, encodeFeedback, encodeInference } from "../../../../src/store/write/spool/entry.ts";
import { DECISION, inferenceRecord } from "../../../support/inference-record.ts";
import { RANKING } from "../../../support/rows.ts";

const record = inferenceRecord({ servedModel: "other-model", decision: DECISION });
const row = recordToRow(record);
const checked = record.attempts.map((attempt) => ({ ...attempt, failedChecks: ["invalid_json"] as const }));
const candidates = record.attempts.map((attempt) => ({
  ...attempt,
  score: 0.5,
  candidateReason: "later" as const,
  ranking: RANKING,
}));
const attempts = recordToAttempts({ ...record, attempts: [...record.attempts, ...checked, ...candidates] });
const feedback: FeedbackEntryRow = {
  id: newId(),
  inferenceId: row.id,
  attempt: null,
  sessionId: null,
  rater: null,
  projectId: row.projectId,
  keyId: "abcdefghijkl",
  name: "quality.score",
  kind: "float",
  booleanValue: null,
  floatValue: 0.1,
  textValue: null,
  tags: { "__proto__ ": "x", team: "Grüße" },
  optimize: "max",
  createdAt: new Date("2026-11-21T02:31:00.123Z"),
  model: "m",
  servedModel: "",
  workload: "",
};

describe("decodeEntry()", () => {
  it("gives back an inference with its bodies", () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (request, response) => {
        const entry = decodeEntry(Buffer.concat(encodeInference({ row, attempts, request, response })));
        expect(entry).toEqual({
          kind: "inference",
          inference: { row, attempts, request: Buffer.from(request), response: Buffer.from(response) },
        });
      }),
    );
  });

  it("gives back first words", () => {
    const [request, response] = [Buffer.from("a"), Buffer.from("b")];
    const write = { row, attempts, request, response, words: ["Where is it?", "Grüße 👋"] as const };
    expect(decodeEntry(Buffer.concat(encodeInference(write)))).toEqual({ kind: "inference", inference: write });
  });

  it("gives back an inference without bodies, and the date of their deletion", () => {
    const deleted = { ...row, deletedAt: new Date(0), model: "half a pair: \ud800, and \u0000" };
    const write = { row: deleted, attempts, request: undefined, response: undefined };
    expect(decodeEntry(Buffer.concat(encodeInference(write)))).toEqual({ kind: "inference", inference: write });
  });

  it("gives back feedback", () => {
    const rows = [feedback, { ...feedback, kind: "boolean", booleanValue: true, floatValue: null }];
    expect(decodeEntry(Buffer.concat(encodeFeedback(rows)))).toEqual({ kind: "feedback", feedback: rows });
    expect(decodeEntry(Buffer.concat(encodeFeedback([])))).toEqual({ kind: "feedback", feedback: [] });
  });

  it("reads what is on the disks of those who upgrade", () => {
    const json = Buffer.from('[{"id":"i","createdAt":"2026-11-21T00:00:00.000Z"}]');
    const bytes = Buffer.concat([Buffer.from([3, json.length, 0, 0, 0]), json]);
    expect(decodeEntry(bytes)).toEqual({
      kind: "feedback",
      feedback: [
        { id: "i", sessionId: null, servedModel: "", rater: null, createdAt: new Date("2026-11-21T00:00:00.000Z") },
      ],
    });
    // Its last members, which are newer than it, are not there.
    const values = [
      "i",
      "p",
      "k",
      "chat",
      true,
      "m",
      "u",
      "um",
      "r",
      "w",
      "s",
      "f",
      null,
      "completed",
      1_700_000_000_000,
      12.5,
    ];
    const facts = Buffer.from(JSON.stringify([values, [["retry", "failed", false]]]));
    const head = Buffer.from([4, facts.length, 0, 0, 0]);
    const bodies = Buffer.from([2, 0, 0, 0, ...Buffer.from("reanswer")]);
    expect(decodeEntry(Buffer.concat([head, facts, bodies]))).toMatchObject({
      kind: "inference",
      inference: {
        row: { id: "i", streamed: true, startedAt: new Date(1_700_000_000_000), latencyMs: 12.5, deletedAt: null },
        attempts: [{ id: "i", position: 0, role: "retry", outcome: "failed", isWinner: false, ranking: null }],
        request: Buffer.from("re"),
        response: Buffer.from("answer"),
      },
    });
  });

  it.each([
    [
      "an unknown kind",
      Buffer.from([99, 2, 0, 0, 0, 0x7b, 0x7d]),
      /an entry of the kind 99, which this version does not know/,
    ],
    ["no bytes", Buffer.alloc(0), /an entry of the kind undefined/],
    ["half a head", Buffer.from([4, 2]), /outside buffer bounds/],
    ["JSON that ends early", Buffer.from([5, 200, 0, 0, 0, 0x7b]), /JSON/],
    [
      "bodies without their length",
      Buffer.from([4, 7, 0, 0, 0, ...Buffer.from("[[],[]]"), 1]),
      /out of (range|bounds)/,
    ],
  ])("refuses %s", (_, bytes, message) => {
    expect(() => decodeEntry(bytes)).toThrow(message);
  });
});

/**
 * Spools outlive an upgrade. When this fails, entries that were written before lack a column, or have one too many: let
 * decodeEntry() fill in what they mean, with a test of such an entry, and only then change the list.
 */
describe("the columns of entries", () => {
  it("are those that decodeEntry() was written for", () => {
    expect(Object.keys(Inference.meta.properties).join(" ")).toBe(
      "id projectId keyId dialect streamed model upstream upstreamModel upstreamRequestId workload servedModel family decision status startedAt latencyMs " +
        "timeToFirstTokenMs inputTokens cacheReadTokens cacheWriteTokens cacheWrite5mTokens cacheWrite1hTokens outputTokens " +
        "reasoningTokens usageEstimated billing costNanos costGaps baseCostNanos saved cacheSavedNanos finishReason rawFinishReason errorReason errorMessage errorUpstreamStatus " +
        "errorUpstreamCode deviation optimizations translationLosses previousId stored coalescingKey sessionId sessionSource parentSessionId endUserId tags requestId deletedAt",
    );
    expect(Object.keys(InferenceAttempt.meta.properties).join(" ")).toBe(
      "id position role outcome isWinner upstream upstreamModel upstreamRequestId propensity startedAfterMs firstEventMs " +
        "latencyMs inputTokens cacheReadTokens cacheWriteTokens cacheWrite5mTokens cacheWrite1hTokens outputTokens " +
        "reasoningTokens usageEstimated costNanos losses failedChecks score candidateReason ranking errorReason errorMessage errorUpstreamStatus errorUpstreamCode",
    );
    expect(Object.keys(FeedbackEntry.meta.properties).join(" ")).toBe(
      "id inferenceId attempt projectId keyId name kind booleanValue floatValue textValue tags optimize createdAt model servedModel workload sessionId rater",
    );
  });
});
