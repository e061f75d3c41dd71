import { create, toBinary } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { GenerateResponseSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../../../src/hub/error.ts";
import { encodeRequest } from "../../../../src/hub/request-bytes.ts";
import type { AttemptRecord, InferenceRecord } from "../../../../src/inference/ports.ts";
import { newId } from "../../../../src/lib/ids.ts";
import type { FeedbackEntryRow } from "../../../../src/store/entities/feedback-entry.ts";
import type { InferenceWrite } from "../../../../src/store/types/record-batch.ts";
import { recordToAttempts, recordToRow } from "../../../../src/store/write/recorder/record-to-row.ts";
import { writeBatch } from "../../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { DECISION, inferenceRecord } from "../../../support/inference-record.ts";
import { readInference } from "../../../support/read-inference.ts";
import { RANKING } from "../../../support/rows.ts";

const COMPARED = { candidateReason: "not_drawn", ranking: RANKING } as const;

function toWrite(record: InferenceRecord): InferenceWrite {
  return {
    row: recordToRow(record),
    attempts: recordToAttempts(record),
    request: encodeRequest(record.input),
    response: toBinary(GenerateResponseSchema, record.output),
  };
}

/** The attempts of an inference whose first deployment was overloaded. */
function failedOver(): AttemptRecord[] {
  const [served] = inferenceRecord().attempts as readonly [AttemptRecord];
  const error = new InferenceError(ErrorReason.UPSTREAM_OVERLOADED, "it's \\ busy 👋", { upstreamStatus: 529 });
  const nothing = { firstEventMs: undefined, usage: undefined, costNanos: undefined, upstreamRequestId: "" };
  return [
    { ...served, ...nothing, upstream: "other", outcome: "failed", isWinner: false, error, losses: [] },
    {
      ...served,
      role: "failover",
      startedAfterMs: 12.25,
      propensity: 0.125,
      failedChecks: ["schema_mismatch", "empty"],
    },
    { ...served, role: "candidate", isWinner: false, failedChecks: [], score: 0.625, ...COMPARED },
  ];
}

function feedbackRow(changes: Partial<FeedbackEntryRow> = {}): FeedbackEntryRow {
  return {
    id: newId(),
    inferenceId: newId(),
    attempt: null,
    sessionId: null,
    rater: null,
    projectId: newId(),
    keyId: "abcdefghijkl",
    name: "quality",
    kind: "float",
    booleanValue: null,
    floatValue: 5e-324,
    textValue: null,
    tags: { "it's": 'a "tag" 👋' },
    optimize: "max",
    createdAt: new Date("2026-11-21T02:31:00.123Z"),
    model: "some-model",
    servedModel: "",
    workload: "support",
    ...changes,
  };
}

describe.each(ENGINES)("writeBatch() on %s", (engine) => {
  const databases = useDatabases(engine);

  it("writes inferences with their bodies, and feedback, as they are", async () => {
    const { store } = databases;
    const long = inferenceRecord({ model: "m".repeat(10_000), servedModel: "other-model", decision: DECISION });
    const plain = inferenceRecord({ usage: undefined });
    const entries = [
      feedbackRow(),
      feedbackRow({ kind: "boolean", floatValue: null, booleanValue: false }),
      feedbackRow({ kind: "note", floatValue: null, textValue: "it's \\ fine", tags: {}, optimize: null }),
    ];
    const bodiless = { ...toWrite(inferenceRecord()), request: undefined, response: undefined };
    await writeBatch(store, { inferences: [toWrite(plain), toWrite(long), bodiless], feedback: entries });
    for (const { id, input, output } of [long, plain]) {
      const read = await readInference(store, id);
      expect(read?.row).toEqual(recordToRow(id === long.id ? long : plain));
      expect(read?.content).toMatchObject({ input, output });
    }
    expect(await readInference(store, bodiless.row.id)).toEqual({ row: bodiless.row, content: undefined });
    const rows = await store.query().selectFrom("FeedbackEntry").selectAll().orderBy("id").execute();
    expect(rows).toEqual(entries);
  });

  it("writes bodies of one batch after another as they are, also where two are written at a time", async () => {
    const { store } = databases;
    const records = Array.from({ length: 12 }, (_, at) => {
      const text = `${at} says ${String(at).repeat(4000)}`;
      const content = [{ kind: { case: "text" as const, value: { text } } }];
      return inferenceRecord({ output: create(GenerateResponseSchema, { content }) });
    });
    const write = (from: number) =>
      writeBatch(store, { inferences: records.slice(from, from + 3).map(toWrite), feedback: [] });
    await write(0);
    await Promise.all([write(3), write(6)]);
    await write(9);
    for (const { id, output } of records) expect((await readInference(store, id))?.content?.output).toEqual(output);
  });

  it("writes each attempt as it is, and keeps those that are there when a batch comes twice", async () => {
    const { store } = databases;
    const twice = inferenceRecord({ attempts: failedOver() });
    const [none, one] = [inferenceRecord({ attempts: [] }), inferenceRecord()];
    const writes = [twice, none, one].map(toWrite);
    await writeBatch(store, { inferences: writes, feedback: [] });
    const read = async () => {
      const rows = store.query().selectFrom("InferenceAttempt").selectAll().orderBy("id").orderBy("position");
      return await rows.where("id", "in", [twice.id, none.id, one.id]).execute();
    };
    expect(await read()).toEqual([...recordToAttempts(twice), ...recordToAttempts(one)]);
    const again = writes.map((write) => ({
      ...write,
      attempts: [...write.attempts, ...write.attempts].map((row, position) => ({
        ...row,
        position,
        outcome: "another",
      })),
    }));
    await writeBatch(store, { inferences: again, feedback: [] });
    expect(await read()).toEqual([...recordToAttempts(twice), ...recordToAttempts(one)]);
  });

  it("writes no attempt if a part of the batch cannot be written", async () => {
    const { store } = databases;
    const write = toWrite(inferenceRecord());
    const broken = { ...feedbackRow(), name: null } as unknown as FeedbackEntryRow;
    await expect(writeBatch(store, { inferences: [write], feedback: [broken] })).rejects.toThrow();
    const rows = store.query().selectFrom("InferenceAttempt").selectAll().where("id", "=", write.row.id);
    expect(await rows.execute()).toEqual([]);
  });

  it("leaves what is there as it is, and brings no deleted body back", async () => {
    const { store } = databases;
    const first = toWrite(inferenceRecord());
    const entry = feedbackRow();
    await writeBatch(store, { inferences: [first], feedback: [entry] });
    await store.query().deleteFrom("InferenceBody").where("id", "=", first.row.id).execute();
    const second = toWrite(inferenceRecord());
    const changed = { ...first, row: { ...first.row, model: "another" } };
    await writeBatch(store, { inferences: [second, changed], feedback: [{ ...entry, name: "another" }] });
    expect(await readInference(store, first.row.id)).toEqual({ row: first.row, content: undefined });
    expect((await readInference(store, second.row.id))?.content).toBeDefined();
    const rows = await store.query().selectFrom("FeedbackEntry").selectAll().where("id", "=", entry.id).execute();
    expect(rows).toEqual([entry]);
  });

  it("writes nothing if a part of it cannot be written", async () => {
    const { store } = databases;
    const write = toWrite(inferenceRecord());
    const broken = { ...feedbackRow(), name: null } as unknown as FeedbackEntryRow;
    await expect(writeBatch(store, { inferences: [write], feedback: [broken] })).rejects.toThrow();
    expect(await readInference(store, write.row.id)).toBeUndefined();
  });

  it("writes a batch of nothing", async () => {
    await writeBatch(databases.store, { inferences: [], feedback: [] });
  });

  it("lets several write the same rows at once, in any order", async () => {
    const { store } = databases;
    const writes = Array.from({ length: 40 }, () => toWrite(inferenceRecord()));
    const orders = [writes, writes.toReversed(), [...writes.slice(20), ...writes.slice(0, 20)]];
    await Promise.all(orders.map((inferences) => writeBatch(store, { inferences, feedback: [] })));
    const ids = writes.map(({ row }) => row.id);
    const rows = await store.query().selectFrom("Inference").select("id").where("id", "in", ids).execute();
    expect(rows.map(({ id }) => id).sort()).toEqual(ids);
  });
});
