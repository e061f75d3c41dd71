import { setImmediate as checkPhase } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { turnEnd } from "../../src/lib/after-poll-phase.ts";

describe("turnEnd()", () => {
  it("lets all who wait in one turn of the event loop go on together, in their order", async () => {
    const order: string[] = [];
    const step = async (name: string): Promise<void> => {
      await turnEnd();
      order.push(`${name} first`);
      await null;
      order.push(`${name} second`);
    };
    const steps = ["a", "b"].map(step);
    queueMicrotask(() => steps.push(step("c")));
    await null;
    expect(order).toEqual([]);
    await Promise.all(steps);
    await checkPhase();
    expect(order).toEqual(["a first", "b first", "c first", "a second", "b second", "c second"]);
  });

  it("is another one in the next turn", async () => {
    const first = turnEnd();
    expect(turnEnd()).toBe(first);
    await first;
    expect(turnEnd()).not.toBe(first);
    await turnEnd();
  });
});
