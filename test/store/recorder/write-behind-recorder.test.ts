import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { InferenceRecord } from "../../../src/inference/ports.ts";
import type { Log } from "../../../src/store/log.ts";
import type { RecorderOptions } from "../../../src/store/recorder/recorder.ts";
import { type RecordSink, WriteBehindRecorder } from "../../../src/store/recorder/write-behind-recorder.ts";
import type { PendingRow } from "../../../src/store/recorder/write-records.ts";
import { inferenceRecord } from "../../support/inference-record.ts";

const recorders: WriteBehindRecorder[] = [];

/** A recorder on a scripted database. */
function setUp(options: RecorderOptions = {}) {
  const database = {
    away: false,
    /** Ids that it refuses, and every batch that holds one. */
    refused: new Set<string>(),
    written: [] as PendingRow[],
    batches: [] as number[],
    hold: Promise.resolve(),
  };
  const logged: string[] = [];
  const log: Log = {
    warn: (_facts, message) => logged.push(message),
    error: (_facts, message) => logged.push(message),
  };
  const check = (): void => {
    if (database.away) throw new Error("connection refused");
  };
  const sink: RecordSink = {
    async write(batch) {
      database.batches.push(batch.length);
      await database.hold;
      check();
      if (batch.some(({ row }) => database.refused.has(row.id))) throw new Error("value out of range");
      database.written.push(...batch);
      return [];
    },
    probe: async () => check(),
  };
  const recorder = new WriteBehindRecorder(sink, { log, flushIntervalMs: 5, closeTimeoutMs: 50, ...options });
  recorders.push(recorder);
  return { recorder, database, logged, ids: () => database.written.map(({ row }) => row.id) };
}

function offer(recorder: WriteBehindRecorder, count: number): InferenceRecord[] {
  const records = Array.from({ length: count }, () => inferenceRecord());
  for (const record of records) recorder.offer(record);
  return records;
}

afterEach(async () => {
  for (const recorder of recorders.splice(0)) await recorder.close();
});

describe("WriteBehindRecorder", () => {
  it("writes by itself, in batches and in order", async () => {
    const { recorder, database, ids } = setUp({ batchSize: 4 });
    const records = offer(recorder, 10);
    await delay(50);
    expect(ids()).toEqual(records.map(({ id }) => id));
    expect(database.batches).toEqual([4, 4, 2]);
    expect(recorder.stats()).toEqual({ queued: 0, written: 10, dropped: 0, droppedBodies: 0, failedWrites: 0 });
  });

  it("finds a record until it is written", async () => {
    const { recorder, database } = setUp();
    let release = () => {};
    database.hold = new Promise((done) => {
      release = done;
    });
    const [record] = offer(recorder, 1);
    const id = record?.id ?? "";
    expect(recorder.find(id)).toMatchObject({ projectId: record?.projectId });
    const flushed = recorder.flush();
    await delay(10);
    expect(database.batches).toEqual([1]);
    expect(recorder.find(id)).toMatchObject({ projectId: record?.projectId });
    release();
    await flushed;
    expect(recorder.find(id)).toBeUndefined();
    expect(recorder.find("another")).toBeUndefined();
  });

  it("writes what was offered during a write", async () => {
    const { recorder, ids } = setUp();
    const first = offer(recorder, 1);
    const flushed = recorder.flush();
    const second = offer(recorder, 1);
    await flushed;
    await recorder.flush();
    expect(ids()).toEqual([...first, ...second].map(({ id }) => id));
  });

  it("keeps everything while the database is away, complains once, and writes it when it is back", async () => {
    const { recorder, database, ids, logged } = setUp({ batchSize: 8 });
    database.away = true;
    const records = offer(recorder, 20);
    const flushed = recorder.flush();
    await delay(200);
    expect(recorder.stats()).toMatchObject({ queued: 20, written: 0, dropped: 0 });
    expect(recorder.stats().failedWrites).toBeGreaterThan(1);
    expect(logged).toEqual(["cannot write inferences to the database; they are kept and tried again"]);
    database.away = false;
    await flushed;
    expect(ids().sort()).toEqual(records.map(({ id }) => id).sort());
    expect(recorder.stats()).toMatchObject({ queued: 0, written: 20, dropped: 0 });
  });

  it("finds out the one record that the database refuses, and writes all others", async () => {
    const { recorder, database, ids, logged } = setUp({ batchSize: 4 });
    const records = offer(recorder, 4);
    const bad = records[1]?.id ?? "";
    database.refused.add(bad);
    await recorder.flush();
    const good = records.map(({ id }) => id).filter((id) => id !== bad);
    expect(ids().sort()).toEqual(good.sort());
    expect(recorder.stats()).toMatchObject({ queued: 0, dropped: 1 });
    expect(logged).toContain("the database refuses a record for good: it is dropped");
  });

  it("gives up bodies at the bound, and records far beyond it", async () => {
    const { recorder, database, logged } = setUp({ maxQueued: 2 });
    database.away = true;
    offer(recorder, 20);
    expect(recorder.stats()).toMatchObject({ queued: 16, droppedBodies: 14, dropped: 4 });
    expect(logged).toEqual(["records wait for the database beyond the bound"]);
    database.away = false;
    await recorder.flush();
    expect(database.written.map(({ content }) => content !== undefined)).toEqual([
      true,
      true,
      ...Array(14).fill(false),
    ]);
  });

  it("never throws, whatever it is offered", () => {
    const { recorder } = setUp();
    const broken = { ...inferenceRecord(), output: undefined } as unknown as InferenceRecord;
    expect(() => recorder.offer(broken)).not.toThrow();
    expect(recorder.stats()).toMatchObject({ queued: 0, dropped: 1 });
  });

  it("writes the rest when it is closed, and takes nothing more", async () => {
    const { recorder, ids } = setUp({ flushIntervalMs: 60_000 });
    const records = offer(recorder, 3);
    await recorder.close();
    expect(ids()).toEqual(records.map(({ id }) => id));
    offer(recorder, 1);
    expect(recorder.stats()).toMatchObject({ queued: 0, written: 3, dropped: 1 });
  });

  it("closes in time while the database is away, and says what is lost", async () => {
    const { recorder, database, logged } = setUp();
    database.away = true;
    offer(recorder, 3);
    const start = performance.now();
    await recorder.close();
    expect(performance.now() - start).toBeLessThan(500);
    expect(recorder.stats()).toMatchObject({ queued: 0, dropped: 3 });
    expect(logged).toContain("the waiting records are lost: the database did not take them in time");
  });
});
