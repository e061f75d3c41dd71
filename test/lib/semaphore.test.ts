import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Semaphore } from "../../src/lib/semaphore.ts";

const never = new AbortController().signal;
const aborted = AbortSignal.abort();

/** Waits until what can go on has gone on. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("Semaphore", () => {
  it("lets the first of those who wait go on where a turn ends", async () => {
    const semaphore = new Semaphore(1, { maxOfOwner: 2, max: 2 });
    const order: string[] = [];
    const take = async (name: string) =>
      order.push(`${name} ${await semaphore.acquire({ signal: never, owner: "owner" })}`);
    for (const name of ["a", "b", "c"]) void take(name);
    await settle();
    expect(order).toEqual(["a true"]);
    semaphore.release();
    await settle();
    expect(order).toEqual(["a true", "b true"]);
    expect(semaphore.held).toBe(1);
    semaphore.release();
    semaphore.release();
    await settle();
    expect(order).toEqual(["a true", "b true", "c true"]);
    expect(semaphore.held).toBe(0);
  });

  it("gives none where too many wait, or nobody wants it any more", async () => {
    const semaphore = new Semaphore(1, { maxOfOwner: 1, max: 1 });
    expect(await semaphore.acquire({ signal: aborted, owner: "owner" })).toBe(false);
    expect(await semaphore.acquire({ signal: never, owner: "owner" })).toBe(true);
    const leaving = new AbortController();
    const waiting = semaphore.acquire({ signal: leaving.signal, owner: "owner" });
    expect(await semaphore.acquire({ signal: never, owner: "owner" })).toBe(false);
    leaving.abort();
    expect(await waiting).toBe(false);
    semaphore.release();
    expect(semaphore.held).toBe(0);
  });

  it("gives owners their semaphore one after another, and each no more than it may have waiting", async () => {
    const semaphore = new Semaphore(1, { maxOfOwner: 2, max: 3 });
    const order: string[] = [];
    const take = async (owner: string, name: string) => {
      order.push(`${name} ${await semaphore.acquire({ signal: never, owner })}`);
    };
    for (const [owner, name] of [
      ["a", "a1"],
      ["a", "a2"],
      ["a", "a3"],
      ["a", "a4"],
      ["b", "b1"],
      ["c", "c1"],
    ] as const) {
      void take(owner, name);
    }
    await settle();
    for (let times = 0; times < 3; times++) {
      semaphore.release();
      await settle();
    }
    expect(order).toEqual(["a1 true", "a4 false", "c1 false", "a2 true", "b1 true", "a3 true"]);
  });

  it("gives none after the time that it is waited for, and the next one to those who still wait", async () => {
    const semaphore = new Semaphore(1);
    await semaphore.acquire();
    const patient = semaphore.acquire({ timeoutMs: 60_000 });
    expect(await semaphore.acquire({ timeoutMs: 1 })).toBe(false);
    semaphore.release();
    expect(await patient).toBe(true);
  });

  it("never has more out than there are, and none where all were ended, whoever leaves", async () => {
    const steps = fc.array(fc.constantFrom("take", "release", "leave"), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), steps, async (most, drawn) => {
        const semaphore = new Semaphore(most, { maxOfOwner: 3, max: 3 });
        const leaving: AbortController[] = [];
        let held = 0;
        for (const step of drawn) {
          if (step === "take") {
            const stop = new AbortController();
            leaving.push(stop);
            void semaphore.acquire({ signal: stop.signal, owner: "owner" }).then((isGiven) => {
              if (isGiven) held += 1;
            });
          } else if (step === "leave") leaving.shift()?.abort();
          else if (held > 0) {
            held -= 1;
            semaphore.release();
          }
          await settle();
          expect(held).toBe(semaphore.held);
          expect(held).toBeLessThanOrEqual(most);
        }
        for (const stop of leaving) stop.abort();
        for (; held > 0; held -= 1) semaphore.release();
        expect(semaphore.held).toBe(0);
      }),
      { numRuns: 50 },
    );
  });
});
