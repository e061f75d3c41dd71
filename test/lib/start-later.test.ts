import { describe, expect, it } from "vitest";
import { startLater } from "../../src/lib/start-later.ts";

describe("startLater()", () => {
  it("starts at the first value and goes through them all", async () => {
    let starts = 0;
    const values = startLater(async () => {
      starts += 1;
      return (async function* () {
        yield 1;
        yield 2;
      })();
    });
    expect(starts).toBe(0);
    expect(await Array.fromAsync(values)).toEqual([1, 2]);
    expect(starts).toBe(1);
  });

  it("fails as its start fails, and ends there", async () => {
    const values = startLater<number>(async () => {
      throw new Error("no start");
    });
    const iterator = values[Symbol.asyncIterator]();
    await expect(iterator.next()).rejects.toThrow("no start");
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  it("ends its source when its reader leaves", async () => {
    let ended = false;
    const values = startLater(async () =>
      (async function* () {
        try {
          yield 1;
          yield 2;
        } finally {
          ended = true;
        }
      })(),
    );
    for await (const _value of values) break;
    expect(ended).toBe(true);
  });

  it("does not start for a reader who has left before", async () => {
    let starts = 0;
    const iterator = startLater<number>(async () => {
      starts += 1;
      return (async function* () {})();
    })[Symbol.asyncIterator]();
    await iterator.return?.();
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect(starts).toBe(0);
  });
});
