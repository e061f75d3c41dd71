import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { BackgroundQueue } from "../../src/lib/background-queue.ts";

function open(options: Partial<ConstructorParameters<typeof BackgroundQueue>[0]> = {}) {
  const failures: unknown[] = [];
  const queue = new BackgroundQueue({
    concurrency: 1,
    mostWaiting: 2,
    mostWeight: 10,
    timeoutMs: 60_000,
    onFailure: (error) => failures.push(error),
    ...options,
  });
  onTestFinished(() => queue.close());
  return { queue, failures };
}

const never = (): Promise<void> => new Promise(() => {});

describe("BackgroundQueue", () => {
  it("runs so many at a time, in their order", async () => {
    const { queue } = open({ concurrency: 2 });
    const begun: number[] = [];
    const gates = [0, 1, 2].map(() => Promise.withResolvers<void>());
    for (const [at, { promise }] of gates.entries()) {
      queue.add(1, () => {
        begun.push(at);
        return promise;
      });
    }
    expect(begun).toEqual([0, 1]);
    gates[1]?.resolve();
    await expect.poll(() => begun).toEqual([0, 1, 2]);
  });

  it("has room by number and by weight, and for one that is heavier than all may be", () => {
    const { queue } = open();
    queue.add(1, never);
    expect(queue.hasRoom(100)).toBe(true);
    queue.add(6, never);
    expect([queue.hasRoom(4), queue.hasRoom(5)]).toEqual([true, false]);
    queue.add(1, never);
    expect(queue.hasRoom(0)).toBe(false);
  });

  it("tells of failures, and goes on with the next one", async () => {
    const { queue, failures } = open();
    let isRun = false;
    queue.add(1, () => Promise.reject(new Error("broken")));
    queue.add(1, async () => {
      isRun = true;
    });
    await expect.poll(() => isRun).toBe(true);
    expect(failures).toEqual([new Error("broken")]);
  });

  it("leaves a work that does not heed its limit of time", async () => {
    const { queue, failures } = open({ timeoutMs: 1 });
    queue.add(1, never);
    await expect.poll(() => failures).toHaveLength(1);
  });

  it("breaks off what runs and what waits when it is closed, and tells of no failure", async () => {
    const { queue, failures } = open();
    const begun: string[] = [];
    queue.add(1, (signal) => {
      begun.push("first");
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    });
    queue.add(1, async () => void begun.push("second"));
    await queue.close();
    queue.add(1, async () => void begun.push("third"));
    await turn();
    expect({ begun, failures }).toEqual({ begun: ["first"], failures: [] });
  });
});
