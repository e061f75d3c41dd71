import { describe, expect, it } from "vitest";
import type { FeedbackEvent } from "../../../src/learning/events.ts";
import { learnBatch } from "../../../src/learning/learner/learn-batch.ts";
import { WorkloadMemory } from "../../../src/learning/learner/workload-model.ts";

const SHAPE = {
  arms: ["base", "good"],
  base: "base",
  objective: "quality",
  feedback: "complete",
  guarded: [],
} as const;

const inferenceId = "0190a5a0-7d6e-7000-8000-00000000000a";
const TARGET = { model: "base", servedModel: "good", family: "a", endUserId: "ada" };

const say = (name: string, at: number, value = true): FeedbackEvent => ({
  ...{ kind: "feedback", id: `${at}`, inferenceId, attempt: null, projectId: "p", name, value },
  ...{ optimize: null, keyId: "k", atMs: at },
});

/** Tells what is said of one answer, beside what else is stored of it then. */
function tell(memory: WorkloadMemory, event: FeedbackEvent, stored: readonly FeedbackEvent[]): void {
  learnBatch([event], {
    ...{ memoryOf: () => memory, repeated: new Set<string>(), others: new Map() },
    ...{ targets: new Map([[inferenceId, TARGET]]), values: new Map([[inferenceId, stored]]) },
  });
}

const begin = () => WorkloadMemory.begin({ projectId: "p", model: "base" }, SHAPE, {});
const rewardsOf = ({ state }: WorkloadMemory) => Math.round(state.rewards * 1e9) / 1e9;

describe("learning of feedback that is taken back", () => {
  it("withdraws the reward", () => {
    const memory = begin();
    const thumb = say("helpful", 1, false);
    tell(memory, thumb, [thumb]);
    expect(rewardsOf(memory)).toBe(1);
    tell(memory, { ...thumb, isTakenBack: true }, []);
    expect(rewardsOf(memory)).toBe(0);
  });

  it("leaves the reward of what else was said, earlier or later", () => {
    const [first, later] = [say("helpful", 1, false), say("solved", 2)];
    for (const gone of [first, later]) {
      const memory = begin();
      tell(memory, first, [first]);
      tell(memory, later, [first, later]);
      const stays = gone === first ? later : first;
      tell(memory, { ...gone, isTakenBack: true }, [stays]);
      const alone = begin();
      tell(alone, stays, [stays]);
      expect(rewardsOf(memory)).toBe(1);
      const [one, other] = [memory, alone].map(({ state }) => JSON.stringify(state.seeFamily("a")));
      expect(one).toBe(other);
    }
  });
});
