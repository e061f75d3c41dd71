import { setImmediate as checkPhase } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { afterPollPhase } from "../../src/lib/after-poll-phase.ts";

describe("afterPollPhase()", () => {
  it("lets all who wait in one iteration of the event loop go on together, in their order", async () => {
    const order: string[] = [];
    const step = async (name: string): Promise<void> => {
      await afterPollPhase();
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
    const first = afterPollPhase();
    expect(afterPollPhase()).toBe(first);
    await first;
    expect(afterPollPhase()).not.toBe(first);
    await afterPollPhase();
  });
});
