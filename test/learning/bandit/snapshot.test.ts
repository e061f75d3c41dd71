import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { restoreSnapshot, takeSnapshot } from "../../../src/learning/bandit/snapshot.ts";
import { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";
import { ARMS, seedOf, someStep, takeStep } from "./some-workload.ts";

const FULL = { arms: ARMS, base: "base", priors: { good: 0.1 }, guarded: ["errors"], objective: "cost" } as const;

describe("restoreSnapshot()", () => {
  it("decides and learns as if the process had never ended", () => {
    fc.assert(
      fc.property(fc.array(someStep, { maxLength: 60 }), fc.array(someStep, { maxLength: 60 }), (before, after) => {
        const state = new WorkloadState({ ...FULL, familyLimit: 2 });
        for (const step of before) takeStep(state, step);
        const restored = restoreSnapshot(JSON.parse(JSON.stringify(takeSnapshot(state))));
        for (const step of after) expect({ ...takeStep(restored, step) }).toEqual({ ...takeStep(state, step) });
        expect(takeSnapshot(restored)).toEqual(takeSnapshot(state));
      }),
      { numRuns: 40 },
    );
  });

  it("holds many families", () => {
    const state = new WorkloadState(FULL);
    for (let index = 0; index < 100; index++) {
      const step = { family: `family ${index}`, seed: seedOf(index), eligible: [1, 1, 1, 1], rewards: [1, 0, 1, 0] };
      takeStep(state, { ...step, hasFeedback: true });
    }
    const text = JSON.stringify(takeSnapshot(state));
    expect(takeSnapshot(restoreSnapshot(JSON.parse(text)))).toEqual(JSON.parse(text));
    expect(text.length / 100).toBeLessThan(400);
  });

  it("is not changed by what is learned later", () => {
    const state = new WorkloadState(FULL);
    const snapshot = takeSnapshot(state);
    const text = JSON.stringify(snapshot);
    takeStep(state, { family: "a", seed: 1, eligible: [1, 1, 1, 1], rewards: [1, 1, 1, 1], hasFeedback: true });
    expect(JSON.stringify(snapshot)).toBe(text);
  });

  it.each([
    ["another form", { version: 1 }, "the snapshot is of version 1 and policy"],
    ["another policy", { policy: "baht-g/1" }, "policy baht-g/1"],
    ["an unknown objective", { objective: "fame" }, "unknown objective fame"],
    ["families without their numbers", { families: [["a", 7]] }, "the families are damaged"],
    ["too few figures", { byFamily: { requests: [] } }, "requests must have 1 figures"],
    ["a figure that is none", { totals: { rewards: null } }, "rewards must be a number"],
    ["an account less", { complaints: undefined }, "an account is missing"],
  ])("rejects %s", (_, change, message) => {
    const snapshot = takeSnapshot(new WorkloadState(FULL));
    expect(() => restoreSnapshot({ ...snapshot, ...change } as never)).toThrow(message);
  });
});
