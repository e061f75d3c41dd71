import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DatabaseTimeoutError, stateByError } from "../../src/lib/database-state.ts";
import { readRows, transact } from "../../src/store/database/executor.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import { withStatementLimit } from "../../src/store/database/statement-limit.ts";
import { DEFAULT_PROJECT, Project } from "../../src/store/entities/project.ts";
import type { Store } from "../../src/store/types/store.ts";
import { useDatabases } from "../support/database.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";

const LIMIT_MS = 200;
/** All connections of the pool. */
const TIMES = 10;

const one = (store: Store) => readRows<{ one: number }>(store, "select 1 as one", []);

/** Tells how a database is by what work fails with. */
const failure = (work: () => Promise<unknown>) =>
  withStatementLimit(LIMIT_MS, () => work().then(() => "ok", stateByError));

// Nothing limited a statement: a server that was stopped held those who asked for ever, and every connection of the
// pool.
describe("a PostgreSQL that takes statements and does not answer", () => {
  const databases = useDatabases("postgres");
  let proxy: TcpProxy;
  let store: Store;

  beforeAll(async () => {
    const url = new URL(databases.url);
    proxy = await startTcpProxy(Number(url.port));
    url.port = String(proxy.port);
    store = await openStore(url.href);
  });

  afterAll(async () => {
    await store.close();
    await proxy.close();
  });

  it("is given up after the limit, and its connections are thrown away", async () => {
    await Promise.all(Array.from({ length: TIMES }, () => one(store)));
    proxy.freeze();
    const failures = await Promise.all([
      ...Array.from({ length: TIMES / 2 }, () => failure(() => one(store))),
      ...Array.from({ length: TIMES / 4 }, () => failure(() => store.fork().findAll(Project))),
      ...Array.from({ length: TIMES / 4 }, () => failure(() => store.unitOfWork((em) => em.findAll(Project)))),
      ...Array.from({ length: TIMES / 2 }, () =>
        failure(() => store.transaction((tables) => tables.selectFrom("Project").selectAll().execute())),
      ),
    ]);
    expect(new Set(failures)).toEqual(new Set(["away"]));
    proxy.thaw();
    expect(await Promise.all(Array.from({ length: TIMES }, () => one(store)))).toHaveLength(TIMES);
  });

  it("is given up after the limit where a new connection would have to be made", async () => {
    proxy.freeze();
    // The first breaks off the connections that there are.
    expect(await failure(() => one(store))).toBe("away");
    const error = await withStatementLimit(LIMIT_MS, () => one(store).catch((thrown: unknown) => thrown));
    expect(error).toMatchObject({ message: `the database didn't answer within ${LIMIT_MS} ms` });
    proxy.thaw();
    expect(await one(store)).toEqual([{ one: 1 }]);
  });

  it("is given as long for a statement as the wait for a connection has left", async () => {
    const sleep = (seconds: number) => readRows(store, `select pg_sleep(${seconds})`, []);
    const others = Array.from({ length: TIMES }, () => withStatementLimit(undefined, () => sleep(0.7)));
    const waited = withStatementLimit(1000, () => sleep(0.6).catch((thrown: unknown) => thrown));
    expect(stateByError(await waited)).toBe("away");
    await Promise.all(others);
  });

  it("is given up where entities are written, and none of them is", async () => {
    const rename = () =>
      store.unitOfWork(async (em) => {
        const project = await em.findOneOrFail(Project, DEFAULT_PROJECT.id);
        project.name = "never";
        proxy.freeze();
      });
    const began = performance.now();
    expect(await failure(rename)).toBe("away");
    expect(performance.now() - began).toBeLessThan(20 * LIMIT_MS);
    proxy.thaw();
    expect(await store.fork().findAll(Project)).toMatchObject([{ name: DEFAULT_PROJECT.name }]);
  });

  it("is given up in the middle of a transaction, which commits nothing", async () => {
    const write = () =>
      transact(store, async (execute) => {
        await execute("update project set name = 'never'", []);
        proxy.freeze();
        await execute("select 1", []);
      });
    expect(await failure(write)).toBe("away");
    proxy.thaw();
    const rows = await readRows<{ name: string }>(store, "select name from project", []);
    expect(rows).toEqual([{ name: "default" }]);
  });

  it("tells a statement that takes too long so, and stops it", async () => {
    const slow = () => readRows(store, "select pg_sleep(20)", []);
    const error = await withStatementLimit(LIMIT_MS, () => slow().catch((thrown: unknown) => thrown));
    expect(error).toBeInstanceOf(DatabaseTimeoutError);
    expect(error).toMatchObject({
      message: `the database didn't answer within ${LIMIT_MS} ms`,
      cause: { code: "57014" },
    });
    const running =
      "select count(*)::int as count from pg_stat_activity where query = 'select pg_sleep(20)' and state = 'active'";
    expect(await readRows(store, running, [])).toEqual([{ count: 0 }]);
  });

  it("is not limited where the work has no limit", async () => {
    await withStatementLimit(LIMIT_MS, () => one(store));
    const slept = await withStatementLimit(undefined, () =>
      readRows(store, "select 'awake' as now from pg_sleep(1)", []),
    );
    expect(slept).toEqual([{ now: "awake" }]);
  });
});

describe("the only connection of SQLite, in use for long", () => {
  const databases = useDatabases("sqlite");

  it("is waited for for a limited time, in turn", async () => {
    const { store } = databases;
    const order: string[] = [];
    const end = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const holder = transact(store, async () => {
      begun.resolve();
      await end.promise;
    });
    await begun.promise;
    const waiting = ["first", "second"].map((name) => one(store).then(() => order.push(name)));
    expect(await failure(() => one(store))).toBe("away");
    end.resolve();
    await Promise.all([holder, ...waiting]);
    expect(order).toEqual(["first", "second"]);
  });

  it("leaves what the wait for it took to the wait for a lock", async () => {
    const other = await openStore(databases.url);
    const [turn, lock] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holders = [
      databases.store
        .query()
        .connection()
        .execute(() => turn.promise),
      transact(other, () => lock.promise),
    ];
    await delay(10);
    const waiting = withStatementLimit(2000, () =>
      databases.store.transaction(async () => {}).catch((thrown: unknown) => thrown),
    );
    await delay(500);
    turn.resolve();
    const error = await waiting;
    lock.resolve();
    await Promise.all(holders);
    await other.close();
    const [, waitedMs] = /held the lock of the database for (\d+) ms/.exec(String(error)) ?? [];
    expect(Number(waitedMs)).toBeLessThanOrEqual(1500);
  });

  it("is given up where another process keeps the lock", async () => {
    const other = await openStore(databases.url);
    const end = Promise.withResolvers<void>();
    const holder = transact(other, () => end.promise);
    await delay(10);
    expect(await failure(() => databases.store.transaction(async () => {}))).toBe("away");
    const em = databases.store.fork();
    // Reading takes no lock.
    const project = await em.findOneOrFail(Project, DEFAULT_PROJECT.id);
    project.name = "never";
    expect(await failure(() => em.flush())).toBe("away");
    end.resolve();
    await holder;
    expect(await one(databases.store)).toEqual([{ one: 1 }]);
    await other.close();
  });
});
