import { describe, expect, it } from "vitest";
import type { FeedbackEvent } from "../../src/learning/events.ts";
import { learnBatch } from "../../src/learning/learner/learn-batch.ts";
import { WorkloadModel } from "../../src/learning/learner/workload-model.ts";

const SHAPE = {
  arms: ["base", "good"],
  base: "base",
  objective: "quality",
  feedback: "complete",
  guarded: [],
} as const;

/** A vote on an answer of base. */
interface Vote {
  readonly user?: string | undefined;
  readonly isGood: boolean;
}

/** Tells a workload what raters say, each of an answer of its own, and returns its rewards and what became of them. */
function tell(memory: WorkloadModel, votes: readonly Vote[], from = 0) {
  const kinds = votes.flatMap(({ user, isGood }, index) => {
    const at = from + index;
    const inferenceId = `00000000-${String(at).padStart(8, "0")}`;
    const event: FeedbackEvent = {
      kind: "feedback",
      id: `${at}`,
      inferenceId,
      attempt: null,
      projectId: "p",
      name: "ok",
      value: isGood,
      optimize: null,
      keyId: "k",
      atMs: at,
    };
    const target = { model: "base", servedModel: "base", family: "a", endUserId: user };
    const context = { memoryOf: () => memory, repeated: new Set<string>(), others: new Map() };
    return learnBatch([event], { ...context, targets: new Map([[inferenceId, target]]) }).history.map(
      ({ kind }) => kind,
    );
  });
  return { kinds, rewards: Math.round(memory.state.rewards) };
}

const begin = () => WorkloadModel.begin({ projectId: "p", model: "base" }, SHAPE, {});
const content = (raters: number | undefined) =>
  Array.from(
    { length: 150 },
    (_, at): Vote => ({ user: raters === undefined ? undefined : `user ${at % raters}`, isGood: at % 20 > 0 }),
  );
const complaints = (count: number, raters: number | undefined) =>
  Array.from(
    { length: count },
    (_, at): Vote => ({ user: raters === undefined ? undefined : `angry ${at % raters}`, isGood: false }),
  );

describe("what one rater says many times", () => {
  it("has a workload forget nothing: thirty complaints count for less than one", () => {
    const memory = begin();
    expect(tell(memory, content(150))).toEqual({ kinds: [], rewards: 150 });
    expect(tell(memory, complaints(30, 1), 150)).toEqual({ kinds: [], rewards: 150 });
    expect(tell(memory, complaints(3000, 1), 180).kinds).toEqual([]);
  });

  it("is a drift where several say so", () => {
    const memory = begin();
    tell(memory, content(150));
    expect(tell(memory, complaints(30, 15), 150).kinds).toEqual(["drift"]);
  });

  it("is a drift where nobody else says anything, and where a key speaks for all", () => {
    for (const raters of [1, undefined]) {
      const memory = begin();
      const votes =
        raters === 1 ? content(undefined).map((vote) => ({ ...vote, user: "angry 0" })) : content(undefined);
      tell(memory, votes);
      expect(tell(memory, complaints(30, raters), 150).kinds).toEqual(["drift"]);
    }
  });

  it("is taken back as it was learned, when more is said of the same answer", () => {
    const memory = begin();
    tell(memory, content(150));
    tell(memory, complaints(30, 1), 150);
    const before = memory.state.rewards;
    const inferenceId = `00000000-${String(179).padStart(8, "0")}`;
    const value = { inferenceId, projectId: "p", optimize: null, atMs: 0 } as const;
    const stored = { ...value, id: "179", name: "ok", value: false };
    const event: FeedbackEvent = {
      ...value,
      kind: "feedback",
      id: "180",
      attempt: null,
      name: "fast",
      value: true,
      keyId: "k",
    };
    learnBatch([event], {
      memoryOf: () => memory,
      repeated: new Set(),
      others: new Map(),
      values: new Map([[inferenceId, [stored]]]),
      targets: new Map([[inferenceId, { model: "base", servedModel: "base", family: "a", endUserId: "angry 0" }]]),
    });
    expect(memory.state.rewards).toBeCloseTo(before, 9);
  });
});
