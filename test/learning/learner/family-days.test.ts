import { describe, expect, it } from "vitest";
import { learn } from "../../../src/learning/bandit/learn.ts";
import { FamilyDays } from "../../../src/learning/learner/family-days.ts";
import { WorkloadModel } from "../../../src/learning/learner/workload-model.ts";

const DAY_MS = 86_400_000;

describe("FamilyDays", () => {
  it("ends a family, with its clusters, that had no call on sixty days of its workload", () => {
    const days = new FamilyDays();
    const families = ["tag:a", "auto:b", "auto:b#1.2", "tag:c"];
    for (const family of families) days.note(family, 0);
    for (let day = 1; day <= 59; day++) {
      expect(days.note("tag:a", day * DAY_MS)).toBe(true);
      expect(days.note("tag:a", day * DAY_MS + 1)).toBe(false);
      expect(days.endedAmong(families)).toEqual([]);
    }
    days.note("auto:b#1.3", 59 * DAY_MS);
    days.note("tag:a", 60 * DAY_MS);
    expect(days.endedAmong(families)).toEqual(["tag:c"]);
    for (let day = 61; day <= 119; day++) days.note("tag:a", day * DAY_MS);
    expect(days.endedAmong(families)).toEqual(["auto:b", "auto:b#1.2", "tag:c"]);
  });

  it("counts only days on which the workload was called: after a pause of a year nothing has ended", () => {
    const days = new FamilyDays();
    days.note("tag:a", 0);
    days.note("tag:b", 365 * DAY_MS);
    expect(days.endedAmong(["tag:a", "tag:b"])).toEqual([]);
  });

  it("takes calls that are learned late for calls of the last day", () => {
    const days = new FamilyDays();
    days.note("tag:a", 10 * DAY_MS);
    expect(days.note("tag:b", DAY_MS)).toBe(false);
    expect(days.toSnapshot(["tag:a", "tag:b"])).toEqual({ days: 1, last: 10, seen: { "tag:a": 1, "tag:b": 1 } });
  });

  it("counts a family of which no call was noted from then on", () => {
    const days = new FamilyDays({ days: 100, last: 100, seen: { "tag:gone": 1 } });
    expect(days.endedAmong(["tag:a"])).toEqual([]);
    for (let day = 101; day <= 160; day++) days.note("tag:b", day * DAY_MS);
    const restored = new FamilyDays(JSON.parse(JSON.stringify(days.toSnapshot(["tag:a", "tag:b"]))));
    expect(restored.endedAmong(["tag:a", "tag:b"])).toEqual(["tag:a"]);
  });

  it("remembers a bounded number of families between two days", () => {
    const days = new FamilyDays();
    for (let at = 0; at < 6000; at++) days.note(`tag:${at}`, 0);
    const { seen } = days.toSnapshot(Array.from({ length: 6000 }, (_, at) => `tag:${at}`));
    expect([Object.keys(seen).length, seen["tag:999"], seen["tag:1000"]]).toEqual([5000, undefined, 1]);
    expect(days.toSnapshot(["tag:5999", "auto:new"]).seen).toEqual({ "tag:5999": 1 });
  });
});

describe("WorkloadModel.noteCall()", () => {
  it("forgets a family that has ended, also after a restart", () => {
    const key = { projectId: "p", model: "base" };
    const form = { objective: "quality", feedback: "complete", guarded: [] } as const;
    const shape = { arms: ["base", "other"], base: "base", ...form };
    let memory = WorkloadModel.begin(key, shape, {});
    for (let day = 0; day <= 61; day++) {
      for (const family of day < 2 ? ["tag:ended", "tag:lives"] : ["tag:lives"]) {
        memory.noteCall(family, day * DAY_MS);
        learn(memory.state, { kind: "rewarded", family, arm: 0, reward: 1 });
      }
      memory = WorkloadModel.restore(key, shape, { snapshot: memory.toSnapshot(), version: day });
      expect(memory.state.families.find("tag:ended") === undefined).toBe(day === 61);
    }
    expect(memory.state.families.find("tag:lives")).toBe(1);
    expect(memory.state.rewards).toBe(64);
  });

  it("writes no more into the state of a workload than the families that it has", () => {
    const key = { projectId: "p", model: "base" };
    const form = { objective: "quality", feedback: "complete", guarded: [] } as const;
    const memory = WorkloadModel.begin(key, { arms: ["base"], base: "base", ...form }, {});
    learn(memory.state, { kind: "served", family: "tag:known", arm: 0, price: 1 });
    for (let at = 0; at < 5000; at++) memory.noteCall(`tag:${"x".repeat(60)}${at}`, 0);
    memory.noteCall("tag:known", 0);
    expect(JSON.parse(memory.toSnapshot()).familyDays.seen).toEqual({ "tag:known": 1 });
  });
});
