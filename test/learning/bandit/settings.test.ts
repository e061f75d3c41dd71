import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { OBJECTIVES, POLICY_SETTINGS, POLICY_VERSION } from "../../../src/learning/bandit/settings.ts";

/** Numbers of rewards, on both sides of where a budget changes its slope. */
const REWARDS = [0, 1, 100, 1000, 2000, 100_000];

describe("POLICY_VERSION", () => {
  it("is another one wherever a constant is", () => {
    const objectives = Object.entries(OBJECTIVES).map(([name, { budget, ...settings }]) => [
      name,
      settings,
      REWARDS.map((rewards) => budget(rewards).toFixed(9)),
    ]);
    const constants = createHash("sha256")
      .update(JSON.stringify([POLICY_SETTINGS, objectives]))
      .digest("hex");
    // Records name the version, and a decision is only explained by the constants that it was made with.
    expect([POLICY_VERSION, constants.slice(0, 16)]).toEqual(["baht-g/19", "0a8b5f6ac7a86415"]);
  });
});
