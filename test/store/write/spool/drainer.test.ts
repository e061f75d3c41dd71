import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { newId } from "../../../../src/lib/ids.ts";
import type { RecordBatch } from "../../../../src/store/types/record-batch.ts";
import { recordToRow } from "../../../../src/store/write/recorder/record-to-row.ts";
import type { DrainReport } from "../../../../src/store/write/spool/drain.ts";
import { Drainer, type DrainSink } from "../../../../src/store/write/spool/drainer.ts";
import { decodeEntry, encodeFeedback, encodeInference } from "../../../../src/store/write/spool/entry.ts";
import { readFrames } from "../../../../src/store/write/spool/frame.ts";
import { isReached } from "../../../../src/store/write/spool/position.ts";
import { Spool } from "../../../../src/store/write/spool/spool.ts";
import { inferenceRecord } from "../../../support/inference-record.ts";
import { useTemporaryFolders } from "../../../support/temporary-folder.ts";
import { waitFor } from "../../../support/wait.ts";

const DATA_FAULT = new TypeError("this value cannot be");
const PASSING = new Error("the connection ended");
const row = recordToRow(inferenceRecord());
const payloadOf = (id: string) =>
  encodeInference({ row: { ...row, id }, attempts: [], request: undefined, response: undefined });

/** A database that does what it is told. */
class ScriptedSink implements DrainSink {
  /** Ids in the order of their first writing. */
  readonly ids: string[] = [];
  readonly sizes: number[] = [];
  canWrite = true;
  /** Throws, or holds up, a batch before it is written. */
  before: (ids: readonly string[]) => void | Promise<void> = () => {};

  async write({ inferences, feedback }: RecordBatch): Promise<void> {
    const ids = [...inferences.map((inference) => inference.row.id), ...feedback.map(({ id }) => id)];
    this.sizes.push(ids.length);
    await this.before(ids);
    this.ids.push(...ids.filter((id) => !this.ids.includes(id)));
  }

  async probe(): Promise<void> {
    if (!this.canWrite) throw PASSING;
  }

  isDataFault(error: unknown): boolean {
    return error === DATA_FAULT;
  }
}

describe("Drainer", () => {
  const newFolder = useTemporaryFolders();
  const open: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });

  function start(most?: number, segmentBytes = 2500) {
    const spool = new Spool({ root: join(newFolder(), "spool"), segmentBytes, onError() {} });
    const sink = new ScriptedSink();
    const reports: DrainReport[] = [];
    const said: string[] = [];
    const facts: object[] = [];
    const take = (given: object, text: string): void => {
      facts.push(given);
      said.push(text);
    };
    const log = { warn: take, error: take };
    const onReport = (report: DrainReport) => void reports.push(report);
    const batchSize = most === undefined ? undefined : () => most;
    const drainer = new Drainer({ folder: spool.path, sink, log, onReport, batchSize });
    open.push(drainer, spool);
    return {
      spool,
      sink,
      drainer,
      reports,
      said,
      facts,
      append: (...ids: string[]) => ids.map((id) => spool.append(payloadOf(id))),
      announce: () => drainer.announce(spool.end),
      latest: () => reports.at(-1),
      written: () => waitFor(() => expect(reports.at(-1)?.through).toEqual(spool.end)),
    };
  }

  const rejected = (spool: Spool) =>
    readdirSync(dirname(spool.path))
      .filter((name) => name.startsWith("rejected-"))
      .flatMap((name) => {
        const bytes = readFileSync(join(dirname(spool.path), name));
        return readFrames(bytes, { frames: 1000, isComplete: true }).frames.map(({ payload }) => payload);
      });

  it("writes entries in their order, in batches, over many segments", async () => {
    const { append, announce, written, sink, latest } = start(3);
    const ids = Array.from({ length: 20 }, (_, index) => `id-${index}`);
    append(...ids);
    announce();
    await written();
    expect(sink.ids).toEqual(ids);
    expect(Math.max(...sink.sizes)).toBe(3);
    expect(latest()).toMatchObject({ written: 20, failedWrites: 0, rejected: 0, brokenBytes: 0, database: "ok" });
  });

  it("writes nothing that was not announced", async () => {
    const { append, announce, drainer, spool, sink, written } = start();
    append("a");
    announce();
    append("b");
    await waitFor(() => expect(sink.ids).toEqual(["a"]));
    drainer.announce(spool.end);
    await written();
    expect(sink.ids).toEqual(["a", "b"]);
  });

  it("writes what is in no file, and tells up to which", async () => {
    const { drainer, sink, latest } = start();
    const item = (sequence: number) => ({ sequence, payload: Buffer.concat(payloadOf(`direct-${sequence}`)) });
    drainer.take([item(1), item(2)]);
    drainer.take([item(3)]);
    await waitFor(() => expect(latest()?.directThrough).toBe(3));
    expect(sink.ids).toEqual(["direct-1", "direct-2", "direct-3"]);
  });

  it("waits for a database that is away, tells so once, and goes on where it was", async () => {
    const { append, announce, written, sink, latest, said, reports } = start(4);
    sink.canWrite = false;
    sink.before = () => {
      if (!sink.canWrite) throw PASSING;
    };
    append("a", "b", "c");
    announce();
    await waitFor(() => expect(latest()).toMatchObject({ database: "away", written: 0 }));
    await waitFor(() => expect(latest()?.failedWrites).toBeGreaterThan(3));
    sink.canWrite = true;
    await written();
    expect(sink.ids).toEqual(["a", "b", "c"]);
    expect(latest()).toMatchObject({ database: "ok", written: 3, rejected: 0 });
    expect(reports.filter((report) => report.database !== "ok").every(({ written }) => written === 0)).toBe(true);
    expect(said).toEqual(["the database doesn't accept records; they wait in the spool"]);
  });

  it("puts nothing aside for errors that are not the data's, however often they come, but says that nothing goes in", async () => {
    const { append, announce, written, sink, latest } = start(1);
    let isLocked = true;
    sink.before = () => {
      if (isLocked) throw PASSING;
    };
    append("a", "b");
    announce();
    await waitFor(() => expect(latest()).toMatchObject({ database: "away", failedWrites: 5 }));
    isLocked = false;
    await written();
    expect(sink.ids).toEqual(["a", "b"]);
    expect(latest()).toMatchObject({ rejected: 0, database: "ok" });
  });

  it.each([0, 7, 19])(
    "puts aside the one entry that the database refuses, the %dth of 20, and writes the others",
    async (at) => {
      const { append, announce, written, sink, latest, spool, said, facts } = start(20);
      const ids = Array.from({ length: 20 }, (_, index) => `id-${index}`);
      sink.before = (batch) => {
        if (batch.includes(`id-${at}`)) throw DATA_FAULT;
      };
      append(...ids);
      announce();
      await written();
      expect(sink.ids).toEqual(ids.toSpliced(at, 1));
      expect(latest()).toMatchObject({ written: 19, rejected: 1, database: "ok" });
      const entries = rejected(spool).map((payload) => decodeEntry(payload));
      expect(entries).toMatchObject([{ kind: "inference", inference: { row: { id: `id-${at}` } } }]);
      expect(said).toEqual(["the database rejected an entry of the spool; moved to the rejected folder"]);
      expect(facts).toMatchObject([{ inferenceId: `id-${at}`, requestId: "mine-1" }]);
    },
  );

  it("puts aside what this version cannot decode, as it is", async () => {
    const { append, announce, written, sink, spool, latest } = start();
    append("a");
    spool.append([Buffer.from([77, 0, 0, 0, 0])]);
    append("b");
    announce();
    await written();
    expect(sink.ids).toEqual(["a", "b"]);
    expect([rejected(spool), latest()?.rejected]).toEqual([[Buffer.from([77, 0, 0, 0, 0])], 1]);
  });

  it("counts inferences only, and writes the feedback of one call together", async () => {
    const { append, announce, written, sink, latest, spool } = start();
    const feedback = Array.from({ length: 3 }, (_, index) => ({ id: `feedback-${index}`, createdAt: new Date(0) }));
    append("a");
    spool.append(encodeFeedback(feedback as never));
    announce();
    await written();
    expect([sink.ids, sink.sizes, latest()?.written]).toEqual([
      ["a", "feedback-0", "feedback-1", "feedback-2"],
      [4],
      1,
    ]);
  });

  it("ends after the write under way, and leaves the rest", async () => {
    const { append, announce, drainer, sink, latest } = start(1);
    const held = Promise.withResolvers<void>();
    sink.before = () => held.promise;
    const [first] = append("a", "b");
    announce();
    await waitFor(() => expect(sink.sizes).toEqual([1]));
    const closed = drainer.close();
    held.resolve();
    await closed;
    expect(sink.ids).toEqual(["a"]);
    expect(latest()?.through).toEqual({ segment: 1, offset: first?.length });
  });

  it("goes on from where another one was", async () => {
    const { append, announce, drainer, written, spool, sink } = start();
    append("a", "b");
    announce();
    await written();
    await drainer.close();
    const from = spool.end;
    append("c");
    const again = new Drainer({ folder: spool.path, from, sink, log: { warn() {}, error() {} }, onReport() {} });
    open.push(again);
    again.announce(spool.end);
    await waitFor(() => expect(sink.ids).toEqual(["a", "b", "c"]));
  });

  it("loses and doubles nothing, and is never ahead of the database, whatever fails", async () => {
    const failures = fc.array(fc.constantFrom("none", "none", "none", "before", "after", "fault"), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        failures,
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 100, max: 3000 }),
        async (plan, size, bytes) => {
          const { spool, sink, drainer, append, announce, written, reports } = start(size, bytes);
          const ids = Array.from({ length: 15 }, () => newId());
          const poison = ids[4] ?? "";
          const script = [...plan];
          const write = sink.write.bind(sink);
          sink.write = async (batch) => {
            const next = script.shift();
            if (next === "before") throw PASSING;
            if (batch.inferences.some(({ row: { id } }) => id === poison)) throw DATA_FAULT;
            await write(batch);
            // The answer to the commit was lost.
            if (next === "after") throw PASSING;
          };
          const places = append(...ids);
          announce();
          await written();
          await drainer.close();
          expect(sink.ids).toEqual(ids.filter((id) => id !== poison));
          expect(rejected(spool)).toHaveLength(1);
          const order = reports.map(({ through, written: count, rejected: aside }) => {
            const done = places.filter(({ segment, offset, length }) =>
              isReached({ segment, offset: offset + length }, through),
            );
            return done.length <= count + aside;
          });
          expect(order).not.toContain(false);
        },
      ),
      { numRuns: 15 },
    );
  }, 60_000);
});
