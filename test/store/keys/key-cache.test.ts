import { describe, expect, it } from "vitest";
import { ErrorReason, InferenceError } from "../../../src/hub/error.ts";
import { DatabaseTimeoutError } from "../../../src/lib/database-state.ts";
import { KeyCache, type KeyCacheOptions, type KnownKey } from "../../../src/store/keys/key-cache.ts";

const KEY: KnownKey = {
  id: "row",
  principal: { keyId: "abc", projectId: "p" },
  expiresAtMs: undefined,
  isRevoked: false,
  isPaused: false,
};

/** A cache on a scripted database and a clock that stands still. */
function setUp(options: KeyCacheOptions = {}) {
  const database = { key: KEY as KnownKey | undefined, away: false, hangs: false, reads: [] as string[] };
  const clock = { nowMs: 0 };
  const read = async (hash: string) => {
    database.reads.push(hash);
    if (database.hangs) return await new Promise<never>(() => {});
    if (database.away) throw new DatabaseTimeoutError("connection refused");
    return database.key;
  };
  const cache = new KeyCache(read, { now: () => clock.nowMs, readTimeoutMs: 10, ...options });
  return { cache, database, clock };
}

async function failureOf(work: unknown): Promise<unknown> {
  return await Promise.resolve(work).catch((error: unknown) => error);
}

describe("KeyCache", () => {
  it("reads a key once, and then knows it without a promise", async () => {
    const { cache, database, clock } = setUp();
    expect(await cache.get("h")).toBe(KEY);
    clock.nowMs = 499;
    expect(cache.get("h")).toBe(KEY);
    expect(database.reads).toEqual(["h"]);
  });

  it("reads once for all who wait for the same key", async () => {
    const { cache, database } = setUp();
    expect(await Promise.all([cache.get("h"), cache.get("h"), cache.get("h")])).toEqual([KEY, KEY, KEY]);
    expect(database.reads).toEqual(["h"]);
  });

  it("reads a key in use again in the background, at half of its freshness", async () => {
    const { cache, database, clock } = setUp();
    await cache.get("h");
    clock.nowMs = 500;
    expect(cache.get("h")).toBe(KEY);
    expect(cache.get("h")).toBe(KEY);
    expect(database.reads).toEqual(["h", "h"]);
    await Promise.resolve();
    await new Promise(setImmediate);
    clock.nowMs = 1499;
    expect(cache.get("h")).toBe(KEY);
  });

  it("reads a stale key before it is used again, so that a revocation takes effect within a second", async () => {
    const { cache, database, clock } = setUp();
    await cache.get("h");
    database.key = undefined;
    clock.nowMs = 1000;
    expect(await cache.get("h")).toBeUndefined();
  });

  it("remembers unknown keys for a second, and then finds one that was created meanwhile", async () => {
    const { cache, database, clock } = setUp();
    database.key = undefined;
    expect(await cache.get("h")).toBeUndefined();
    clock.nowMs = 999;
    expect(cache.get("h")).toBeUndefined();
    expect(database.reads).toEqual(["h"]);
    database.key = KEY;
    clock.nowMs = 1000;
    expect(await cache.get("h")).toBe(KEY);
  });

  it("does not let a flood of unknown keys push out the good ones, nor remembers them all", async () => {
    const { cache, database } = setUp({ maxEntries: 2 });
    await cache.get("good");
    database.key = undefined;
    for (const hash of ["a", "b", "c"]) await cache.get(hash);
    expect(cache.get("good")).toBe(KEY);
    expect(cache.get("c")).toBeUndefined();
    expect(cache.get("b")).toBeUndefined();
    expect(cache.get("a")).toBeInstanceOf(Promise);
  });

  it("goes on with known keys for a quarter of an hour while the database is away, and makes nobody wait", async () => {
    const { cache, database, clock } = setUp();
    await Promise.all([cache.get("h"), cache.get("other")]);
    database.away = true;
    clock.nowMs = 1000;
    expect(await cache.get("h")).toBe(KEY);
    expect(cache.get("other")).toBe(KEY);
    for (clock.nowMs = 1900; clock.nowMs < 900_000; clock.nowMs += 900) {
      expect(cache.get("h")).toBe(KEY);
      await new Promise(setImmediate);
    }
    clock.nowMs = 900_000;
    expect(await failureOf(cache.get("h"))).toMatchObject({ reason: ErrorReason.UNAVAILABLE });
  });

  it("complains of a database that is away every ten seconds, not at each reading", async () => {
    const warnings: [facts: object, message: string][] = [];
    const log = { warn: (...warning: [object, string]) => warnings.push(warning), error() {} };
    const { cache, database, clock } = setUp({ log });
    await cache.get("h");
    database.away = true;
    for (clock.nowMs = 1000; clock.nowMs < 21_000; clock.nowMs += 500) {
      await cache.get("h");
      await new Promise(setImmediate);
    }
    const message = "cannot read keys: cached keys still work, others get 503";
    expect(warnings).toEqual(
      Array(2).fill([{ err: new DatabaseTimeoutError("connection refused"), knownKeys: 1 }, message]),
    );
  });

  it("notices a revocation once the database is back", async () => {
    const { cache, database, clock } = setUp();
    await cache.get("h");
    database.away = true;
    clock.nowMs = 1000;
    await cache.get("h");
    database.away = false;
    database.key = undefined;
    clock.nowMs = 1500;
    expect(cache.get("h")).toBe(KEY);
    await new Promise(setImmediate);
    expect(cache.get("h")).toBeUndefined();
  });

  it("asks a database that was away long ago before it uses a key", async () => {
    const { cache, database, clock } = setUp();
    await cache.get("h");
    database.away = true;
    clock.nowMs = 1000;
    await cache.get("h");
    database.away = false;
    database.key = undefined;
    clock.nowMs = 2000;
    expect(await cache.get("h")).toBeUndefined();
  });

  it("cannot tell of an unknown key while the database is away", async () => {
    const { cache, database } = setUp();
    database.away = true;
    const failure = await failureOf(cache.get("h"));
    expect(failure).toBeInstanceOf(InferenceError);
    expect(failure).toMatchObject({
      reason: ErrorReason.UNAVAILABLE,
      retryable: true,
      message: "the API key cannot be checked at the moment: try again shortly",
    });
  });

  it("takes a database that does not answer for one that is away", async () => {
    const { cache, database } = setUp();
    database.hangs = true;
    expect(await failureOf(cache.get("h"))).toMatchObject({
      reason: ErrorReason.UNAVAILABLE,
      cause: new DatabaseTimeoutError("the database didn't answer within 10 ms"),
    });
  });

  describe("where changes are told", () => {
    /** A feed that covers from one time to another. */
    function setUpTold() {
      const coverage = { sinceMs: 0, untilMs: 0 };
      return { ...setUp({ coverage: () => coverage }), coverage };
    }

    it("reads a key in use again in the background after 15 seconds, and before its use after 30", async () => {
      const { cache, database, clock, coverage } = setUpTold();
      await cache.get("h");
      for (clock.nowMs = 0; clock.nowMs < 15_000; clock.nowMs += 500) {
        coverage.untilMs = clock.nowMs;
        expect(cache.get("h")).toBe(KEY);
      }
      expect(database.reads).toEqual(["h"]);
      clock.nowMs = coverage.untilMs = 15_000;
      expect(cache.get("h")).toBe(KEY);
      expect(database.reads).toEqual(["h", "h"]);
      await new Promise(setImmediate);
      clock.nowMs = coverage.untilMs = 45_000;
      expect(cache.get("h")).toBeInstanceOf(Promise);
    });

    it("trusts a feed that fell silent for a second from its last answer", async () => {
      const { cache, database, clock, coverage } = setUpTold();
      await cache.get("h");
      database.key = undefined;
      coverage.untilMs = 5000;
      clock.nowMs = 5999;
      expect(cache.get("h")).toBe(KEY);
      clock.nowMs = 6000;
      // The reading that began a millisecond ago, in the background, is the answer.
      expect(await cache.get("h")).toBeUndefined();
    });

    it("reads a key again that was read before the feed began anew", async () => {
      const { cache, database, clock, coverage } = setUpTold();
      await cache.get("h");
      database.key = undefined;
      Object.assign(coverage, { sinceMs: 3000, untilMs: 4000 });
      clock.nowMs = 4000;
      expect(await cache.get("h")).toBeUndefined();
    });

    it("forgets a key at once, a good one and an unknown one", async () => {
      const { cache, database } = setUpTold();
      await cache.get("h");
      database.key = undefined;
      cache.forget("h");
      expect(await cache.get("h")).toBeUndefined();
      database.key = KEY;
      cache.forget("h");
      expect(await cache.get("h")).toBe(KEY);
    });

    it("reads anew where the key changes during the reading: the answer may be from before", async () => {
      const { cache, database } = setUpTold();
      const reading = cache.get("h");
      database.key = undefined;
      cache.forget("h");
      expect(await reading).toBeUndefined();
      expect(cache.get("h")).toBeUndefined();
      expect(database.reads).toEqual(["h", "h"]);
    });

    it("bears an outage from the end of what was told, not from the last reading", async () => {
      const { cache, database, clock, coverage } = setUpTold();
      await cache.get("h");
      coverage.untilMs = 600_000;
      database.away = true;
      clock.nowMs = 1_499_999;
      expect(await cache.get("h")).toBe(KEY);
      clock.nowMs = 1_500_000;
      expect(await failureOf(cache.get("h"))).toMatchObject({ reason: ErrorReason.UNAVAILABLE });
    });
  });
});
