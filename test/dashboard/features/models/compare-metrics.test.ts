import { describe, expect, it } from "vitest";
import { compareMetrics } from "../../../../src/dashboard/features/models/compare-metrics.ts";
import { Tally } from "../../../../src/figures/tally.ts";
import { COMPARED, type ModelComparison } from "../../../../src/store/read/queries/compare-models.ts";

type Metric = ModelComparison["metrics"][number];

function metric(n: number, [low, mean, high]: readonly (number | undefined)[], changes: Partial<Metric> = {}): Metric {
  const estimate = { n, mean: mean ?? 0, low, high };
  return {
    start: undefined,
    group: undefined,
    name: "quality",
    kind: "float",
    entries: n,
    estimate,
    optimize: "max",
    ...changes,
  };
}

function model(name: string, ...metrics: Metric[]): ModelComparison {
  return {
    model: name,
    figures: new Tally(COMPARED).values(),
    askedCalls: 1,
    asked: [],
    share: 1,
    errors: { n: 1, mean: 0, low: 0, high: 1 },
    metrics,
  };
}

const aheadOf = (...models: ModelComparison[]) =>
  compareMetrics(models).map(({ optimize, ahead }) => [optimize, ahead]);

describe("compareMetrics()", () => {
  it("puts the means of a metric side by side, those with the most feedback first, and leaves out notes", () => {
    const note = metric(9, [], { name: "comment", kind: "note", estimate: undefined, optimize: undefined });
    expect(
      compareMetrics([
        model(
          "large",
          metric(3, [0.5, 0.6, 0.7]),
          note,
          metric(40, [0.8, 0.9, 0.95], { name: "helpful", kind: "boolean" }),
        ),
        model("small", metric(1, [undefined, 0.4, undefined])),
      ]),
    ).toEqual([
      {
        name: "helpful",
        kind: "boolean",
        optimize: "max",
        ahead: null,
        means: [{ model: "large", n: 40, mean: 0.9, low: 0.8, high: 0.95 }],
      },
      {
        name: "quality",
        kind: "float",
        optimize: "max",
        ahead: null,
        means: [
          { model: "large", n: 3, mean: 0.6, low: 0.5, high: 0.7 },
          { model: "small", n: 1, mean: 0.4, low: null, high: null },
        ],
      },
    ]);
  });

  it.each([
    { what: "more is better", optimize: "max", expected: "high" },
    { what: "less is better", optimize: "min", expected: "low" },
    { what: "nothing says which way", optimize: undefined, expected: null },
  ] as const)("finds who is ahead where $what", ({ optimize, expected }) => {
    const found = aheadOf(
      model("high", metric(10, [0.7, 0.8, 0.9], { optimize })),
      model("middle", metric(10, [0.4, 0.5, 0.6], { optimize })),
      model("low", metric(10, [0.1, 0.2, 0.3], { optimize })),
    );
    expect(found).toEqual([[optimize ?? null, expected]]);
  });

  it("says of nobody that it is ahead where the best interval overlaps another one", () => {
    const found = aheadOf(model("high", metric(10, [0.5, 0.8, 0.9])), model("low", metric(10, [0.4, 0.45, 0.5])));
    expect(found).toEqual([["max", null]]);
  });

  it("takes the direction that most of the feedback has", () => {
    const found = aheadOf(
      model("often", metric(30, [0.7, 0.8, 0.9], { optimize: "min" })),
      model("seldom", metric(10, [0.1, 0.2, 0.3], { optimize: "max" })),
    );
    expect(found).toEqual([["min", "seldom"]]);
  });
});
