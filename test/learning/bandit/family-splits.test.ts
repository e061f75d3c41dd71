import { describe, expect, it } from "vitest";
import { clusterId, readPart, wholeFamily } from "../../../src/learning/bandit/cluster-id.ts";
import { FamilySplits } from "../../../src/learning/bandit/family-splits.ts";
import { learn } from "../../../src/learning/bandit/learn.ts";
import { PromptClusters } from "../../../src/learning/bandit/prompt-clusters.ts";
import { SeededRandom } from "../../../src/learning/bandit/seeded-random.ts";
import { restoreSnapshot, takeSnapshot } from "../../../src/learning/bandit/snapshot.ts";
import { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";

const ARMS = ["base", "other"];
const WHOLE = "auto:plain";
const MODEL = PromptClusters.learn(["one", "two"], 2).encode();
const part = (cluster: number, generation = 7) => clusterId({ whole: WHOLE, generation, cluster });

function begin() {
  const state = new WorkloadState({ arms: ARMS, base: "base", feedback: "complete" });
  return { state, divisions: new FamilySplits(state) };
}
type Kept = ReturnType<typeof begin>;

/** Learns as the learner does. */
function tell({ state, divisions }: Kept, name: string, arm: number, reward: number) {
  divisions.served(name, arm);
  learn(state, { kind: "served", family: divisions.familyOf(name), arm });
  const change = divisions.rewarded(name, { arm, reward });
  learn(state, { kind: "rewarded", family: divisions.familyOf(name), arm, reward });
  return change;
}

/** Base is right in the first cluster and the other model in the second; each fifth answer is wrong. */
function tellMany(kept: Kept, count: number, { generation = 7, seed = 1, matters = true } = {}) {
  const random = new SeededRandom(seed);
  const changes = Array.from({ length: count }, () => {
    const [cluster, arm] = [Math.floor(random.uniform() * 2), Math.floor(random.uniform() * 2)];
    const isRight = (matters ? cluster === arm : arm === 0) !== random.uniform() < 0.2;
    return tell(kept, part(cluster, generation), arm, isRight ? 1 : 0);
  });
  return changes.filter((change) => change !== undefined);
}

const cell = ({ state }: Kept, name: string, arm: number) => {
  const at = (state.families.find(name) ?? Number.NaN) * ARMS.length + arm;
  return { count: state.counts[at], sum: state.sums[at] };
};

describe("FamilySplits", () => {
  it("learns of the whole family while clusters are tried, and of each cluster once they have won", () => {
    const kept = begin();
    expect(kept.divisions.familyOf(part(1))).toBe(WHOLE);
    const [won, ...others] = tellMany(kept, 400);
    expect(others).toEqual([]);
    expect(won).toMatchObject({ family: WHOLE, outcome: "won", clusters: 2 });
    expect(kept.divisions.familyOf(part(1))).toBe(part(1));
    expect(kept.divisions.familyOf(WHOLE)).toBe(WHOLE);
    expect(kept.divisions.familyOf(part(1, 6))).toBe(WHOLE);
    const rate = (cluster: number, arm: number) => {
      const { count = 0, sum = 0 } = cell(kept, part(cluster), arm);
      return sum / count;
    };
    expect(rate(0, 0)).toBeGreaterThan(0.7);
    expect(rate(0, 1)).toBeLessThan(0.3);
    expect(rate(1, 1)).toBeGreaterThan(0.7);
    const requests = [...kept.state.families.entries()].map(([, number]) => kept.state.requests[number] ?? 0);
    expect(requests.reduce((sum, count) => sum + count)).toBe(400);
  });

  it("has a proven judge's grades decide where there is little feedback, and shares them out", () => {
    const grade = (kept: Kept, name: string, arm: number, isGood: boolean) => {
      const change = kept.divisions.graded(name, { arm, isGood });
      learn(kept.state, { kind: "graded", family: kept.divisions.familyOf(name), arm, isGood });
      return change;
    };
    /** Grades as `tellMany` rewards, until clusters have won. */
    const gradeMany = (kept: Kept) => {
      const random = new SeededRandom(3);
      for (let count = 1; count <= 600; count++) {
        const [cluster, arm] = [Math.floor(random.uniform() * 2), Math.floor(random.uniform() * 2)];
        const change = grade(kept, part(cluster), arm, (cluster === arm) !== random.uniform() < 0.2);
        if (change !== undefined) return { change, count };
      }
      return undefined;
    };
    const unproven = begin();
    expect(gradeMany(unproven)).toBeUndefined();
    const kept = begin();
    for (let at = 0; at < 80; at++) {
      learn(kept.state, { kind: "checked", arm: 0, isGood: at % 2 === 0, reward: (at + 1) % 2 });
    }
    for (let at = 0; at < 20; at++) grade(kept, WHOLE, at % 2, true);
    const { change, count = 0 } = gradeMany(kept) ?? {};
    expect(change).toMatchObject({ family: WHOLE, outcome: "won", clusters: 2, rewards: count });
    const { grades, families } = kept.state;
    const counts = (name: string) => {
      const from = (families.find(name) ?? Number.NaN) * ARMS.length;
      return grades.counts.subarray(from, from + ARMS.length);
    };
    const all = grades.counts.reduce((sum, graded) => sum + graded, 0);
    expect(all).toBeCloseTo(20 + count, 6);
    expect([...counts(WHOLE)]).toEqual([0, 0]);
    expect(Math.min(...counts(part(0)), ...counts(part(1)))).toBeGreaterThan(20);
  });

  it("shares out what was learned before there were clusters, and counts nothing twice among them", () => {
    const kept = begin();
    for (let at = 0; at < 90; at++) tell(kept, WHOLE, 0, at % 3 === 0 ? 0 : 1);
    const before = tellMany(kept, 400).at(0)?.rewards ?? 0;
    const ofWhole = [0, 1].map((arm) => cell(kept, WHOLE, arm).count ?? 0);
    expect(ofWhole.reduce((sum, count) => sum + count)).toBeCloseTo(90 + before - 1, 6);
    const late = begin();
    for (let at = 0; at < 90; at++) tell(late, WHOLE, 0, at % 3 === 0 ? 0 : 1);
    const random = new SeededRandom(1);
    for (let told = 1; ; told++) {
      const [cluster, arm] = [Math.floor(random.uniform() * 2), Math.floor(random.uniform() * 2)];
      const isRight = (cluster === arm) !== random.uniform() < 0.2;
      if (tell(late, part(cluster), arm, isRight ? 1 : 0) === undefined) continue;
      const parts = [0, 1].flatMap((of) => [0, 1].map((model) => cell(late, part(of), model)));
      const counted = parts.reduce((sum, { count = 0 }) => sum + count, 0);
      const earned = parts.reduce((sum, { sum: own = 0 }) => sum + own, 0);
      expect(counted).toBeCloseTo(90 + told, 6);
      const whole = [0, 1].reduce((sum, model) => sum + (cell(late, WHOLE, model).sum ?? 0), 0);
      expect(earned).toBeCloseTo(whole + (isRight ? 1 : 0), 6);
      break;
    }
  });

  it("gives up what does not win, and tries later clusters with a higher aim", () => {
    const kept = begin();
    expect(tellMany(kept, 5001, { matters: false })).toEqual([
      { family: WHOLE, outcome: "lost", clusters: 2, rewards: 5000 },
    ]);
    expect(kept.divisions.familyOf(part(0))).toBe(WHOLE);
    expect([...kept.divisions]).toEqual([{ whole: WHOLE, generation: 7, tries: 1, outcome: "lost", rewards: 4999 }]);
    kept.divisions.adopt({ whole: WHOLE, generation: 7 }, MODEL);
    expect(kept.divisions.find(WHOLE)).not.toHaveProperty("model");
    kept.divisions.adopt({ whole: WHOLE, generation: 8 }, MODEL);
    expect(kept.divisions.find(WHOLE)).toMatchObject({ generation: 8, tries: 2, outcome: "open", model: MODEL });
    expect(tellMany(kept, 400, { generation: 8 })).toMatchObject([{ outcome: "won" }]);
    expect(kept.divisions.find(WHOLE)).toMatchObject({ model: MODEL });
  });

  it("finds the same from the records without the clusters as with them, and from a snapshot", () => {
    const live = begin();
    live.divisions.adopt({ whole: WHOLE, generation: 7 }, MODEL);
    const rebuilt = begin();
    tellMany(live, 40);
    tellMany(rebuilt, 40);
    const state = restoreSnapshot(JSON.parse(JSON.stringify(takeSnapshot(live.state))));
    const restored = {
      state,
      divisions: new FamilySplits(state, JSON.parse(JSON.stringify(live.divisions.toSnapshot()))),
    };
    for (const kept of [live, rebuilt, restored]) tellMany(kept, 300, { seed: 2 });
    rebuilt.divisions.adopt({ whole: WHOLE, generation: 7 }, MODEL);
    expect(live.divisions.find(WHOLE)?.outcome).toBe("won");
    for (const kept of [rebuilt, restored]) {
      expect(kept.divisions.toSnapshot()).toEqual(live.divisions.toSnapshot());
      expect(takeSnapshot(kept.state)).toEqual(takeSnapshot(live.state));
    }
  });

  it("divides four families at most, and reads no clusters of another version", () => {
    const { state, divisions } = begin();
    for (let at = 0; at < 6; at++) divisions.adopt({ whole: `auto:${at}`, generation: 1 }, MODEL);
    expect([...divisions].map(({ whole }) => whole)).toEqual(["auto:0", "auto:1", "auto:2", "auto:3"]);
    expect([divisions.mayDivide("auto:1"), divisions.mayDivide("auto:5")]).toEqual([true, false]);
    const [first] = divisions.toSnapshot();
    const restored = new FamilySplits(state, first === undefined ? [] : [{ ...first, model: "99:abc" }]);
    expect(restored.find("auto:0")).not.toHaveProperty("model");
  });
});

describe("clusterId()", () => {
  it("is read again, and is never a caller's own name", () => {
    expect(part(12)).toBe("auto:plain#7.12");
    expect(readPart(part(12))).toEqual({ whole: WHOLE, generation: 7, cluster: 12 });
    expect(wholeFamily(part(12))).toBe(WHOLE);
    for (const name of ["tag:a#7.12", "auto:plain", "auto:plain#7", "auto:plain#0.1", "auto:#7.1", "auto:a#7.1#7.1"]) {
      expect(readPart(name)).toBeUndefined();
      expect(wholeFamily(name)).toBe(name);
    }
  });
});
