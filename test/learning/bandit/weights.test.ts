import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { learn } from "../../../src/learning/bandit/learn.ts";
import { takeSnapshot } from "../../../src/learning/bandit/snapshot.ts";
import { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";
import { ARMS } from "./some-workload.ts";

const someReward = fc.record({
  family: fc.constantFrom("a", "b"),
  arm: fc.integer({ min: 0, max: ARMS.length - 1 }),
  reward: fc.double({ min: 0, max: 1, noNaN: true }),
  weight: fc.double({ min: 0.001, max: 1, noNaN: true }),
});

const begin = () => new WorkloadState({ arms: ARMS, base: "base" });

describe("learn() of a reward with a weight", () => {
  it("is what it was without one, where the weight is 1", () => {
    fc.assert(
      fc.property(fc.array(someReward, { maxLength: 40 }), (rewards) => {
        const [plain, weighed] = [begin(), begin()];
        for (const { weight: _, ...event } of rewards) {
          learn(plain, { kind: "rewarded", ...event });
          learn(weighed, { kind: "rewarded", ...event, weight: 1 });
        }
        expect(takeSnapshot(weighed)).toEqual(takeSnapshot(plain));
      }),
    );
  });

  it("counts by its weight, in everything that is counted", () => {
    fc.assert(
      fc.property(fc.array(someReward, { maxLength: 20 }), (rewards) => {
        const state = begin();
        for (const event of rewards) learn(state, { kind: "rewarded", ...event });
        const sum = (of: typeof rewards, value: (event: (typeof rewards)[number]) => number) =>
          of.reduce((all, event) => all + value(event), 0);
        expect(state.rewards).toBeCloseTo(
          sum(rewards, ({ weight }) => weight),
          9,
        );
        for (let arm = 0; arm < ARMS.length; arm++) {
          const own = rewards.filter((event) => event.arm === arm);
          expect(state.armCounts[arm]).toBeCloseTo(
            sum(own, ({ weight }) => weight),
            9,
          );
          expect(state.armSums[arm]).toBeCloseTo(
            sum(own, ({ weight, reward }) => weight * reward),
            9,
          );
        }
      }),
    );
  });

  it("leaves what the last reward of an answer makes, where it replaces earlier ones", () => {
    fc.assert(
      fc.property(fc.array(someReward, { maxLength: 20 }), someReward, someReward, (others, first, second) => {
        const [direct, replaced] = [begin(), begin()];
        for (const state of [direct, replaced])
          for (const event of others) learn(state, { kind: "rewarded", ...event });
        const answer = { kind: "rewarded", family: first.family, arm: first.arm } as const;
        learn(direct, { ...answer, reward: second.reward, weight: second.weight });
        learn(replaced, { ...answer, reward: first.reward, weight: first.weight });
        learn(replaced, { ...answer, reward: second.reward, weight: second.weight, replaces: first });
        for (const name of ["counts", "sums", "armCounts", "armSums"] as const) {
          for (const [at, value] of direct[name].entries()) expect(replaced[name][at]).toBeCloseTo(value, 9);
        }
        expect(replaced.rewards).toBeCloseTo(direct.rewards, 9);
        expect(replaced.praises).toBeCloseTo(direct.praises, 9);
      }),
    );
  });

  it("makes no more of a complaint than its weight", () => {
    const state = begin();
    learn(state, { kind: "served", family: "a", arm: 1 });
    learn(state, { kind: "rewarded", family: "a", arm: 1, reward: 0, weight: 0.25 });
    expect(state.complaints?.account.sums[state.families.find("a") ?? -1]).toBe(0.75);
  });

  it.each([0, -1, 1.5, Number.NaN])("refuses the weight %s", (weight) => {
    expect(() => learn(begin(), { kind: "rewarded", family: "a", arm: 1, reward: 1, weight })).toThrow(RangeError);
  });
});
