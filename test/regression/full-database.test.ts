import { describe, expect, it } from "vitest";
import { readRows, transact } from "../../src/store/database/executor.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import type { Store } from "../../src/store/types/store.ts";
import { createRecorder } from "../../src/store/write/recorder/recorder.ts";
import { useDatabases } from "../support/database.ts";
import { inferenceRecord } from "../support/inference-record.ts";
import { waitUntil } from "../support/wait.ts";

const PAGES_LEFT = 3;

/**
 * Has SQLite say "database or disk is full" as it does on a disk without room, until the returned function is called.
 */
async function fill(store: Store): Promise<() => Promise<void>> {
  const [count] = await readRows<{ page_count: number }>(store, "pragma page_count", []);
  await readRows(store, `pragma max_page_count = ${(count?.page_count ?? 0) + PAGES_LEFT}`, []);
  return async () => void (await readRows(store, "pragma max_page_count = 1000000", []));
}

const insertLarge = (store: Store) =>
  transact(store, async (execute) => {
    await execute("create table if not exists filler (bytes blob)", []);
    await execute("insert into filler values (zeroblob(1000000))", []);
  });

// SQLite rolls back by itself where a transaction finds no room: the explicit rollback then failed, and the only
// connection was never given back.
describe("a transaction of SQLite that finds no room", () => {
  const databases = useDatabases("sqlite");

  it("gives the connection back, and works again once there is room", async () => {
    const store = await openStore(await databases.newMigratedUrl());
    const makeRoom = await fill(store);
    for (let time = 0; time < 3; time++) await expect(insertLarge(store)).rejects.toThrow("full");
    expect(await readRows(store, "select 1 as one", [])).toEqual([{ one: 1 }]);
    await makeRoom();
    await insertLarge(store);
    expect(await readRows(store, "select count(*) as count from filler", [])).toEqual([{ count: 1 }]);
    await store.close();
  });

  it("takes no statement outside the transaction that was rolled back", async () => {
    const store = await openStore(await databases.newMigratedUrl());
    await transact(store, (execute) => execute("create table note (text text)", []));
    const makeRoom = await fill(store);
    const work = transact(store, async (execute) => {
      await execute("insert into note values ('first')", []);
      await execute("insert into note values (zeroblob(1000000))", []).catch(() => {});
      await execute("insert into note values ('alone')", []);
    });
    await expect(work).rejects.toThrow("full");
    await makeRoom();
    expect(await readRows(store, "select text from note", [])).toEqual([]);
    await store.close();
  });

  it("keeps records in the spool, says so, and writes them once there is room", async () => {
    const store = await openStore(await databases.newMigratedUrl());
    const recorder = createRecorder(store, { flushIntervalMs: 1 });
    const makeRoom = await fill(store);
    // More than there is room for in the pages that the tables have.
    const records = Array.from({ length: 400 }, () => inferenceRecord());
    for (const record of records) recorder.offer(record);
    await waitUntil(() => recorder.stats().database === "full");
    expect(recorder.stats().queued).toBeGreaterThan(0);
    expect(recorder.accepting).toBe(true);
    await makeRoom();
    await recorder.flush();
    expect(recorder.stats()).toMatchObject({ database: "ok", queued: 0, dropped: 0, rejected: 0 });
    const ids = await store.query().selectFrom("Inference").select("id").orderBy("id").execute();
    expect(ids.map(({ id }) => id)).toEqual(records.map(({ id }) => id).sort());
    await recorder.close();
    await store.close();
  });
});

describe("connections of PostgreSQL that end in a transaction", () => {
  const databases = useDatabases("postgres");

  it("give up their places, however many there are", async () => {
    const { store } = databases;
    const end = () =>
      transact(store, async (execute) => {
        const [{ pid } = { pid: 0 }] = await execute<{ pid: number }>("select pg_backend_pid() as pid", []);
        await readRows(store, "select pg_terminate_backend(?)", [pid]);
        await execute("select 1", []);
      });
    // More than the pool has.
    for (let time = 0; time < 12; time++) await expect(end()).rejects.toThrow();
    expect(await readRows(store, "select 1 as one", [])).toEqual([{ one: 1 }]);
  });
});
