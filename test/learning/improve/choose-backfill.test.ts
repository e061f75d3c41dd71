import { describe, expect, it } from "vitest";
import { SeededRandom } from "../../../src/learning/bandit/seeded-random.ts";
import { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";
import { chooseBackfill } from "../../../src/learning/improve/choose-backfill.ts";

describe("chooseBackfill()", () => {
  const state = new WorkloadState({ arms: ["base", "other", "third"], base: "base" });
  const families = [
    { name: "large", share: 0.9, left: 5 },
    { name: "small", share: 0.1, left: 0 },
  ];

  it("chooses no base, nobody who may not be asked, and no family without requests", () => {
    const random = new SeededRandom(3);
    for (let trial = 0; trial < 200; trial++) {
      const chosen = chooseBackfill(state, families, { eligible: Uint8Array.of(1, 1, 0), random });
      if (chosen !== undefined) expect([chosen.arm, chosen.family.name]).toEqual([1, "large"]);
    }
    const empty = families.map((family) => ({ ...family, left: 0 }));
    expect(chooseBackfill(state, empty, { eligible: Uint8Array.of(1, 1, 1), random })).toBeUndefined();
  });
});
