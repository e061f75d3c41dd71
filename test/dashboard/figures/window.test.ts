import { describe, expect, it } from "vitest";
import { listBuckets, planWindow, type RangeInput, rangeInput } from "../../../src/dashboard/figures/window.ts";

/** A Saturday. */
const NOW = Date.parse("2026-11-21T14:21:30.500Z");

function plan(input: RangeInput) {
  const { fromMs, toMs, stepMs, periodMs } = planWindow(input, NOW);
  return [new Date(fromMs).toISOString(), new Date(toMs).toISOString(), stepMs / 60_000, periodMs / 3_600_000];
}

const custom = (from: string, to: string): RangeInput => ({
  range: "custom",
  from: Date.parse(from),
  to: Date.parse(to),
});

describe("planWindow()", () => {
  it.each([
    { range: "1h", from: "2026-11-21T13:22:00.000Z", stepMinutes: 2, hours: 1 },
    { range: "24h", from: "2026-11-20T15:00:00.000Z", stepMinutes: 60, hours: 24 },
    { range: "7d", from: "2026-11-14T18:00:00.000Z", stepMinutes: 360, hours: 7 * 24 },
    { range: "30d", from: "2026-10-23T00:00:00.000Z", stepMinutes: 1440, hours: 30 * 24 },
    { range: "90d", from: "2026-08-24T00:00:00.000Z", stepMinutes: 1440, hours: 90 * 24 },
    // The Monday 52 weeks before that of this week.
    { range: "1y", from: "2025-11-17T00:00:00.000Z", stepMinutes: 10_080, hours: 371 * 24 },
  ] as const)("has $range end with the step that is running", ({ range, from, stepMinutes, hours }) => {
    expect(plan({ range })).toEqual([from, "2026-11-21T14:21:30.500Z", stepMinutes, hours]);
  });

  it.each([
    {
      input: custom("2026-11-10T08:20:00Z", "2026-11-12T07:40:00Z"),
      expected: ["2026-11-10T08:00:00.000Z", "2026-11-12T08:00:00.000Z", 60, 48],
    },
    {
      input: custom("2026-11-01T00:00:00Z", "2026-11-03T00:00:00.001Z"),
      expected: ["2026-11-01T00:00:00.000Z", "2026-11-03T01:00:00.000Z", 360, 49],
    },
    {
      input: custom("2026-09-01T00:00:00Z", "2026-11-01T00:00:00Z"),
      expected: ["2026-09-01T00:00:00.000Z", "2026-11-01T00:00:00.000Z", 1440, 61 * 24],
    },
    {
      input: custom("2026-01-01T00:00:00Z", "2026-07-01T00:00:00Z"),
      expected: ["2026-01-01T00:00:00.000Z", "2026-07-01T00:00:00.000Z", 10_080, 181 * 24],
    },
    {
      input: custom("2026-11-21T00:00:00Z", "2026-11-22T00:00:00Z"),
      expected: ["2026-11-21T00:00:00.000Z", "2026-11-21T14:21:30.500Z", 60, 24],
    },
  ])("takes a chosen time in whole hours, up to now: $expected", ({ input, expected }) => {
    expect(plan(input)).toEqual(expected);
  });
});

describe("rangeInput", () => {
  const from = "2026-11-01T00:00:00Z";
  it.each([
    [{}, ["range: must be one of 1h, 24h, 7d, 30d, 90d, 1y, custom"]],
    [{ range: "2h" }, ["range: must be one of 1h, 24h, 7d, 30d, 90d, 1y, custom"]],
    [{ range: "24h", from }, ["from: works only with the range custom"]],
    [{ range: "custom" }, ["from: is needed with the range custom", "to: is needed with the range custom"]],
    [{ range: "custom", from, to: "yesterday" }, ["to: must be a time such as 2026-11-21T14:00:00.000Z"]],
    [{ range: "custom", from, to: from }, ["to: must be later than from"]],
    [{ range: "custom", from, to: "2029-11-01T00:00:00Z" }, ["to: must be within 731 days of from"]],
    [{ range: "custom", from: "2999-01-01T00:00:00Z", to: "2999-01-02T00:00:00Z" }, ["from: must be in the past"]],
  ])("refuses %j", (input, expected) => {
    const { error } = rangeInput.safeParse(input);
    expect(error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`)).toEqual(expected);
  });
});

describe("listBuckets()", () => {
  const list = (from: string, to: string, stepHours: number) =>
    listBuckets({ fromMs: Date.parse(from), toMs: Date.parse(to), stepMs: stepHours * 3_600_000 }).map(
      ({ startMs, isPartial }) => `${new Date(startMs).toISOString().slice(0, 13)}${isPartial ? " part" : ""}`,
    );

  it("lists every step, and says which the range has only a part of", () => {
    expect(list("2026-11-20T22:00Z", "2026-11-21T00:30Z", 1)).toEqual([
      "2026-11-20T22",
      "2026-11-20T23",
      "2026-11-21T00 part",
    ]);
    expect(list("2026-11-20T22:00Z", "2026-11-22T00:00Z", 24)).toEqual(["2026-11-20T00 part", "2026-11-21T00"]);
    expect(list("2026-11-15T00:00Z", "2026-11-23T00:00Z", 168)).toEqual(["2026-11-09T00 part", "2026-11-16T00"]);
  });
});
