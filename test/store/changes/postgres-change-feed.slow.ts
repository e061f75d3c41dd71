import { setTimeout as delay, setImmediate as turn } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHANNELS, type ChangeFeed } from "../../../src/store/changes/change-feed.ts";
import { createChangeFeed } from "../../../src/store/changes/create-change-feed.ts";
import { notifyChange } from "../../../src/store/changes/notify-change.ts";
import { PostgresChangeFeed } from "../../../src/store/changes/postgres-change-feed.ts";
import { transact } from "../../../src/store/database/executor.ts";
import { openStore } from "../../../src/store/database/open-store.ts";
import { SILENT_LOG } from "../../../src/store/types/log.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { type PostgresServer, startPostgres } from "../../support/postgres.ts";
import { startTcpProxy, type TcpProxy } from "../../support/tcp-proxy.ts";
import { startTransactionPooler } from "../../support/transaction-pooler.ts";
import { waitUntil } from "../../support/wait.ts";

/** A server that answers is waited for, however busy the machine. */
const TIMES = { pingMs: 20, timeoutMs: 40_000, firstBackoffMs: 10, longestBackoffMs: 50 };
const HASTY_MS = 1000;

describe("PostgresChangeFeed", () => {
  let server: PostgresServer;
  let proxy: TcpProxy;
  let store: Store;
  let url: string;

  beforeAll(async () => {
    server = await startPostgres();
    url = server.createDatabaseUrl();
    proxy = await startTcpProxy(Number(new URL(url).port));
    store = await openStore(url);
  });

  afterAll(async () => {
    await store.close();
    await proxy.close();
    await server.stop();
  });

  const isCovered = (feed: ChangeFeed) => performance.now() - feed.coverage.untilMs < 150;

  function tell(payload: string): Promise<void> {
    return transact(store, (execute) => notifyChange(execute, store.engine, { channel: CHANNELS.keys, payload }));
  }

  it("tells of a change once it is committed, and of none that is rolled back", async () => {
    const feed = createChangeFeed(store, SILENT_LOG, TIMES);
    const told: string[] = [];
    const unsubscribe = feed.subscribe(CHANNELS.keys, (payload) => told.push(payload));
    await waitUntil(() => isCovered(feed));
    await transact(store, async (execute) => {
      await notifyChange(execute, store.engine, { channel: CHANNELS.keys, payload: "undone" });
      throw new Error("roll back");
    }).catch(() => {});
    await tell("done");
    await waitUntil(() => told.length > 0);
    unsubscribe();
    await tell("unheard");
    await delay(50);
    expect(told).toEqual(["done"]);
    await feed.close();
    expect(feed.coverage).toEqual({ sinceMs: Number.POSITIVE_INFINITY, untilMs: Number.NEGATIVE_INFINITY });
  });

  it("has told what was committed before it was asked to catch up, and does not wait where it is closed", async () => {
    const feed = createChangeFeed(store, SILENT_LOG, TIMES);
    const told: string[] = [];
    feed.subscribe(CHANNELS.keys, (payload) => told.push(payload));
    await waitUntil(() => isCovered(feed));
    for (let index = 0; index < 100; index += 1) {
      await tell(`change ${index}`);
      await feed.catchUp();
      expect(told.at(-1)).toBe(`change ${index}`);
    }
    await feed.close();
    await feed.catchUp();
  });

  it("covers every change up to the time that it says, under load", async () => {
    const feed = createChangeFeed(store, SILENT_LOG, TIMES);
    const told = new Set<string>();
    feed.subscribe(CHANNELS.keys, (payload) => told.add(payload));
    await waitUntil(() => isCovered(feed));
    const committed: { payload: string; atMs: number }[] = [];
    for (let index = 0; index < 300; index += 1) {
      await tell(`change ${index}`);
      committed.push({ payload: `change ${index}`, atMs: performance.now() });
      const missed = committed.filter(({ payload, atMs }) => atMs < feed.coverage.untilMs && !told.has(payload));
      expect(missed).toEqual([]);
    }
    await feed.close();
  });

  it("notices a connection that is dead in silence, and begins anew", async () => {
    const throughProxy = new URL(url);
    throughProxy.port = String(proxy.port);
    throughProxy.searchParams.set("connect_timeout", "1");
    const far = await openStore(throughProxy.href);
    const feed = createChangeFeed(far, SILENT_LOG, { ...TIMES, timeoutMs: HASTY_MS });
    const told: string[] = [];
    feed.subscribe(CHANNELS.keys, (payload) => told.push(payload));
    await waitUntil(() => isCovered(feed));
    const before = feed.coverage;
    proxy.freeze();
    await delay(50);
    // What had come before is read.
    await turn();
    const frozen = feed.coverage;
    await tell("missed");
    await delay(HASTY_MS + 300);
    expect(feed.coverage).toEqual(frozen);
    proxy.thaw();
    await waitUntil(() => isCovered(feed));
    expect(feed.coverage.sinceMs).toBeGreaterThan(frozen.untilMs);
    expect(frozen.sinceMs).toBe(before.sinceMs);
    await tell("heard");
    await waitUntil(() => told.length > 0);
    expect(told).toEqual(["heard"]);
    await feed.close();
    await far.close();
  });

  it("does not take a pooler that lends sessions for a transaction at its word that it listens", async () => {
    const pooler = await startTransactionPooler(Number(new URL(url).port));
    const throughPooler = new URL(url);
    throughPooler.port = String(pooler.port);
    const warnings: string[] = [];
    const log = { warn: ({ err }: { err?: Error }) => warnings.push(err?.message ?? ""), error() {} };
    const createClient = async () => new pg.Client(throughPooler.href);
    const feed = new PostgresChangeFeed({ createClient, log, times: { ...TIMES, timeoutMs: HASTY_MS } });
    await waitUntil(() => warnings.length > 0 || feed.isListening);
    expect(feed.coverage.untilMs).toBe(Number.NEGATIVE_INFINITY);
    expect(warnings).toEqual([
      "a pooler shares sessions between connections: it has to keep them apart, or be left out",
    ]);
    await feed.close();
    await pooler.close();
  });

  it("complains once of a server that is stopped, and goes on when it is started again", async () => {
    const warnings: string[] = [];
    const log = { warn: (_facts: object, message: string) => warnings.push(message), error() {} };
    const feed = createChangeFeed(store, log, TIMES);
    await waitUntil(() => isCovered(feed));
    await server.stopServer();
    await delay(300);
    expect(isCovered(feed)).toBe(false);
    await server.startServer();
    await waitUntil(() => isCovered(feed));
    expect(warnings).toEqual([
      "notifications of changes by other processes don't arrive at the moment: polling the database instead",
      "notifications of changes arrive again",
    ]);
    await feed.close();
  });
});
