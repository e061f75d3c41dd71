import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newId } from "../../../../src/lib/ids.ts";
import { FeedbackEntry, type FeedbackEntryRow } from "../../../../src/store/entities/feedback-entry.ts";
import { Inference } from "../../../../src/store/entities/inference.ts";
import { InferenceAttempt } from "../../../../src/store/entities/inference-attempt.ts";
import { recordToAttempts, recordToRow } from "../../../../src/store/write/recorder/record-to-row.ts";
import { decodeEntry, encodeFeedback, encodeInference } from "../../../../src/store/write/spool/entry.ts";
import { DECISION, inferenceRecord } from "../../../support/inference-record.ts";

const record = inferenceRecord({ servedModel: "other-model", decision: DECISION });
const row = recordToRow(record);
const checked = record.attempts.map((attempt) => ({ ...attempt, failedChecks: ["invalid_json"] as const }));
const candidates = record.attempts.map((attempt) => ({ ...attempt, score: 0.5, candidateReason: "later" as const }));
const attempts = recordToAttempts({ ...record, attempts: [...record.attempts, ...checked, ...candidates] });
const feedback: FeedbackEntryRow = {
  id: newId(),
  inferenceId: row.id,
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
  workload: "",
};

/** Decodes an entry that is written here by hand, as an earlier version did. */
function entryOf(kind: number, value: unknown, ...bodies: Buffer[]) {
  const json = Buffer.from(JSON.stringify(value));
  const head = Buffer.from([kind, 0, 0, 0, 0]);
  head.writeUInt32LE(json.length, 1);
  return decodeEntry(Buffer.concat([head, json, ...bodies]));
}

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
      feedback: [{ id: "i", createdAt: new Date("2026-11-21T00:00:00.000Z") }],
    });
  });

  it("reads inferences from before attempts had rows: their tokens were counted, and nobody knew what a cache saved", () => {
    const {
      usageEstimated: _,
      cacheSavedNanos: __,
      servedModel: _model,
      family: _family,
      decision: _decision,
      saved: _saved,
      twinKey: _key,
      ...before
    } = row;
    const json = { ...before, startedAt: 1_700_000_000_000 };
    const facts = {
      row: {
        ...{ ...row, startedAt: new Date(1_700_000_000_000), usageEstimated: false, cacheSavedNanos: null },
        ...{ servedModel: "", family: "", decision: null, saved: null, twinKey: null },
      },
      attempts: [],
    };
    expect(entryOf(2, json)).toEqual({
      kind: "inference",
      inference: { ...facts, request: undefined, response: undefined },
    });
    expect(entryOf(1, json, Buffer.from([2, 0, 0, 0]), Buffer.from("re"), Buffer.from("answer"))).toEqual({
      kind: "inference",
      inference: { ...facts, request: Buffer.from("re"), response: Buffer.from("answer") },
    });
  });

  it("reads inferences from before models were chosen, and from before it was told by kind what was saved", () => {
    const { twinKey: _key, ...unkept } = row;
    const { saved: _saved, ...unsaved } = unkept;
    const { servedModel: _, family: __, decision: ___, ...before } = unsaved;
    const [attempt] = recordToAttempts(record);
    const values = Object.entries(attempt ?? {}).filter(([name]) => name !== "id" && name !== "position");
    const byName = new Map<string, unknown>(values);
    const order =
      "role outcome isWinner upstream upstreamModel upstreamRequestId propensity startedAfterMs firstEventMs latencyMs " +
      "inputTokens cacheReadTokens cacheWriteTokens cacheWrite5mTokens cacheWrite1hTokens outputTokens reasoningTokens " +
      "usageEstimated costNanos losses errorReason errorMessage errorUpstreamStatus errorUpstreamCode";
    const asWritten = (facts: object) => [
      { ...facts, startedAt: row.startedAt.getTime() },
      [order.split(" ").map((name) => byName.get(name))],
    ];
    const bodies = [Buffer.from([2, 0, 0, 0]), Buffer.from("re"), Buffer.from("answer")];
    const none = { attempts: [attempt], request: undefined, response: undefined };
    const kept = { ...none, row: { ...row, twinKey: null } };
    expect(entryOf(9, asWritten(unkept))).toEqual({ kind: "inference", inference: kept });
    expect(entryOf(8, asWritten(unkept), ...bodies)).toEqual({
      kind: "inference",
      inference: { ...kept, request: Buffer.from("re"), response: Buffer.from("answer") },
    });
    const inference = { ...none, row: { ...row, saved: null, twinKey: null } };
    expect(entryOf(7, asWritten(unsaved))).toEqual({ kind: "inference", inference });
    expect(entryOf(6, asWritten(unsaved), ...bodies)).toEqual({
      kind: "inference",
      inference: { ...inference, request: Buffer.from("re"), response: Buffer.from("answer") },
    });
    const json = asWritten(before);
    const facts = {
      row: { ...row, servedModel: "", family: "", decision: null, saved: null, twinKey: null },
      attempts: [attempt],
    };
    // Attempts had as many values until their answers were checked.
    expect(entryOf(11, asWritten(row))).toEqual({ kind: "inference", inference: { ...none, row } });
    expect(entryOf(5, json)).toEqual({
      kind: "inference",
      inference: { ...facts, request: undefined, response: undefined },
    });
    expect(entryOf(4, json, ...bodies)).toEqual({
      kind: "inference",
      inference: { ...facts, request: Buffer.from("re"), response: Buffer.from("answer") },
    });
  });

  it.each([
    [
      "an unknown kind",
      Buffer.from([99, 2, 0, 0, 0, 0x7b, 0x7d]),
      /an entry of the kind 99, which this version does not know/,
    ],
    ["no bytes", Buffer.alloc(0), /an entry of the kind undefined/],
    ["half a head", Buffer.from([1, 2]), /outside buffer bounds/],
    ["JSON that ends early", Buffer.from([2, 200, 0, 0, 0, 0x7b]), /JSON/],
    ["bodies without their length", Buffer.from([1, 2, 0, 0, 0, 0x7b, 0x7d, 1]), /out of (range|bounds)/],
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
        "reasoningTokens usageEstimated costNanos baseCostNanos saved cacheSavedNanos finishReason rawFinishReason errorReason errorMessage errorUpstreamStatus " +
        "errorUpstreamCode deviation optimizations translationLosses previousId stored twinKey deletedAt",
    );
    expect(Object.keys(InferenceAttempt.meta.properties).join(" ")).toBe(
      "id position role outcome isWinner upstream upstreamModel upstreamRequestId propensity startedAfterMs firstEventMs " +
        "latencyMs inputTokens cacheReadTokens cacheWriteTokens cacheWrite5mTokens cacheWrite1hTokens outputTokens " +
        "reasoningTokens usageEstimated costNanos losses failedChecks score candidateReason errorReason errorMessage errorUpstreamStatus errorUpstreamCode",
    );
    expect(Object.keys(FeedbackEntry.meta.properties).join(" ")).toBe(
      "id inferenceId projectId keyId name kind booleanValue floatValue textValue tags optimize createdAt model workload",
    );
  });
});
