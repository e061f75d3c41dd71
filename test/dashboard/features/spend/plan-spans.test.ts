import { describe, expect, it } from "vitest";
import { planSpans } from "../../../../src/dashboard/features/spend/plan-spans.ts";

const NOW = Date.parse("2026-11-30T14:05:00Z");
const between = (from: string, to: string) => ({ from: new Date(`2026-11-${from}Z`), to: new Date(`2026-11-${to}Z`) });

describe("planSpans()", () => {
  it("compares whole hours that have ended with as many before them", () => {
    expect(planSpans({ range: "1h", by: "key" }, NOW)).toEqual({
      range: between("30T13:00:00", "30T14:05:00"),
      compared: { now: between("30T13:00:00", "30T14:00:00"), before: between("30T12:00:00", "30T13:00:00") },
    });
    expect(planSpans({ range: "24h", by: "session" }, NOW).compared).toEqual({
      now: between("29T15:00:00", "30T14:00:00"),
      before: between("28T15:00:00", "29T14:00:00"),
    });
  });

  it("compares whole days where calls are counted by the day", () => {
    expect(planSpans({ range: "7d", by: "end_user" }, NOW)).toEqual({
      range: between("23T00:00:00", "30T24:00:00"),
      compared: { now: between("23T00:00:00", "30T00:00:00"), before: between("15T00:00:00", "22T00:00:00") },
    });
  });

  it("compares all of a range that has ended, and nothing where only the running day is meant", () => {
    const past = { range: "custom" as const, from: Date.parse("2026-11-10"), to: Date.parse("2026-11-11") };
    const range = between("10T00:00:00", "11T00:00:00");
    const before = between("09T00:00:00", "10T00:00:00");
    expect(planSpans({ ...past, by: "key" }, NOW)).toEqual({ range, compared: { now: range, before } });
    expect(planSpans({ range: "1h", by: "tag" }, NOW).compared).toBeUndefined();
  });
});
