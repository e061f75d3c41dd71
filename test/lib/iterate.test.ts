import { describe, expect, it } from "vitest";
import { iterate } from "../../src/lib/iterate.ts";

describe("iterate()", () => {
  it("yields what is pushed, in order", async () => {
    const values = iterate<number>(async (take) => {
      for (const value of [1, 2, 3]) await take(value);
    });
    expect(await Array.fromAsync(values)).toEqual([1, 2, 3]);
  });

  it("begins with the first read, and holds the producer until each value was taken", async () => {
    const log: string[] = [];
    const values = iterate<number>(async (take) => {
      log.push("begun");
      await take(1);
      log.push("1 taken");
      await take(2);
      log.push("2 taken");
    });
    await new Promise(setImmediate);
    expect(log).toEqual([]);
    expect(await values.next()).toEqual({ done: false, value: 1 });
    await new Promise(setImmediate);
    expect(log).toEqual(["begun"]);
    expect(await values.next()).toEqual({ done: false, value: 2 });
    expect(log).toEqual(["begun", "1 taken"]);
    expect(await values.next()).toEqual({ done: true, value: undefined });
    expect(log).toEqual(["begun", "1 taken", "2 taken"]);
  });

  it("throws the producer's failure behind what came before it", async () => {
    const values = iterate<number>(async (take) => {
      await take(1);
      throw new Error("broke");
    });
    expect((await values.next()).value).toBe(1);
    await expect(values.next()).rejects.toThrow("broke");
  });

  it("throws a failure at once where nothing was pushed", async () => {
    const values = iterate<number>(() => Promise.reject(new Error("refused")));
    await expect(values.next()).rejects.toThrow("refused");
  });

  it("aborts the producer when the reader leaves, and waits for its end", async () => {
    const log: string[] = [];
    const values = iterate<number>(async (take, signal) => {
      await take(1);
      log.push(`aborted: ${signal.aborted}`);
      await new Promise(setImmediate);
      log.push("ended");
      throw new Error("nobody hears of it");
    });
    for await (const _value of values) break;
    expect(log).toEqual(["aborted: true", "ended"]);
  });

  it("never begins for a reader who leaves before", async () => {
    let begun = false;
    const values = iterate<number>(async () => {
      begun = true;
    });
    await values.return(undefined);
    expect(await values.next()).toEqual({ done: true, value: undefined });
    expect(begun).toBe(false);
  });
});
