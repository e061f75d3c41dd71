import { create, equals } from "@bufbuild/protobuf";
import { afterEach, describe, expect, it } from "vitest";
import { GenerateResponseSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { createHubInput } from "../../../../src/hub/input.ts";
import { newId } from "../../../../src/lib/ids.ts";
import { recordToRow } from "../../../../src/store/write/recorder/record-to-row.ts";
import { createRecorder, type RecorderOptions } from "../../../../src/store/write/recorder/recorder.ts";
import type { StoreRecorder } from "../../../../src/store/write/recorder/store-recorder.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { inferenceRecord } from "../../../support/inference-record.ts";
import { readInference } from "../../../support/read-inference.ts";

describe.each(ENGINES)("createRecorder() on %s", (engine) => {
  const databases = useDatabases(engine);
  const recorders: StoreRecorder[] = [];

  function start(options: RecorderOptions = {}): StoreRecorder {
    const recorder = createRecorder(databases.store, options);
    recorders.push(recorder);
    return recorder;
  }

  afterEach(async () => {
    for (const recorder of recorders.splice(0)) await recorder.close();
  });

  it("writes an inference whole: its row, its request and its response", async () => {
    const recorder = start();
    const record = inferenceRecord();
    recorder.offer(record);
    await recorder.flush();
    const stored = await readInference(databases.store, record.id);
    expect({ ...stored?.row }).toEqual(recordToRow(record));
    const { input, output } = stored?.content ?? {};
    expect(input).toEqual(record.input);
    expect(output !== undefined && equals(GenerateResponseSchema, output, record.output)).toBe(true);
  });

  it("keeps unknown facts unknown", async () => {
    const recorder = start();
    const record = inferenceRecord({
      status: "canceled",
      usage: undefined,
      costNanos: undefined,
      timeToFirstTokenMs: undefined,
      output: create(GenerateResponseSchema),
    });
    recorder.offer(record);
    await recorder.flush();
    expect({ ...(await readInference(databases.store, record.id))?.row }).toEqual(recordToRow(record));
  });

  it("compresses large bodies and returns them as they were", async () => {
    const recorder = start();
    const text = "the same words again and again. ".repeat(20_000);
    const input = createHubInput({
      model: "attune/m",
      messages: [{ content: [{ kind: { case: "text", value: { text } } }] }],
    });
    const record = inferenceRecord({ input });
    recorder.offer(record);
    await recorder.flush();
    const stored = await readInference(databases.store, record.id);
    expect(stored?.content?.input).toEqual(input);
    const body = await databases.store
      .query()
      .selectFrom("InferenceBody")
      .select("request")
      .where("id", "=", record.id)
      .executeTakeFirstOrThrow();
    expect(body.request.length).toBeLessThan(text.length / 100);
  });

  it("writes an inference once, also when it is offered again", async () => {
    const recorder = start();
    const record = inferenceRecord({ latencyMs: 1 });
    recorder.offer(record);
    await recorder.flush();
    recorder.offer({ ...record, latencyMs: 2 });
    await recorder.flush();
    expect((await readInference(databases.store, record.id))?.row.latencyMs).toBe(1);
  });

  it("keeps the row of an inference whose body cannot be encoded", async () => {
    const recorder = start();
    const output = create(GenerateResponseSchema, { finished: { usage: { inputTokens: 1.5 } } });
    const record = inferenceRecord({ output });
    recorder.offer(record);
    await recorder.flush();
    expect(await readInference(databases.store, record.id)).toMatchObject({
      row: { id: record.id },
      content: undefined,
    });
    expect(recorder.stats()).toMatchObject({ written: 1, droppedBodies: 1 });
  });

  it("writes others beside one that the database refuses", async () => {
    const recorder = start({ batchSize: 4 });
    const records = [inferenceRecord(), inferenceRecord({ id: "not a uuid", projectId: "neither" }), inferenceRecord()];
    for (const record of records) recorder.offer(record);
    await recorder.flush();
    expect(await readInference(databases.store, records[0]?.id ?? "")).toBeDefined();
    expect(await readInference(databases.store, records[2]?.id ?? "")).toBeDefined();
    // SQLite takes any text for a UUID.
    expect(recorder.stats()).toMatchObject({ dropped: 0, rejected: engine === "postgres" ? 1 : 0 });
  });

  it("writes a thousand, and loses none", async () => {
    const { store } = databases;
    const count = () => store.query().selectFrom("Inference").select(["id"]).execute();
    const before = (await count()).length;
    const recorder = start();
    for (let i = 0; i < 1000; i++) recorder.offer(inferenceRecord());
    await recorder.flush();
    expect((await count()).length - before).toBe(1000);
    expect(recorder.stats()).toMatchObject({ written: 1000, dropped: 0, failedWrites: 0 });
  });
});

describe.each(ENGINES)("readInference() on %s", (engine) => {
  const databases = useDatabases(engine);

  it("finds nothing under an unknown id", async () => {
    expect(await readInference(databases.store, newId())).toBeUndefined();
  });
});
