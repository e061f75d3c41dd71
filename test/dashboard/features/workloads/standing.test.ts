import { describe, expect, it } from "vitest";
import { getStanding } from "../../../../src/dashboard/features/workloads/standing.ts";
import type { WorkloadFigures } from "../../../../src/learning/learner/figures.ts";
import type { WorkloadControls } from "../../../../src/store/dashboard/learned.ts";

const learned = (changes: Partial<WorkloadFigures>, provenShare = 0) => ({
  provenShare,
  figures: {
    base: "base",
    rewards: 100,
    hasRoom: true,
    routedShare: 0,
    arms: [],
    accounts: [],
    chosen: { worth: 0.5, doubt: 0.1 },
    ...changes,
  },
});
const frozen: WorkloadControls["hold"] = { kind: "frozen" };

describe("getStanding()", () => {
  it.each([
    { mode: "off", hold: undefined, known: learned({}), isServed: true, expected: "off" },
    { mode: "on", hold: undefined, known: learned({}), isServed: false, expected: "gone" },
    { mode: "on", hold: frozen, known: learned({ hasRoom: false }), isServed: true, expected: "frozen" },
    { mode: "on", hold: { kind: "pinned", model: "m" }, known: undefined, isServed: true, expected: "pinned" },
    { mode: "on", hold: undefined, known: undefined, isServed: true, expected: "waiting" },
    { mode: "on", hold: undefined, known: { figures: null, provenShare: 0 }, isServed: true, expected: "waiting" },
    { mode: "observe", hold: undefined, known: learned({ rewards: 0 }), isServed: true, expected: "waiting" },
    { mode: "on", hold: undefined, known: learned({ rewards: 19 }), isServed: true, expected: "learning" },
    { mode: "on", hold: undefined, known: learned({ rewards: 3, hasRoom: false }), isServed: true, expected: "closed" },
    { mode: "on", hold: undefined, known: learned({ routedShare: 0.1 }), isServed: true, expected: "exploring" },
    { mode: "on", hold: undefined, known: learned({ routedShare: 0.1 }, 0.1), isServed: true, expected: "routed" },
    { mode: "on", hold: undefined, known: learned({}), isServed: true, expected: "base" },
    // Base answers whatever is held, and whatever would be chosen.
    { mode: "observe", hold: frozen, known: learned({ routedShare: 0.1 }), isServed: true, expected: "observing" },
  ] as const)("says $expected of mode $mode", ({ mode, hold, known, isServed, expected }) => {
    expect(getStanding({ mode, hold }, known, isServed)).toBe(expected);
  });
});
