import { describe, expect, it } from "vitest";
import { ClusterTrial } from "../../../src/learning/bandit/cluster-trial.ts";
import { meanReward } from "../../../src/learning/bandit/estimates.ts";
import { learn } from "../../../src/learning/bandit/learn.ts";
import { SeededRandom } from "../../../src/learning/bandit/seeded-random.ts";
import { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";

const ARMS = ["base", "a", "b", "c"];
const CLUSTERS = 16;

/** How much an arm is better in a cluster than one half. */
type World = (cluster: number, arm: number) => number;

/** Plays a trial as `FamilySplits` does; returns the rewards after which it was won, or undefined. */
function play(seed: number, world: World, { steps = 2000, tries = 1 } = {}): number | undefined {
  const random = new SeededRandom(seed);
  const whole = new WorkloadState({ arms: ARMS, base: "base", feedback: "complete" });
  const trial = ClusterTrial.begin(ARMS, "base", tries);
  for (let step = 1; step <= steps; step++) {
    const cluster = Math.floor(random.uniform() ** 1.5 * CLUSTERS);
    // Base answers most, as where nothing is known yet.
    const arm = random.uniform() < 0.6 ? 0 : 1 + Math.floor(random.uniform() * (ARMS.length - 1));
    const reward = random.uniform() < 0.5 + world(cluster, arm) ? 1 : 0;
    trial.served(String(cluster), arm);
    const family = whole.seeFamily("whole");
    trial.rewarded(String(cluster), { arm, reward }, meanReward(whole, family, arm));
    learn(whole, { kind: "rewarded", family: "whole", arm, reward });
    if (trial.outcome === "won") return step;
  }
  return undefined;
}

/** Plays a trial of grades alone, as `FamilySplits` does, by the chance of a good grade; returns those after which it was won. */
function playGrades(seed: number, chanceOf: World, steps = 2000): number | undefined {
  const random = new SeededRandom(seed);
  const trial = ClusterTrial.begin(ARMS, "base", 1);
  const [counts, goods] = [ARMS.map(() => 0), ARMS.map(() => 0)];
  for (let step = 1; step <= steps; step++) {
    const cluster = Math.floor(random.uniform() ** 1.5 * CLUSTERS);
    const arm = random.uniform() < 0.5 ? 0 : 1 + Math.floor(random.uniform() * (ARMS.length - 1));
    const isGood = random.uniform() < chanceOf(cluster, arm);
    trial.served(String(cluster), arm);
    trial.graded(String(cluster), { arm, isGood }, ((goods[arm] ?? 0) + 1) / ((counts[arm] ?? 0) + 2));
    counts[arm] = (counts[arm] ?? 0) + 1;
    goods[arm] = (goods[arm] ?? 0) + Number(isGood);
    if (trial.outcome === "won") return step;
  }
  return undefined;
}

const wins = (streams: number, world: World, steps = 1000): number =>
  Array.from({ length: streams }, (_, seed) => play(seed, world, { steps })).filter((won) => won !== undefined).length;

describe("ClusterTrial", () => {
  it.each<{ name: string; world: World }>([
    { name: "models are alike", world: () => 0 },
    { name: "models differ everywhere alike", world: (_, arm) => [0, 0.2, -0.2, 0.1][arm] ?? 0 },
  ])("is won in at most 5% of 200 streams by clusters that do not matter, where $name", ({ world }) => {
    expect(wins(200, world)).toBeLessThanOrEqual(10);
  });

  it("is won by clusters in which other models are better", () => {
    expect(wins(10, (cluster, arm) => (arm === 0 ? 0 : arm === 1 + (cluster % 3) ? 0.35 : -0.25), 3000)).toBe(10);
  });

  it("is won by clusters that are easier than others", () => {
    expect(wins(10, (cluster) => (cluster % 2 === 0 ? 0.25 : -0.25))).toBe(10);
  });

  it("is won in at most 5% of 200 streams by grades that differ by model alone", () => {
    const won = Array.from({ length: 200 }, (_, seed) => playGrades(seed, (_cluster, arm) => 0.3 + 0.15 * arm, 1000));
    expect(won.filter((step) => step !== undefined).length).toBeLessThanOrEqual(10);
  });

  it("is won by grades where other models are better in some clusters", () => {
    const chanceOf: World = (cluster, arm) => (arm === 0 ? 0.6 : arm === 1 + (cluster % 3) ? 0.8 : 0.3);
    for (let seed = 0; seed < 10; seed++) expect(playGrades(seed, chanceOf, 3000)).toBeLessThan(3000);
  });

  it("asks for twice as much at each further try", () => {
    const world: World = (cluster) => (cluster % 2 === 0 ? 0.25 : -0.25);
    const [first = 0, fifth = 0] = [play(3, world), play(3, world, { tries: 5 })];
    expect(first).toBeGreaterThan(0);
    expect(fifth).toBeGreaterThan(first);
  });

  it("is lost after 5,000 rewards", () => {
    const trial = ClusterTrial.begin(ARMS, "base", 1);
    for (let at = 0; at < 4999; at++) trial.rewarded("0", { arm: 0, reward: at % 2 }, 0.5);
    expect(trial.outcome).toBe("open");
    trial.rewarded("0", { arm: 0, reward: 1 }, 0.5);
    expect(trial.outcome).toBe("lost");
  });

  it("goes on from what is stored as if it had not been", () => {
    const one = ClusterTrial.begin(ARMS, "base", 2);
    const feed = (trial: ClusterTrial, from: number) => {
      for (let at = from; at < from + 60; at++) {
        trial.served(String(at % 3), at % 2);
        trial.rewarded(String(at % 3), { arm: at % 2, reward: at % 3 === 0 ? 1 : 0, weight: 0.5 }, 0.4);
      }
    };
    feed(one, 0);
    const other = ClusterTrial.restore(JSON.parse(JSON.stringify(one.toSnapshot())), 2);
    feed(one, 60);
    feed(other, 60);
    expect(other.toSnapshot()).toEqual(one.toSnapshot());
    expect(other.wealth).toBeGreaterThan(1);
  });
});
