import { describe, expect, it } from "vitest";
import { describeExploring } from "../../../../../../src/dashboard/features/workloads/web/one/what-is-learned.ts";

describe("describeExploring()", () => {
  it("says how much explores on users, and at what price", () => {
    expect(describeExploring({ share: 0.0336, lost: 0.00037 })).toBe(
      " 3.4% of the calls try other models, which costs an estimated 0.4 rewards per 1,000 calls.",
    );
    expect(describeExploring({ share: 0.05, lost: -0.001 })).toBe(
      " 5% of the calls try other models, which costs nothing.",
    );
  });

  it("says nothing where nothing explores on users", () => {
    expect([describeExploring(null), describeExploring({ share: 0, lost: 0 })]).toEqual(["", ""]);
  });
});
