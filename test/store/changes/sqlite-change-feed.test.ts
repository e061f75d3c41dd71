import { renameSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { CHANNELS } from "../../../src/store/changes/change-feed.ts";
import { createChangeFeed } from "../../../src/store/changes/create-change-feed.ts";
import { notifyChange } from "../../../src/store/changes/notify-change.ts";
import { SqliteChangeFeed } from "../../../src/store/changes/sqlite-change-feed.ts";
import { transact } from "../../../src/store/database/executor.ts";
import { openStore } from "../../../src/store/database/open-store.ts";
import { createKey, revokeKey } from "../../../src/store/keys/key-repository.ts";
import { StoreAuthenticator } from "../../../src/store/keys/store-authenticator.ts";
import { SILENT_LOG } from "../../../src/store/types/log.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { useDatabases } from "../../support/database.ts";
import { waitUntil } from "../../support/wait.ts";

const NOTHING = { sinceMs: Number.POSITIVE_INFINITY, untilMs: Number.NEGATIVE_INFINITY };

describe("SqliteChangeFeed", () => {
  const databases = useDatabases("sqlite");

  /** A process on a file of its own: a store that writes, a feed, and what this has told of keys. */
  async function start() {
    const store = await openStore(await databases.newMigratedUrl());
    const warnings: string[] = [];
    const log = { warn: (_facts: object, message: string) => void warnings.push(message), error() {} };
    const feed = new SqliteChangeFeed({ file: store.location, log, everyMs: 5 });
    const told: string[] = [];
    const unsubscribe = feed.subscribe(CHANNELS.keys, (payload) => told.push(payload));
    onTestFinished(async () => {
      await feed.close();
      await store.close();
    });
    const looked = async () => {
      const now = performance.now();
      await waitUntil(() => feed.coverage.untilMs > now);
    };
    return { store, feed, told, unsubscribe, warnings, looked };
  }

  function tell(store: Store, ...payloads: readonly string[]): Promise<void> {
    return transact(store, async (execute) => {
      for (const payload of payloads) await notifyChange(execute, store.engine, { channel: CHANNELS.keys, payload });
    });
  }

  it("tells of what is committed from now on, and of nothing that is rolled back", async () => {
    const { store, feed, told, unsubscribe, looked } = await start();
    await expect(
      transact(store, async (execute) => {
        await notifyChange(execute, store.engine, { channel: CHANNELS.keys, payload: "undone" });
        throw new Error("roll back");
      }),
    ).rejects.toThrow("roll back");
    await tell(store, "first", "second");
    await transact(store, (execute) => notifyChange(execute, store.engine, { channel: CHANNELS.settings }));
    await looked();
    expect(told).toEqual(["first", "second"]);
    const later = new SqliteChangeFeed({ file: store.location, log: SILENT_LOG, everyMs: 5 });
    const toldLater: string[] = [];
    later.subscribe(CHANNELS.keys, (payload) => toldLater.push(payload));
    unsubscribe();
    await tell(store, "third");
    await waitUntil(() => toldLater.length > 0);
    await looked();
    expect([told, toldLater]).toEqual([["first", "second"], ["third"]]);
    await later.close();
    await feed.close();
    expect(feed.coverage).toEqual(NOTHING);
  });

  it("has told what was committed before it was asked to catch up, and nothing after it is closed", async () => {
    const { store } = await start();
    const feed = new SqliteChangeFeed({ file: store.location, log: SILENT_LOG, everyMs: 60_000 });
    const told: string[] = [];
    feed.subscribe(CHANNELS.keys, (payload) => told.push(payload));
    for (const payload of ["first", "second"]) {
      await tell(store, payload);
      await feed.catchUp();
      expect(told.at(-1)).toBe(payload);
    }
    await feed.close();
    await tell(store, "third");
    await feed.catchUp();
    expect(told).toEqual(["first", "second"]);
  });

  it("covers every change up to the time that it says", async () => {
    const { store, feed, told } = await start();
    const { sinceMs } = feed.coverage;
    const committed: { payload: string; atMs: number }[] = [];
    for (let index = 0; index < 300; index += 1) {
      await tell(store, `change ${index}`);
      committed.push({ payload: `change ${index}`, atMs: performance.now() });
      const { untilMs } = feed.coverage;
      const known = new Set(told);
      expect(committed.filter(({ payload, atMs }) => atMs < untilMs && !known.has(payload))).toEqual([]);
      if (index % 20 === 0) await delay(5);
    }
    expect(feed.coverage.sinceMs).toBe(sinceMs);
  });

  it("says that it has missed some where more were told at once than are kept", async () => {
    const { store, feed, told, looked } = await start();
    const before = feed.coverage;
    await tell(store, ...Array.from({ length: 1005 }, (_, index) => String(index)));
    await looked();
    expect([told.length, told[0], told.at(-1)]).toEqual([1000, "5", "1004"]);
    expect(feed.coverage.sinceMs).toBeGreaterThan(before.untilMs);
    const { sinceMs } = feed.coverage;
    await tell(store, "next");
    await looked();
    expect([told.at(-1), feed.coverage.sinceMs]).toEqual(["next", sinceMs]);
  });

  it("covers nothing while another file is in the place, says so once, and tells what came meanwhile", async () => {
    const { store, feed, told, warnings, looked } = await start();
    const { sinceMs } = feed.coverage;
    renameSync(store.location, `${store.location}.moved`);
    writeFileSync(store.location, "");
    await waitUntil(() => warnings.length > 0);
    const { untilMs } = feed.coverage;
    await delay(600);
    expect(feed.coverage).toEqual({ sinceMs, untilMs });
    renameSync(`${store.location}.moved`, store.location);
    // The store looks at its file twice a second.
    await waitUntil(() =>
      tell(store, "meanwhile").then(
        () => true,
        () => false,
      ),
    );
    await looked();
    expect(told).toEqual(["meanwhile"]);
    expect(warnings).toEqual([
      "notifications of changes by other processes don't arrive at the moment: polling the database instead",
      "notifications of changes arrive again",
    ]);
  });

  it("has a key refused at once that another process revokes, and one taken that it makes", async () => {
    const { store: other, feed } = await start();
    const store = await openStore(`sqlite:${other.location}`);
    const keys = new StoreAuthenticator(store, { changes: feed, freshMs: 60_000, toldMs: 60_000 });
    onTestFinished(async () => {
      await keys.close();
      await store.close();
    });
    const { key, info } = await createKey(other, { name: "in use" });
    expect(await keys.authenticate(key)).toBeDefined();
    const began = performance.now();
    await revokeKey(other, info.publicId);
    await waitUntil(async () => "rejected" in ((await keys.authenticate(key)) ?? {}));
    expect(performance.now() - began).toBeLessThan(30_000);
  });
});

describe("createChangeFeed()", () => {
  it("tells of a database in memory what was committed before it was asked to catch up", async () => {
    const store = await openStore("sqlite::memory:");
    const feed = createChangeFeed(store, SILENT_LOG);
    const told: string[] = [];
    const unsubscribe = feed.subscribe(CHANNELS.keys, (payload) => told.push(payload));
    for (const payload of ["first", "second"]) {
      await transact(store, (execute) => notifyChange(execute, store.engine, { channel: CHANNELS.keys, payload }));
      await feed.catchUp();
      expect(told.at(-1)).toBe(payload);
    }
    await feed.catchUp();
    expect(told).toEqual(["first", "second"]);
    unsubscribe();
    await store.close();
    await feed.catchUp();
  });
});
