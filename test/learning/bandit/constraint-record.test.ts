import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Constraint, ConstraintRecord } from "../../../src/learning/bandit/constraint-record.ts";
import { learn } from "../../../src/learning/bandit/learn.ts";
import { restoreSnapshot, takeSnapshot } from "../../../src/learning/bandit/snapshot.ts";
import { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";
import { ARMS, decideStep, type Step, seedOf } from "./some-workload.ts";

const [BASE, GOOD] = [0, 1];
const HELPFUL: Constraint = { metric: "helpful", relation: "atLeast", bound: 0.8 };
const SECONDS: Constraint = { metric: "seconds", relation: "atMost", bound: 2 };

function recordOf(constraint: Constraint, values: readonly number[]): ConstraintRecord {
  const record = new ConstraintRecord(constraint, 2);
  for (const value of values) record.add(1, value);
  return record;
}

/** A workload that believes in `good`, and has been asked for something of its answers. */
function someState(constraints: readonly Constraint[]): WorkloadState {
  const state = new WorkloadState({
    arms: ARMS,
    base: "base",
    feedback: "complete",
    priors: { good: 0.4 },
    constraints,
  });
  for (let index = 0; index < 40; index++) {
    learn(state, { kind: "served", family: "a", arm: BASE });
    learn(state, { kind: "rewarded", family: "a", arm: BASE, reward: 0.2 });
    learn(state, { kind: "served", family: "a", arm: GOOD });
    learn(state, { kind: "rewarded", family: "a", arm: GOOD, reward: 1 });
  }
  return state;
}

function say(state: WorkloadState, arm: number, metric: string, values: readonly number[]): void {
  for (const value of values) learn(state, { kind: "valued", arm, metric, value });
}

const stepOf = (index: number): Step => {
  return { family: "a", seed: seedOf(index), eligible: [1, 1, 0, 0], rewards: [], hasFeedback: false };
};

/** How many of 300 requests each arm gets. */
function servedBy(state: WorkloadState, hold?: Parameters<typeof decideStep>[2]): number[] {
  const served = ARMS.map(() => 0);
  for (let index = 0; index < 300; index++) {
    const { arm } = decideStep(state, stepOf(index), hold);
    served[arm] = (served[arm] ?? 0) + 1;
  }
  return served;
}

describe("ConstraintRecord", () => {
  it("keeps the mean and the squares that all values together have", () => {
    const finite = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(fc.array(finite, { minLength: 1, maxLength: 50 }), (values) => {
        const { counts, means, squares } = recordOf(SECONDS, values);
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
        const spread = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
        expect(counts[1]).toBe(values.length);
        expect(means[1]).toBeCloseTo(mean, 5);
        expect(Math.abs((squares[1] ?? 0) - spread)).toBeLessThanOrEqual(1e-6 * (spread + 1));
      }),
    );
  });

  it("says nothing of nine values, and of the tenth on what they are", () => {
    expect(recordOf(HELPFUL, Array(9).fill(0)).isBroken(1)).toBe(false);
    expect(recordOf(HELPFUL, Array(10).fill(0)).isBroken(1)).toBe(true);
    expect(recordOf(HELPFUL, Array(10).fill(0)).isBroken(0)).toBe(false);
    expect(recordOf(HELPFUL, Array(10).fill(1)).isBroken(1)).toBe(false);
    expect(recordOf(SECONDS, Array(10).fill(2)).isBroken(1)).toBe(false);
    expect(recordOf(SECONDS, Array(10).fill(2.01)).isBroken(1)).toBe(true);
  });

  it("leaves to chance what chance may have done", () => {
    const shareOf = (count: number) => Array.from({ length: count }, (_, index) => (index % 4 === 0 ? 0 : 1));
    // Three of four: of 20 values the standard error is 0.1, of 2,000 it is 0.01.
    expect(recordOf(HELPFUL, shareOf(20)).isBroken(1)).toBe(false);
    expect(recordOf(HELPFUL, shareOf(2000)).isBroken(1)).toBe(true);
  });

  it("survives the greatest numbers there are", () => {
    const record = recordOf(
      SECONDS,
      Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? 1 : -1) * Number.MAX_VALUE),
    );
    expect([record.means[1], record.squares[1]].every(Number.isFinite)).toBe(true);
  });
});

describe("a workload with constraints", () => {
  it("has an arm that breaks one serve no more, however good it is", () => {
    const state = someState([HELPFUL, SECONDS]);
    expect(servedBy(state)[GOOD]).toBeGreaterThan(200);
    say(state, GOOD, "helpful", Array(20).fill(1));
    say(state, GOOD, "other", Array(20).fill(100));
    expect(servedBy(state)[GOOD]).toBeGreaterThan(200);
    say(state, GOOD, "seconds", Array(20).fill(3));
    expect(servedBy(state)).toEqual([300, 0, 0, 0]);
  });

  it("has base serve that breaks it too: it was asked for", () => {
    const state = someState([SECONDS]);
    say(state, BASE, "seconds", Array(20).fill(3));
    const [base = 0, good = 0] = servedBy(state);
    expect(base).toBeGreaterThan(0);
    expect(good).toBeGreaterThan(200);
  });

  it("leaves an arm that somebody has pinned", () => {
    const state = someState([SECONDS]);
    say(state, GOOD, "seconds", Array(20).fill(3));
    expect(servedBy(state, { kind: "pinned", arm: GOOD })).toEqual([0, 300, 0, 0]);
  });

  it("comes back from a snapshot as it was", () => {
    const state = someState([HELPFUL, SECONDS]);
    say(state, GOOD, "seconds", Array(20).fill(3));
    say(state, BASE, "helpful", [1, 0, 1]);
    const snapshot = takeSnapshot(state);
    const restored = restoreSnapshot(JSON.parse(JSON.stringify(snapshot)));
    expect(takeSnapshot(restored)).toEqual(snapshot);
    expect(servedBy(restored)).toEqual([300, 0, 0, 0]);
  });
});
