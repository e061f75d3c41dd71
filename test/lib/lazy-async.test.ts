import { expect, it } from "vitest";
import { lazyAsync } from "../../src/lib/lazy-async.ts";

it("is made once, however many ask for it at the same time", async () => {
  let count = 0;
  const kept = lazyAsync(async () => {
    await Promise.resolve();
    return ++count;
  });
  expect(await kept.made()).toBeUndefined();
  expect(await Promise.all([kept.get(), kept.get(), kept.get()])).toEqual([1, 1, 1]);
  expect(await kept.get()).toBe(1);
  expect(await kept.made()).toBe(1);
});

it("is made again after a failure, which is told to all who waited for it", async () => {
  let count = 0;
  const kept = lazyAsync(async () => {
    count += 1;
    await Promise.resolve();
    if (count === 1) throw new Error("not now");
    return count;
  });
  const results = await Promise.allSettled([kept.get(), kept.get()]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(count).toBe(1);
  expect(await kept.made()).toBeUndefined();
  expect(await kept.get()).toBe(2);
});

it("waits for what is being made, where somebody wants to give it back", async () => {
  const gate = Promise.withResolvers<string>();
  const kept = lazyAsync(() => gate.promise);
  const [asked, made] = [kept.get(), kept.made()];
  gate.resolve("a database");
  expect(await Promise.all([asked, made])).toEqual(["a database", "a database"]);
});
