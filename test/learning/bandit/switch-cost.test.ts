import { describe, expect, it } from "vitest";
import { Decision, decide } from "../../../src/learning/bandit/decide.ts";
import { learn } from "../../../src/learning/bandit/learn.ts";
import { relativePrice } from "../../../src/learning/bandit/prices.ts";
import { restoreSnapshot, takeSnapshot } from "../../../src/learning/bandit/snapshot.ts";
import { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";
import { ARMS } from "./some-workload.ts";

const [BASE, GOOD] = [0, 1];

/** A workload whose base answered at these prices, less what its cache took off. */
function paid(...answers: readonly (readonly [price: number, saved: number])[]): WorkloadState {
  const state = new WorkloadState({ arms: ARMS, base: "base", objective: "cost" });
  for (const [price, saved] of answers) learn(state, { kind: "served", family: "a", arm: BASE, price, saved });
  return state;
}

describe("the cost of leaving base's cache", () => {
  it("is what base's cache reads take off, in prices of base", () => {
    expect(paid().prices.switchCost).toBe(0);
    expect(paid([10, 0]).prices.switchCost).toBe(0);
    expect(paid([10, 5], [30, 25]).prices.switchCost).toBe(30 / 40);
  });

  it("is nothing where writing cost more than reading saved, and never more than a read can save", () => {
    expect(paid([10, -2]).prices.switchCost).toBe(0);
    expect(paid([1, 1000]).prices.switchCost).toBe(9);
  });

  it("goes by base's own cache", () => {
    const state = paid([10, 5]);
    learn(state, { kind: "served", family: "a", arm: GOOD, price: 10, saved: 100 });
    expect(state.prices.switchCost).toBe(0.5);
  });

  it("is what an arm is believed to cost more, until what it costs is measured", () => {
    const state = paid([10, 5]);
    expect([relativePrice(state, BASE), relativePrice(state, GOOD)]).toEqual([1, 1.5]);
    for (let count = 0; count < 99; count++) learn(state, { kind: "served", family: "a", arm: GOOD, price: 10 });
    expect(relativePrice(state, GOOD)).toBeCloseTo((99 + 1.5) / 100);
  });

  it("is in the worth of others where price weighs, and in the decision anyway", () => {
    const decided = (state: WorkloadState) =>
      decide(state, { family: 1, eligible: new Uint8Array(ARMS.length).fill(1), seed: 1 }, new Decision(ARMS.length));
    const [cached, plain] = [paid([10, 5]), paid([10, 0])];
    expect(decided(cached).worths).toEqual(decided(plain).worths);
    expect([decided(cached).switchCost, decided(plain).switchCost]).toEqual([0.5, 0]);
    cached.priceWeight = 0.1;
    plain.priceWeight = 0.1;
    const [dear, cheap] = [decided(cached).worths, decided(plain).worths];
    expect(dear[BASE]).toBe(cheap[BASE]);
    expect(dear[GOOD]).toBeCloseTo((cheap[GOOD] ?? 0) - 0.05, 12);
  });

  it("comes back from a snapshot", () => {
    const snapshot = takeSnapshot(paid([10, 5]));
    expect(restoreSnapshot(JSON.parse(JSON.stringify(snapshot))).prices.switchCost).toBe(0.5);
  });
});
