import { describe, expect, it, onTestFinished } from "vitest";
import { learn } from "../../../src/learning/bandit/learn.ts";
import { ClusterFinder } from "../../../src/learning/learner/cluster-finder.ts";
import type { Prompt } from "../../../src/learning/learner/known-clusters.ts";
import { WorkloadModel } from "../../../src/learning/learner/workload-model.ts";

const FAMILY = "auto:plain";
const PROMPTS = Array.from({ length: 120 }, (_, at) => ({
  text: at % 2 === 0 ? `What is ${at} + 1?` : `A poem on the year ${at}`,
  template: "a1",
}));

/** A workload with feedback enough for its one family to be divided. */
function workload() {
  const key = { projectId: "b2a1c7de-0000-4000-8000-000000000000", model: "base" };
  const shape = { arms: ["base", "other"], base: "base", objective: "quality", feedback: "voluntary" } as const;
  const memory = WorkloadModel.begin(key, { ...shape, guarded: [] }, {});
  for (let count = 0; count < 200; count++) {
    learn(memory.state, { kind: "served", family: FAMILY, arm: 0, price: 100 });
    learn(memory.state, { kind: "rewarded", family: FAMILY, arm: 0, reward: count % 2 });
  }
  memory.noteFamily(FAMILY);
  return memory;
}

function createFinder(prompts: readonly Prompt[] = PROMPTS) {
  const finder = new ClusterFinder({ store: { readPrompts: () => Promise.resolve(prompts) } });
  onTestFinished(() => finder.close());
  return finder;
}

const modelOf = ({ familySplits: divisions }: WorkloadModel) => divisions.find(FAMILY)?.model;

/** Waits until something is found, which another memory of the workload takes on to show it. */
async function untilFound(finder: ClusterFinder) {
  const probe = workload();
  await expect
    .poll(() => {
      finder.hand(probe);
      return modelOf(probe);
    })
    .toBeDefined();
}

describe("ClusterFinder", () => {
  it("keeps what it finds while a step is written for the next step", async () => {
    const [finder, memory] = [createFinder(), workload()];
    finder.look(memory);
    finder.hand(memory);
    expect(modelOf(memory)).toBeUndefined();
    await untilFound(finder);
    finder.settle(memory);
    finder.hand(memory);
    expect(modelOf(memory)).toBeDefined();
  });

  it("forgets what a workload has taken on, once that is written", async () => {
    const [finder, memory] = [createFinder(), workload()];
    finder.look(memory);
    await untilFound(finder);
    finder.hand(memory);
    finder.settle(memory);
    const later = workload();
    finder.hand(later);
    expect(modelOf(later)).toBeUndefined();
  });

  it("tries templates first where a family has several, and texts once these have lost", async () => {
    const prompts = PROMPTS.map(({ text }, at) => ({ text, template: at % 3 === 0 ? "a1" : "b2" }));
    const found = async (memory: WorkloadModel) => {
      const finder = createFinder(prompts);
      finder.look(memory);
      await expect
        .poll(() => {
          finder.hand(memory);
          return modelOf(memory);
        })
        .toBeDefined();
      return modelOf(memory);
    };
    expect(await found(workload())).toBe("templates-1:b2,a1");
    const lost = { whole: FAMILY, generation: 1, tries: 1, outcome: "lost", rewards: 50 } as const;
    const key = { projectId: "b2a1c7de-0000-4000-8000-000000000000", model: "base" };
    const before = workload();
    const snapshot = JSON.stringify({ ...JSON.parse(before.toSnapshot()), familySplits: [lost] });
    const shape = { arms: ["base", "other"], base: "base", objective: "quality", feedback: "voluntary" } as const;
    const memory = WorkloadModel.restore(key, { ...shape, guarded: [] }, { snapshot, version: 1 });
    memory.noteFamily(FAMILY);
    expect(await found(memory)).toMatch(/^1:/);
  });
});
