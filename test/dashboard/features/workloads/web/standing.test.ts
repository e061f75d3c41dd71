import { describe, expect, it } from "vitest";
import { standingText } from "../../../../../src/dashboard/features/workloads/web/standing.ts";

describe("standingText()", () => {
  it("does not say of a workload that observes that other models answer", () => {
    expect(standingText({ standing: "learning", mode: "observe" })).toContain("Base answers every call");
    expect(standingText({ standing: "learning", mode: "on" })).toContain("Other models answer a few calls");
    expect(standingText({ standing: "waiting", mode: "observe" })).toContain("Base answers every call");
  });
});
