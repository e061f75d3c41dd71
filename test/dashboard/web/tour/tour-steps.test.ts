import { describe, expect, it } from "vitest";
import { seenAt, type TourFacts, tourSteps } from "../../../../src/dashboard/web/tour/tour-steps.ts";

const NOTHING: TourFacts = {
  hasKey: false,
  latestId: null,
  ratedModel: null,
  seen: { request: false, evidence: false },
};

describe("tourSteps()", () => {
  const next = (facts: Partial<TourFacts>) =>
    tourSteps("p", { ...NOTHING, ...facts }).find(({ isDone }) => !isDone)?.name;
  const seen = { request: true, evidence: true };

  it.each([
    ["key", {}],
    ["call", { hasKey: true }],
    ["request", { hasKey: true, latestId: "i" }],
    ["feedback", { hasKey: true, latestId: "i", seen: { request: true, evidence: false } }],
    ["evidence", { hasKey: true, latestId: "i", ratedModel: "m", seen: { request: true, evidence: false } }],
    ["key", { latestId: "i", ratedModel: "m", seen }],
    ["request", { hasKey: true, latestId: "i", ratedModel: "m" }],
    [undefined, { hasKey: true, latestId: "i", ratedModel: "m", seen }],
  ] as const)("comes to %s by what exists and was seen", (name, facts) => {
    expect(next(facts)).toBe(name);
  });

  it("takes a page that was seen before there was anything on it for unseen", () => {
    expect(next({ hasKey: true, seen })).toBe("call");
    expect(tourSteps("p", { ...NOTHING, seen }).map(({ isDone }) => isDone)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  it("leads to the latest call and to the workload of what was rated", () => {
    const steps = tourSteps("p", { ...NOTHING, latestId: "i", ratedModel: "attune/a b" });
    expect(steps.map(({ link }) => link?.to)).toEqual([
      ...["/projects/p/keys", "/projects/p/playground", "/projects/p/history/i", undefined],
      "/projects/p/workloads/attune%2Fa%20b",
    ]);
  });
});

describe("seenAt()", () => {
  it.each([
    ["/projects/p/history/i", "request"],
    ["/projects/p/workloads/m", "evidence"],
    ["/projects/p/history", undefined],
    ["/projects/p/history/", undefined],
    ["/projects/p/workloads/m/pairs", undefined],
    ["/projects/other/history/i", undefined],
    ["/projects/p/datasets/i", undefined],
    ["/account", undefined],
  ])("takes %s for %s", (pathname, seen) => {
    expect(seenAt("p", pathname)).toBe(seen);
  });
});
