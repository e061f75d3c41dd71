import { describe, expect, it } from "vitest";
import { InFlight } from "../../../src/inference/run/in-flight.ts";
import { createOwnInferences } from "../../../src/store/peers/local-inferences.ts";

const FACTS = { projectId: "p", model: "m", workload: "w" };
const LONG_MS = 60_000;

/** What a process has; its recorder writes when it is told to. */
function setUp() {
  const underWay = new InFlight();
  const waiting = new Set<string>();
  const limits: (number | undefined)[] = [];
  let write = (): void => {};
  const recorder = {
    find: (id: string) => (waiting.has(id) ? FACTS : undefined),
    async flush(limitMs?: number) {
      limits.push(limitMs);
      await new Promise<void>((resolve) => {
        write = () => {
          waiting.clear();
          resolve();
        };
        if (limitMs !== undefined && limitMs < LONG_MS / 2) setTimeout(resolve, limitMs);
      });
    },
  };
  return { own: createOwnInferences(underWay, recorder), underWay, waiting, limits, write: () => write() };
}

describe("createOwnInferences()", () => {
  it("finds what is under way, what waits to be written, and nothing else", () => {
    const { own, underWay, waiting } = setUp();
    underWay.add("1", FACTS);
    waiting.add("2");
    expect([own.find("1"), own.find("2"), own.find("3")]).toEqual([FACTS, FACTS, undefined]);
  });

  it("resolves at once for what it does not have", async () => {
    const { own, limits } = setUp();
    expect([await own.ended("1", LONG_MS), await own.written("1", LONG_MS)]).toEqual([true, true]);
    expect(limits).toEqual([]);
  });

  it("waits for the end of what is under way, and not longer than it may", async () => {
    const { own, underWay } = setUp();
    underWay.add("1", FACTS);
    expect([await own.ended("1", 10), await own.written("1", 10)]).toEqual([false, false]);
    const ended = own.ended("1", LONG_MS);
    underWay.delete("1");
    expect(await ended).toBe(true);
  });

  it("has what has ended written, within what is left of the time", async () => {
    const { own, underWay, waiting, limits, write } = setUp();
    underWay.add("1", FACTS);
    const written = own.written("1", LONG_MS);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(limits).toEqual([]);
    waiting.add("1");
    underWay.delete("1");
    await new Promise(setImmediate);
    expect(limits[0]).toBeLessThan(LONG_MS - 15);
    write();
    expect(await written).toBe(true);
  });

  it("says so where the database did not take it in time", async () => {
    const { own, waiting } = setUp();
    waiting.add("1");
    expect(await own.written("1", 20)).toBe(false);
  });
});
