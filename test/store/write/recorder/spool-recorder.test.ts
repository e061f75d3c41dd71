import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createHubInput } from "../../../../src/hub/input.ts";
import { newId } from "../../../../src/lib/ids.ts";
import type { FeedbackEntryRow } from "../../../../src/store/entities/feedback-entry.ts";
import { DEFAULT_PROJECT } from "../../../../src/store/entities/project.ts";
import type { RecordBatch } from "../../../../src/store/types/record-batch.ts";
import { recordToRow } from "../../../../src/store/write/recorder/record-to-row.ts";
import { SpoolRecorder } from "../../../../src/store/write/recorder/spool-recorder.ts";
import type { StoreRecorder } from "../../../../src/store/write/recorder/store-recorder.ts";
import { Drainer } from "../../../../src/store/write/spool/drainer.ts";
import { Spool } from "../../../../src/store/write/spool/spool.ts";
import { inferenceRecord } from "../../../support/inference-record.ts";
import { useTemporaryFolders } from "../../../support/temporary-folder.ts";
import { waitFor } from "../../../support/wait.ts";

/** A database in memory that may be away. */
class FakeDatabase {
  isAway = false;
  readonly batches: RecordBatch[] = [];

  get inferences() {
    return this.batches.flatMap(({ inferences }) => inferences);
  }

  get ids(): string[] {
    return this.inferences.map(({ row }) => row.id);
  }

  async write(batch: RecordBatch): Promise<void> {
    await this.probe();
    this.batches.push(batch);
  }

  async probe(): Promise<void> {
    if (this.isAway) throw new Error("away");
  }

  isDataFault(): boolean {
    return false;
  }
}

interface Settings {
  readonly root?: string;
  readonly maxBytes?: number;
  readonly whenFull?: "shed" | "refuse";
  readonly closeTimeoutMs?: number;
}

describe("SpoolRecorder", () => {
  const newFolder = useTemporaryFolders();
  const open: StoreRecorder[] = [];
  afterEach(async () => {
    for (const recorder of open.splice(0)) await recorder.close();
  });

  function start({ root = join(newFolder(), "spool"), ...settings }: Settings = {}, database = new FakeDatabase()) {
    const said: string[] = [];
    const say = (_: object, text: string) => void said.push(text);
    const log = { warn: say, error: say };
    const spool = new Spool({ root, segmentBytes: 20_000, onError() {} });
    const recorder = new SpoolRecorder({
      spool,
      log,
      startDrain: (onReport) => new Drainer({ folder: spool.path, sink: database, log, onReport }),
      maxBytes: 1e6,
      whenFull: "shed",
      flushDelayMs: () => 5,
      closeTimeoutMs: 100,
      onClosed() {},
      ...settings,
    });
    open.push(recorder);
    return { recorder, database, said, spool, root };
  }

  const large = () =>
    inferenceRecord({
      input: createHubInput({
        messages: [{ content: [{ kind: { case: "text", value: { text: "x".repeat(2000) } } }] }],
      }),
    });

  const feedback = (id: string): FeedbackEntryRow => ({
    id,
    inferenceId: newId(),
    attempt: null,
    sessionId: null,
    rater: null,
    projectId: DEFAULT_PROJECT.id,
    keyId: "key",
    name: "good",
    kind: "boolean",
    booleanValue: true,
    floatValue: null,
    textValue: null,
    tags: {},
    optimize: null,
    createdAt: new Date(),
    model: "m",
    servedModel: "",
    workload: "",
  });

  it("has a record on the disk once offer() returns", () => {
    const { recorder, spool } = start();
    const record = inferenceRecord({ model: "a-model-that-is-named-here" });
    recorder.offer(record);
    const files = readdirSync(spool.path).filter((name) => name.endsWith(".spool"));
    expect(files.map((name) => readFileSync(join(spool.path, name), "latin1")).join()).toContain(record.model);
    expect(recorder.stats()).toMatchObject({ queued: 1, written: 0 });
  });

  it("finds and reads an inference until it is written, and nothing of it afterwards", async () => {
    const { recorder, database } = start();
    database.isAway = true;
    const record = inferenceRecord();
    recorder.offer(record);
    const { projectId, model, workload } = record;
    expect(recorder.find(record.id)).toMatchObject({ projectId, model, workload });
    const pending = { row: recordToRow(record), content: { input: record.input, output: record.output } };
    expect(recorder.pending(record.id)).toEqual(pending);
    await waitFor(() => expect(recorder.stats().database).toBe("away"));
    expect(recorder.pending(record.id)).toEqual(pending);
    database.isAway = false;
    await recorder.flush();
    expect([recorder.find(record.id), recorder.pending(record.id)]).toEqual([undefined, undefined]);
    expect(recorder.stats()).toEqual({
      queued: 0,
      spoolBytes: 0,
      unspooled: 0,
      written: 1,
      dropped: 0,
      droppedBodies: 0,
      failedWrites: expect.any(Number),
      rejected: 0,
      brokenBytes: 0,
      database: "ok",
    });
  });

  it("resolves flush() at once where nothing waits, and for each of many only after what was offered before", async () => {
    const { recorder, database } = start();
    await recorder.flush();
    const [first, second] = [inferenceRecord(), inferenceRecord()];
    recorder.offer(first);
    const flushed = recorder.flush().then(() => database.ids);
    recorder.offer(second);
    expect(await flushed).toContain(first.id);
    await recorder.flush();
    expect(database.ids).toEqual([first.id, second.id]);
  });

  it("sheds bodies at the bound, refuses new work well beyond it, and takes all again once there is room", async () => {
    const { recorder, database, said } = start({ maxBytes: 20_000, whenFull: "shed" });
    database.isAway = true;
    let offered = 0;
    for (; recorder.accepting; offered++) recorder.offer(large());
    const { spoolBytes, droppedBodies, dropped } = recorder.stats();
    expect(spoolBytes).toBeGreaterThanOrEqual(25_000);
    expect(droppedBodies).toBeGreaterThan(0);
    expect(dropped).toBe(0);
    expect(said).toContainEqual(expect.stringContaining("the spool is full"));
    expect(recorder.offerFeedback([feedback(newId())])).toBe(false);
    // What was under way is recorded all the same.
    recorder.offer(large());
    database.isAway = false;
    await recorder.flush();
    expect(recorder.accepting).toBe(true);
    const withoutBodies = database.inferences.filter(({ request }) => request === undefined);
    expect([database.ids.length, withoutBodies.length]).toEqual([offered + 1, droppedBodies + 1]);
    recorder.offer(large());
    await recorder.flush();
    expect(database.inferences.at(-1)?.request).toBeDefined();
  });

  it("refuses new work at the bound where it may shed nothing, and keeps the bodies of what is under way", async () => {
    const { recorder, database } = start({ maxBytes: 10_000, whenFull: "refuse" });
    database.isAway = true;
    let offered = 0;
    for (; recorder.accepting; offered++) recorder.offer(large());
    expect(recorder.stats().spoolBytes).toBeLessThan(13_500);
    recorder.offer(large());
    expect(recorder.offerFeedback([feedback(newId())])).toBe(recorder.stats().spoolBytes < 12_500);
    database.isAway = false;
    await recorder.flush();
    expect(recorder.accepting).toBe(true);
    expect(database.inferences.filter(({ request }) => request !== undefined)).toHaveLength(offered + 1);
    expect(recorder.stats()).toMatchObject({ dropped: 0, droppedBodies: 0 });
  });

  it("takes the feedback of one call as one", async () => {
    const { recorder, database } = start();
    const rows = Array.from({ length: 3000 }, () => feedback(newId()));
    expect(recorder.offerFeedback(rows)).toBe(true);
    await recorder.flush();
    expect(database.batches).toEqual([{ inferences: [], feedback: rows }]);
  });

  it("goes past a disk that takes nothing: through memory to the database", async () => {
    const { recorder, database, spool, said } = start();
    rmSync(spool.path, { recursive: true });
    database.isAway = true;
    const records = [inferenceRecord(), inferenceRecord()];
    for (const record of records) recorder.offer(record);
    expect(recorder.stats()).toMatchObject({ unspooled: 2, queued: 2, dropped: 0 });
    expect(recorder.pending(records[0]?.id ?? "")?.row).toEqual(recordToRow(records[0] ?? inferenceRecord()));
    expect(recorder.offerFeedback([feedback(newId())])).toBe(false);
    expect(recorder.accepting).toBe(true);
    expect(said).toContainEqual(expect.stringContaining("the disk doesn't accept records"));
    database.isAway = false;
    await waitFor(() => expect(recorder.stats()).toMatchObject({ unspooled: 0, queued: 0, written: 2 }));
    expect(database.ids).toEqual(records.map(({ id }) => id));
  });

  it("refuses new work for a second after the disk failed, where it may shed nothing", () => {
    const { recorder, spool } = start({ whenFull: "refuse" });
    rmSync(spool.path, { recursive: true });
    vi.useFakeTimers({ toFake: ["performance"] });
    try {
      recorder.offer(inferenceRecord());
      expect(recorder.accepting).toBe(false);
      vi.advanceTimersByTime(1001);
      expect(recorder.accepting).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  it("leaves what waits to the next recorder on its folder, which writes it exactly once", async () => {
    const database = new FakeDatabase();
    const { recorder, root, said } = start({}, database);
    const [written, ...left] = Array.from({ length: 5 }, () => inferenceRecord());
    if (written !== undefined) recorder.offer(written);
    await recorder.flush();
    database.isAway = true;
    for (const record of left) recorder.offer(record);
    const id = newId();
    expect(recorder.offerFeedback([feedback(id)])).toBe(true);
    await recorder.close();
    expect(said).toContain("records stay in the spool: the next process on this folder writes them");
    database.isAway = false;
    const next = start({ root }, new FakeDatabase());
    expect(next.said).toEqual(["took over records of processes that have ended"]);
    await next.recorder.flush();
    // The one that was written lies in the same segment; the database passes over it by its id.
    expect(next.database.ids).toEqual([written, ...left].map((record) => record?.id));
    expect(next.database.batches.flatMap((batch) => batch.feedback).map((row) => row.id)).toEqual([id]);
    await next.recorder.close();
    expect(readdirSync(root)).toEqual([]);
  });

  it("tries what was put aside once more at the next start", async () => {
    const refusing = Object.assign(new FakeDatabase(), {
      isDataFault: () => true,
      write: () => Promise.reject(new TypeError("refused")),
    });
    const { recorder, root } = start({}, refusing);
    const record = inferenceRecord();
    recorder.offer(record);
    await recorder.flush();
    expect(recorder.stats()).toMatchObject({ rejected: 1, written: 0, queued: 0 });
    await recorder.close();
    expect(readdirSync(root)).toEqual([expect.stringMatching(/^rejected-.*\.spool$/)]);
    const next = start({ root });
    await next.recorder.flush();
    expect(next.database.ids).toEqual([record.id]);
    await next.recorder.close();
    expect(readdirSync(root)).toEqual([]);
  });

  it("counts what comes after its end, and ends once", async () => {
    const { recorder, spool } = start();
    await Promise.all([recorder.close(), recorder.close()]);
    expect(existsSync(spool.path)).toBe(false);
    expect(recorder.accepting).toBe(false);
    recorder.offer(inferenceRecord());
    expect(recorder.offerFeedback([feedback(newId())])).toBe(false);
    expect(recorder.stats()).toMatchObject({ dropped: 1, queued: 0 });
  });
});
