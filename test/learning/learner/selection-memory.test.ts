import { describe, expect, it } from "vitest";
import { RANKED_SIGNALS } from "../../../src/hub/candidate-signals.ts";
import type { PastChoice } from "../../../src/learning/best-of-n/selector.ts";
import { SelectionMemory } from "../../../src/learning/learner/selection-memory.ts";
import { createRandom } from "../../../src/lib/hash.ts";

const signals = { ...Object.fromEntries(RANKED_SIGNALS.map((name) => [name, 0])), characters: 100 };
const withLength = (length: number) => ({ ...signals, length }) as PastChoice["candidates"][number];
const choice = (returned: number): PastChoice => ({
  candidates: [withLength(0.7), withLength(-0.7)],
  expected: [0.5, 0.5],
  returned,
  chance: 0.5,
  isRandom: true,
});

const random = createRandom("teach");

/** Teaches with so many rewards of answers that chance chose; so often the short one is good, and the long one else. */
function teach({ selector }: SelectionMemory, count: number, isShortGood: number): void {
  for (let at = 0; at < count; at++) {
    const which = random() < 0.5 ? 0 : 1;
    selector.learn(choice(which), Number(random() < (which === 1 ? isShortGood : 1 - isShortGood)), 1);
  }
}

/** One of which nothing is to be found out any more. */
function givenUp(): SelectionMemory {
  const memory = SelectionMemory.begin([]);
  while (memory.selector.isUndecided) teach(memory, 10, 0.5);
  return memory;
}

const restored = (memory: SelectionMemory) =>
  SelectionMemory.restore(JSON.parse(JSON.stringify(memory.toSnapshot()))) ?? SelectionMemory.begin([]);

describe("SelectionMemory.reconsider()", () => {
  it("has what was given up measured anew once there are as many rewards again, also after a restart", () => {
    let memory = givenUp();
    for (const rewards of [3000, 3001, 5999]) {
      memory.reconsider(rewards, false);
      memory = restored(memory);
      expect(memory.selector.isUndecided).toBe(false);
    }
    memory.reconsider(6000, false);
    const { isUndecided, isProven } = restored(memory).selector;
    expect({ isUndecided, isProven }).toEqual({ isUndecided: true, isProven: false });
    // It has as long as at first.
    teach(memory, 100, 0.5);
    expect(memory.selector.isUndecided).toBe(true);
    while (memory.selector.isUndecided) teach(memory, 10, 0.5);
    // Longer and longer: what trials cost becomes a smaller and smaller part of the whole.
    memory.reconsider(8000, false);
    memory.reconsider(15_999, false);
    expect(memory.selector.isUndecided).toBe(false);
    memory.reconsider(16_000, false);
    expect(memory.selector.isUndecided).toBe(true);
  });

  it("waits for a thousand rewards where few had come", () => {
    const memory = givenUp();
    memory.reconsider(20, false);
    memory.reconsider(1019, false);
    expect(memory.selector.isUndecided).toBe(false);
    memory.reconsider(1020, false);
    expect(memory.selector.isUndecided).toBe(true);
  });

  it("does so at once where a model was found to have changed", () => {
    const memory = givenUp();
    memory.reconsider(500, true);
    expect(memory.selector.isUndecided).toBe(true);
  });

  it("leaves alone what is measured still, and what is proven", () => {
    const undecided = SelectionMemory.begin([]);
    teach(undecided, 30, 0.5);
    const proven = SelectionMemory.begin([]);
    teach(proven, 60, 0.9);
    expect(proven.selector.isProven).toBe(true);
    for (const memory of [undecided, proven]) {
      const before = memory.selector.toSnapshot();
      for (const rewards of [100, 200, 100_000]) memory.reconsider(rewards, true);
      expect(memory.selector.toSnapshot()).toEqual(before);
    }
  });

  it("finds a preference that has come up since", () => {
    const memory = givenUp();
    memory.reconsider(1000, false);
    memory.reconsider(2000, false);
    teach(memory, 120, 0.95);
    expect(memory.selector.isProven).toBe(true);
  });
});
