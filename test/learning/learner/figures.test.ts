import { describe, expect, it } from "vitest";
import { learn } from "../../../src/learning/bandit/learn.ts";
import { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";
import { describeFamilies, describeState, listOverdrawn } from "../../../src/learning/learner/figures.ts";

const ARMS = ["base", "good", "other"];
const begin = () => new WorkloadState({ arms: ARMS, base: "base", guarded: ["attune.success"] });

/** Serves so many requests of a family by an arm, each with a reward. */
function serve(state: WorkloadState, family: string, arm: number, rewards: readonly number[]): void {
  for (const reward of rewards) {
    learn(state, { kind: "served", family, arm });
    learn(state, { kind: "rewarded", family, arm, reward });
  }
}

/** As many rewards of 1 and of 0 as make the mean, evenly spread. */
const mean = (share: number, count: number) =>
  Array.from({ length: count }, (_, index) => (Math.floor((index + 1) * share) > Math.floor(index * share) ? 1 : 0));

const armOf = (state: WorkloadState, name: string) => {
  const found = describeState(state).arms.find(({ model }) => model === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
};

describe("describeState()", () => {
  it("has what is believed before anything is known, and accounts that are empty", () => {
    const { arms, accounts, ...rest } = describeState(begin());
    // Base at one half, doubt by one believed reward and by four of all families: sqrt(.25/1 + .25/4). A stranger is a
    // fortieth behind.
    const doubt = expect.closeTo(0.55902, 5);
    expect(arms[0]).toEqual({ model: "base", rewards: 0, price: 1, hasToEarn: 0, worth: 0.5, doubt });
    expect(arms[1]).toMatchObject({ model: "good", worth: 0.475, doubt: expect.closeTo(0.55832, 5) });
    expect(rest).toMatchObject({ base: "base", rewards: 0, hasRoom: true, routedShare: 0, chosen: { worth: 0.5 } });
    // Nothing is lost yet; the next reward can cost one, and a guarded observation one half.
    expect(accounts).toEqual([
      { name: "rewards", loss: 1, budget: 1.2 },
      { name: "complaints", loss: 0.5, budget: 1.2 },
      { name: "attune.success", loss: 0.5, budget: 1.2 },
    ]);
  });

  it("judges models by the same mix of requests, and not by what they were asked", () => {
    const state = begin();
    // Base is asked what is easy for everyone, and a little of what is hard; the other one mostly what is hard, and is
    // better at both.
    serve(state, "easy", 0, mean(0.9, 200));
    serve(state, "hard", 0, mean(0.2, 40));
    serve(state, "easy", 1, mean(0.95, 40));
    serve(state, "hard", 1, mean(0.4, 200));
    const [base, good] = [armOf(state, "base"), armOf(state, "good")];
    expect(good.worth - base.worth).toBeGreaterThan(0.08);
    // Half of the requests are easy: (.9 + .2) / 2 and (.95 + .4) / 2, drawn a little to each other.
    expect(base.worth).toBeCloseTo(0.55, 1);
    expect(good.worth).toBeCloseTo(0.675, 1);
  });

  it("is the surer the more was said", () => {
    const [few, many] = [begin(), begin()];
    serve(few, "a", 0, mean(0.5, 10));
    serve(many, "a", 0, mean(0.5, 1000));
    expect(armOf(few, "base").doubt).toBeGreaterThan(0.1);
    // Of a thousand rewards it is that of their mean: sqrt(.25/1000).
    expect(armOf(many, "base").doubt).toBeCloseTo(Math.sqrt(0.25 / 1000), 2);
  });

  it("tells whom it chooses in each family, and what that is worth altogether", () => {
    const state = begin();
    serve(state, "poems", 0, mean(0.5, 60));
    serve(state, "sums", 0, mean(0.5, 20));
    serve(state, "poems", 1, mean(0.9, 60));
    serve(state, "sums", 1, mean(0.1, 20));
    const { routedShare, chosen } = describeState(state);
    expect(routedShare).toBe(0.75);
    expect(chosen.worth).toBeGreaterThan(0.7);
    expect(describeFamilies(state, 10)).toMatchObject([
      { name: "poems", requests: 120, rewards: 120, chosen: "good" },
      { name: "sums", requests: 40, rewards: 40, chosen: "base" },
    ]);
    expect(describeFamilies(state, 1).map(({ name }) => name)).toEqual(["poems"]);
  });

  it("tells which account is overdrawn", () => {
    const state = begin();
    serve(state, "a", 0, mean(1, 30));
    expect(listOverdrawn(state)).toEqual([]);
    for (let index = 0; index < 10; index++) {
      learn(state, { kind: "measured", family: "a", arm: 0, metric: "attune.success", value: 1 });
      learn(state, { kind: "measured", family: "a", arm: 1, metric: "attune.success", value: 0 });
    }
    expect(listOverdrawn(state).map(({ name }) => name)).toEqual(["attune.success"]);
    expect(describeState(state).hasRoom).toBe(false);
  });
});
