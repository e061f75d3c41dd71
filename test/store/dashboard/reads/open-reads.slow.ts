import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { stateByError } from "../../../../src/lib/database-state.ts";
import { newId } from "../../../../src/lib/ids.ts";
import { type OpenReads, openReads } from "../../../../src/store/dashboard/reads/open-reads.ts";
import { createStoreReads } from "../../../../src/store/dashboard/reads/reads.ts";
import { parseDatabaseUrl } from "../../../../src/store/database/database-url.ts";
import { openReadOnly, openStore } from "../../../../src/store/database/open-store.ts";
import { withStatementLimit } from "../../../../src/store/database/statement-limit.ts";
import { NAMES_PER_PROJECT } from "../../../../src/store/entities/rollup-name.ts";
import { SILENT_LOG } from "../../../../src/store/types/log.ts";
import type { Store } from "../../../../src/store/types/store.ts";
import { writeBatch } from "../../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { feedbackRow, idAt, inferenceRow } from "../../../support/rows.ts";
import { waitUntil } from "../../../support/wait.ts";

const AT = "2026-11-21T10:30:00Z";
const RANGE = { from: new Date("2026-11-01T00:00:00Z"), to: new Date("2026-12-01T00:00:00Z") };

const stateOf = (work: Promise<unknown>) => work.then(() => "ok", stateByError);

let made = 0;

async function write(store: Store, projectId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => idAt(AT, ++made));
  await writeBatch(store, {
    inferences: ids.map((id, index) => ({
      row: inferenceRow({ id, projectId, startedAt: new Date(AT), previousId: ids[index - 1] ?? null, stored: true }),
      attempts: [],
      request: new Uint8Array([10, 1, index]),
      response: new Uint8Array(),
    })),
    feedback: ids.map((inferenceId, index) =>
      feedbackRow({
        id: idAt(AT, ++made),
        projectId,
        inferenceId,
        createdAt: new Date(AT),
        ...(index === 0 ? { kind: "note", floatValue: null, textValue: "Good" } : {}),
      }),
    ),
  });
  return ids;
}

describe.each(ENGINES)("the reads of a dashboard on %s", (engine) => {
  const databases = useDatabases(engine);
  let opened: OpenReads;

  beforeEach(() => {
    opened = openReads(databases.store, { databaseUrl: databases.url, log: SILENT_LOG });
  });

  afterEach(() => opened.close());

  it("give what the connection of the store gives", async () => {
    const projectId = newId();
    const ids = await write(databases.store, projectId, 3);
    const [last = ""] = ids.slice(-1);
    const hours = { fromMs: RANGE.from.getTime(), toMs: RANGE.to.getTime(), stepMs: 86_400_000, periodMs: 86_400_000 };
    const minutes = { ...hours, fromMs: Date.parse(AT) - 60_000, toMs: Date.parse(AT) + 60_000, stepMs: 60_000 };
    const all = (reads: OpenReads["reads"]) =>
      Promise.all([
        reads.compareModels({ projectId, range: RANGE }),
        reads.listFeedback({ projectId, limit: 2 }),
        reads.listHistory({ projectId, limit: 2 }),
        reads.readBodySizes(ids),
        reads.readAttempts(ids),
        reads.readEarlier({ projectId, previousId: last, limit: 2 }),
        reads.readFacets({ projectId }),
        reads.readFeedbackSizes({ inferenceIds: ids, limit: 10 }),
        reads.readFigures({ projectId, ...hours, group: "model" }),
        reads.readFigures({ projectId, ...minutes, group: "deployment" }),
        reads.readInferenceWithFeedback(projectId, last),
        reads.readInferenceWithFeedback(newId(), last),
        reads.readMeasures({ projectId, range: RANGE, bucket: "day", by: ["key"], measures: ["calls", "cost"] }),
        reads.readMetricSteps({ projectId, ...hours, group: "none" }),
        reads.readNames(projectId),
        reads.searchNotes({ projectId, text: "good", limit: 5 }),
        reads.selectBodies(ids),
        reads.readFeedbackSizes({ inferenceIds: ids, limit: 10 }).then((sizes) => {
          return reads.selectFeedback(sizes.map(({ id }) => id));
        }),
      ]);
    const own = await all(createStoreReads(databases.store));
    expect(own[2]?.rows.map(({ id }) => id)).toEqual(ids.slice(1).toReversed());
    expect(own[10]).toMatchObject({ row: { id: last, startedAt: new Date(AT) }, feedback: [{ inferenceId: last }] });
    expect(own[8].total.calls).toBe(3);
    expect(own[15].rows).toMatchObject([{ textValue: "Good" }]);
    expect(own[17].map(({ inferenceId }) => inferenceId)).toEqual(ids);
    // Bytes are those of a driver where no thread is between.
    expect(structuredClone(await all(opened.reads))).toEqual(structuredClone(own));
  });

  it("see what was written just before", async () => {
    const projectId = newId();
    for (let count = 1; count <= 20; count += 1) {
      const row = inferenceRow({ projectId });
      const batch = { row, attempts: [], request: undefined, response: undefined };
      await writeBatch(databases.store, { inferences: [batch], feedback: [] });
      const { rows } = await opened.reads.listHistory({ projectId, limit: 50 });
      expect([rows.length, rows[0]]).toMatchObject([count, row]);
    }
  });

  it("throw what a read throws", async () => {
    const refused = opened.reads.listHistory({ projectId: newId(), limit: 0 });
    await expect(refused).rejects.toThrow(new RangeError("limit: must be a whole number from 1 to 500; it is 0"));
  });

  it("go on beside a transaction that writes", async () => {
    const projectId = newId();
    await write(databases.store, projectId, 1);
    await databases.store.transaction(async (tables) => {
      await tables.deleteFrom("Inference").where("projectId", "=", projectId).execute();
      expect((await opened.reads.listHistory({ projectId, limit: 5 })).rows.length).toBe(1);
    });
    expect((await opened.reads.listHistory({ projectId, limit: 5 })).rows.length).toBe(0);
  });
});

describe("the thread that reads SQLite for the dashboard", () => {
  const databases = useDatabases("sqlite");

  async function open() {
    const databaseUrl = databases.newUrl();
    const store = await openStore(databaseUrl);
    const opened = openReads(store, { databaseUrl, log: SILENT_LOG });
    const address = parseDatabaseUrl(databaseUrl);
    const file = address.engine === "sqlite" ? address.file : "";
    const projectId = newId();
    const list = () => opened.reads.listHistory({ projectId, limit: 5 });
    const close = async () => {
      await opened.close();
      await store.close();
    };
    return { databaseUrl, store, file, projectId, list, reads: opened.reads, close };
  }

  it("can write nothing", async () => {
    const { databaseUrl, close } = await open();
    const readOnly = await openReadOnly(databaseUrl, NAMES_PER_PROJECT);
    const write = readOnly.query().insertInto("Project").values({ id: newId(), name: "no", createdAt: new Date() });
    await expect(write.execute()).rejects.toThrow("attempt to write a readonly database");
    await readOnly.close();
    await close();
  });

  it("gives up a read that takes too long, and reads on", async () => {
    const { store, projectId, reads, list, close } = await open();
    await write(store, projectId, 1);
    await list();
    const search = () => reads.listHistory({ projectId, limit: 5, text: "x" });
    // Where this thread is held up meanwhile, an answer may be there before the timer of no time at all is looked at.
    await waitUntil(async () => (await stateOf(withStatementLimit(0, search))) === "away");
    expect((await list()).rows.length).toBe(1);
    await close();
  });

  it.each(["before the first read", "after it"])("reads no file that is gone, nor makes one: %s", async (when) => {
    const { file, list, close } = await open();
    if (when === "after it") expect(await stateOf(list())).toBe("ok");
    renameSync(file, `${file}.moved`);
    await expect.poll(() => stateOf(list())).toBe("missing");
    expect(existsSync(file)).toBe(false);
    renameSync(`${file}.moved`, file);
    await expect.poll(() => stateOf(list())).toBe("ok");
    await close();
  });

  it("reads no other file in the place of its own", async () => {
    const { file, list, close } = await open();
    renameSync(file, `${file}.moved`);
    writeFileSync(file, "");
    await expect.poll(() => stateOf(list())).toBe("missing");
    rmSync(file);
    renameSync(`${file}.moved`, file);
    await close();
  });

  it("is not needed for a database in memory, which is read with its only connection", async () => {
    const store = await openStore("sqlite::memory:");
    const { reads, close } = openReads(store, { databaseUrl: "sqlite::memory:", log: SILENT_LOG });
    const projectId = newId();
    await write(store, projectId, 2);
    expect((await reads.listHistory({ projectId, limit: 5 })).rows.length).toBe(2);
    await close();
    await store.close();
  });
});
