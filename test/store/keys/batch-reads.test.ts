import { describe, expect, it } from "vitest";
import { batchReads } from "../../../src/store/keys/batch-reads.ts";
import type { KnownKey } from "../../../src/store/keys/key-cache.ts";

const KEY: KnownKey = {
  id: "row",
  principal: { keyId: "abc", projectId: "p" },
  expiresAtMs: undefined,
  isRevoked: false,
  isPaused: false,
};

/** A reader whose queries are answered by hand, in order. */
function setUp() {
  const queries: { hashes: readonly string[]; answer(found: ReadonlyMap<string, KnownKey>): void; fail(): void }[] = [];
  const read = batchReads((hashes) => {
    const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<string, KnownKey>>();
    queries.push({ hashes, answer: resolve, fail: () => reject(new Error("connection refused")) });
    return promise;
  });
  return { read, queries };
}

const turn = () => new Promise(setImmediate);

describe("batchReads()", () => {
  it("asks for all keys of a turn in one query, and gives each its own answer", async () => {
    const { read, queries } = setUp();
    const answers = Promise.all([read("a"), read("b"), read("a")]);
    await turn();
    expect(queries.map(({ hashes }) => hashes)).toEqual([["a", "b"]]);
    queries[0]?.answer(new Map([["b", KEY]]));
    expect(await answers).toEqual([undefined, KEY, undefined]);
  });

  it("asks two queries at a time, of 500 keys each, and the rest afterwards", async () => {
    const { read, queries } = setUp();
    const answers = Array.from({ length: 1200 }, (_, index) => read(String(index)));
    await turn();
    const late = read("late");
    await turn();
    expect(queries.map(({ hashes }) => hashes.length)).toEqual([500, 500]);
    queries[0]?.answer(new Map());
    await turn();
    expect(queries.map(({ hashes }) => hashes.length)).toEqual([500, 500, 201]);
    for (const { answer } of queries) answer(new Map([["late", KEY]]));
    expect(await late).toBe(KEY);
    expect(new Set(await Promise.all(answers))).toEqual(new Set([undefined]));
  });

  it("fails those of a query that failed, and goes on with the next", async () => {
    const { read, queries } = setUp();
    const failing = read("a").catch((error: Error) => error.message);
    await turn();
    queries[0]?.fail();
    expect(await failing).toBe("connection refused");
    const next = read("a");
    await turn();
    queries[1]?.answer(new Map([["a", KEY]]));
    expect(await next).toBe(KEY);
  });

  it("takes no more than 20,000 keys that wait", async () => {
    const { read } = setUp();
    for (let index = 0; index < 20_000; index += 1) void read(String(index));
    await expect(read("more")).rejects.toThrow("20000 keys wait to be read");
  });
});
