import { describe, expect, it } from "vitest";
import { CredentialCache } from "../../../src/upstream/auth/credential-cache.ts";

const MINUTE_MS = 60_000;

/** A cache of credentials that hold for an hour, its clock, and the questions that were asked, answered by the test. */
function createCache() {
  const clock = { nowMs: 1_000_000 };
  const asked: PromiseWithResolvers<{ name: number; expiresAtMs: number }>[] = [];
  const cache = new CredentialCache(
    () => {
      const question = Promise.withResolvers<{ name: number; expiresAtMs: number }>();
      asked.push(question);
      return question.promise;
    },
    () => clock.nowMs,
  );
  const answer = async (minutes = 60) => {
    const name = asked.length;
    asked.at(-1)?.resolve({ name, expiresAtMs: clock.nowMs + minutes * MINUTE_MS });
    await asked.at(-1)?.promise;
    await new Promise((resolve) => setImmediate(resolve));
  };
  const fail = async () => {
    asked.at(-1)?.reject(new Error("down"));
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { cache, clock, asked, answer, fail };
}

describe("CredentialCache", () => {
  it("asks once for all who wait, and returns at once from then on", async () => {
    const { cache, asked, answer } = createCache();
    const waiting = [cache.get(), cache.get()];
    await answer();
    expect(await Promise.all(waiting)).toMatchObject([{ name: 1 }, { name: 1 }]);
    expect(cache.get()).toMatchObject({ name: 1 });
    expect(asked).toHaveLength(1);
  });

  it("renews ahead in the background, and uses what it has meanwhile and after a failure", async () => {
    const { cache, clock, asked, answer, fail } = createCache();
    const first = cache.get();
    await answer();
    await first;
    clock.nowMs += 57 * MINUTE_MS;
    expect(cache.get()).toMatchObject({ name: 1 });
    expect(asked).toHaveLength(2);
    await fail();
    expect(cache.get()).toMatchObject({ name: 1 });
    expect(asked).toHaveLength(2);
    clock.nowMs += MINUTE_MS;
    expect(cache.get()).toMatchObject({ name: 1 });
    await answer();
    expect(cache.get()).toMatchObject({ name: 3 });
  });

  it("waits where its credential is over, and tells a failure to all for a second", async () => {
    const { cache, clock, asked, answer, fail } = createCache();
    const first = cache.get();
    await answer(1);
    await first;
    clock.nowMs += MINUTE_MS;
    const failing = cache.get();
    const told = expect(failing).rejects.toThrow("down");
    await fail();
    await told;
    await expect(cache.get()).rejects.toThrow("down");
    expect(asked).toHaveLength(2);
    clock.nowMs += 1000;
    const third = cache.get();
    await answer();
    expect(await third).toMatchObject({ name: 3 });
  });

  it("replaces a refused credential once, for all who were refused", async () => {
    const { cache, clock, asked, answer } = createCache();
    const first = cache.get();
    await answer();
    const refused = await first;
    clock.nowMs += MINUTE_MS;
    const replaced = [cache.replace(refused), cache.replace(refused)];
    await answer();
    expect(await Promise.all(replaced)).toEqual([true, true]);
    expect(cache.get()).toMatchObject({ name: 2 });
    // One that comes late goes on with what is there; the new one is not replaced at once.
    expect(await cache.replace(refused)).toBe(true);
    expect(await cache.replace(await cache.get())).toBe(false);
    expect(asked).toHaveLength(2);
  });

  it("has nothing in place of a refused credential where none can be had", async () => {
    const { cache, clock, answer, fail } = createCache();
    const first = cache.get();
    await answer();
    const refused = await first;
    clock.nowMs += MINUTE_MS;
    const replaced = cache.replace(refused);
    await fail();
    expect(await replaced).toBe(false);
  });

  it("asks again though the clock was set back by an hour, after a refusal and after a failure", async () => {
    const { cache, clock, asked, answer, fail } = createCache();
    const first = cache.get();
    await answer();
    clock.nowMs -= 60 * MINUTE_MS;
    const replaced = cache.replace(await first);
    await answer();
    expect([await replaced, asked.length]).toEqual([true, 2]);
    clock.nowMs += 60 * MINUTE_MS;
    const waiting = Promise.resolve(cache.get()).catch(() => "failed");
    await fail();
    expect(await waiting).toBe("failed");
    clock.nowMs -= 5000;
    const again = Promise.resolve(cache.get()).catch(() => "failed");
    await answer();
    expect(await again).toMatchObject({ name: 4 });
  });

  it("asks twice a minute, and not for each call, where its clock is hours ahead", async () => {
    const { cache, clock, asked, answer } = createCache();
    for (let second = 0; second < 60; second += 1) {
      const call = cache.get();
      if (asked.length === Math.floor(second / 30) + 1 && call instanceof Promise) await answer(-120);
      expect(await call).toMatchObject({ name: asked.length });
      clock.nowMs += 1000;
    }
    expect(asked).toHaveLength(2);
  });
});
