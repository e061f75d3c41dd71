import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { readRows } from "./read-rows.ts";
import { type ReplayOptions, replay } from "./replay.ts";
import { findBase, type ReplaySet } from "./replay-set.ts";
import { syntheticRows, toLines } from "./synthetic-rows.ts";

const DEFAULTS: ReplayOptions = { base: "median", seeds: 4, firstSeed: 0, steps: 2000, holdout: 300 };
let set: ReplaySet;
let withoutCosts: ReplaySet;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "attune-replay-"));
  const file = join(folder, "rows.jsonl");
  writeFileSync(file, toLines(syntheticRows(2500)));
  set = await readRows(file);
  withoutCosts = { ...set, costs: undefined };
  rmSync(folder, { recursive: true });
});

describe("replay()", () => {
  it("finds the better models for an ordinary base, at no more than a small loss on the way", async () => {
    const report = await replay(set, DEFAULTS);
    expect(report.run).toMatchObject({ rows: 2500, steps: 2000, seeds: 4 });
    expect(report.meanDelta).toBeGreaterThan(0.1);
    expect(report.worstDelta).toBeGreaterThan(0);
    expect(report.maxDeficit).toBeLessThan(12);
    expect(report.deltaAt1000).toBeLessThan(report.meanDelta);
    expect(report.regret["5000"]).toBeNull();
    expect(report.regret["1000"]).toBeGreaterThan(report.regret["100"] ?? Number.NaN);
    expect(report.decisionMicrosP99).toBeGreaterThanOrEqual(report.decisionMicrosP50);
  });

  it("gives the same figures for the same seeds, whatever was replayed before, and others for others", async () => {
    const timeless = async (options: ReplayOptions) => {
      const { decisionMicrosP50: _, decisionMicrosP99: __, ...report } = await replay(set, options);
      return report;
    };
    const once = await timeless(DEFAULTS);
    expect(await timeless(DEFAULTS)).toEqual(once);
    const second = await timeless({ ...DEFAULTS, firstSeed: 1, seeds: 1 });
    const firstTwo = await timeless({ ...DEFAULTS, seeds: 2 });
    const first = await timeless({ ...DEFAULTS, seeds: 1 });
    expect((first.meanDelta + second.meanDelta) / 2).toBeCloseTo(firstTwo.meanDelta, 12);
    expect(second.meanDelta).not.toBe(first.meanDelta);
  });

  it("leaves a base that nothing beats where it is", async () => {
    const { meanDelta, worstDelta } = await replay(
      { ...set, scores: set.scores.map((_, cell) => (cell % 5 === 3 ? 1 : 0)) },
      { ...DEFAULTS, base: "wide" },
    );
    expect(worstDelta).toBeLessThanOrEqual(meanDelta);
    expect(worstDelta).toBeGreaterThan(-0.01);
  });

  it("starts from priors, and unlearns those that lie", async () => {
    const cold = await replay(set, DEFAULTS);
    const told = await replay(set, {
      ...DEFAULTS,
      priors: { plain: 0.5, wide: 0.83, narrow: 0.55, weak: 0.23, poor: 0.1 },
    });
    expect(told.deltaAt1000).toBeGreaterThan((cold.deltaAt1000 ?? 0) + 0.03);
    const fooled = await replay(set, { ...DEFAULTS, priors: { poor: 0.5 } });
    expect(fooled.worstDelta).toBeGreaterThan(-0.02);
  });

  it("learns later where feedback is late and partial", async () => {
    const late = await replay(set, { ...DEFAULTS, delay: 200, observed: 0.3 });
    expect(late.meanDelta).toBeLessThan((await replay(set, DEFAULTS)).meanDelta);
    const never = await replay(set, { ...DEFAULTS, observed: 0 });
    expect(Math.abs(never.meanDelta)).toBeLessThan(0.02);
  });

  it("takes feedback by outcome", async () => {
    const praised = await replay(set, { ...DEFAULTS, complaints: { bad: 0, good: 0 } });
    expect(praised.meanDelta).toBe(0);
    const { meanDelta } = await replay(set, DEFAULTS);
    expect((await replay(set, { ...DEFAULTS, complaints: { bad: 1, good: 1 } })).meanDelta).toBe(meanDelta);
    expect((await replay(set, { ...DEFAULTS, complaints: { bad: 1, good: 0 } })).meanDelta).toBeLessThan(meanDelta);
  });

  it("learns from shadow trials where feedback is rare, and from no judge that is right by chance", async () => {
    const rare = { ...DEFAULTS, observed: 0.05 };
    const shadow = { share: 0.1, accuracy: 0.9 };
    const [without, judged, guessed] = [
      await replay(set, rare),
      await replay(set, { ...rare, shadow }),
      await replay(set, { ...rare, shadow: { share: 0.1, accuracy: 0.5 } }),
    ];
    expect([without.shadowCalls, without.judgeCalls, without.trialCostRatio]).toEqual([0, 0, 0]);
    expect(judged.meanDelta).toBeGreaterThan(without.meanDelta + 0.05);
    expect(judged.shadowCalls).toBeGreaterThan(0.05);
    expect(judged.shadowCalls).toBeLessThan(0.11);
    expect(judged.judgeCalls).toBeGreaterThan(2 * judged.shadowCalls);
    expect(judged.trialCostRatio).toBeGreaterThan(0);
    expect(Math.abs(guessed.meanDelta)).toBeLessThan(0.01);
    const withoutPrices = await replay(withoutCosts, { ...rare, shadow });
    expect(withoutPrices.trialCostRatio).toBeNull();
    expect(withoutPrices.meanDelta).toBeGreaterThan(without.meanDelta + 0.05);
  });

  it("decides once for a session, or for every request of it", async () => {
    const streams: Record<string, Int32Array[]> = { session: [], request: [] };
    for (const unit of ["session", "request"] as const) {
      const onStream = (_: Int32Array, { arms }: { arms: Int32Array }) => streams[unit]?.push(arms);
      await replay(set, { ...DEFAULTS, seeds: 1, session: 10, unit, onStream });
    }
    const switches = (arms: Int32Array) => arms.filter((arm, at) => at > 0 && arm !== arms[at - 1]).length;
    const [bySession, byRequest] = [streams["session"]?.[0], streams["request"]?.[0]];
    expect(switches(bySession ?? Int32Array.of())).toBeLessThan(203);
    expect(switches(byRequest ?? Int32Array.of())).toBeGreaterThan(0);
    expect(byRequest).not.toEqual(bySession);
  });

  it("returns to a base that has become the best", async () => {
    const report = await replay(set, { ...DEFAULTS, base: "poor", driftAt: 1000 });
    expect(report.taskGapShare).toBeNull();
    expect(report.worstDelta).toBeGreaterThan(0.1);
  });

  it("serves what is cheaper where that is the objective", async () => {
    const base = { ...DEFAULTS, base: "wide", priors: { plain: -0.3, narrow: -0.25 } };
    const quality = await replay(set, base);
    const cost = await replay(set, { ...base, objective: "cost" });
    expect(cost.costRatio).toBeLessThan(quality.costRatio ?? 0);
    expect((await replay(withoutCosts, base)).costRatio).toBeNull();
  });

  it("learns from the prompts alone where the family is hidden", async () => {
    const hidden = await replay(set, { ...DEFAULTS, hideFamily: true });
    const known = await replay(set, DEFAULTS);
    expect(hidden.meanDelta).toBeGreaterThan(0.1);
    expect(hidden.meanDelta).not.toBe(known.meanDelta);
  });

  it("says what cannot be replayed", async () => {
    await expect(replay(set, { ...DEFAULTS, holdout: 2500 })).rejects.toThrow("a holdout of 2500 leaves none");
    await expect(replay(set, { ...DEFAULTS, objective: "latency" })).rejects.toThrow("rows have no latency");
    await expect(replay(withoutCosts, { ...DEFAULTS, objective: "cost" })).rejects.toThrow("needs rows with cost");
    await expect(replay(set, { ...DEFAULTS, base: "gpt" })).rejects.toThrow(
      "there is no model gpt; the rows have weak, plain",
    );
  });
});

describe("findBase()", () => {
  it("knows the best and the median by mean score", () => {
    const named = ["best", "median", "poor"].map((name) => set.models[findBase(set, name)]);
    expect(named).toEqual(["wide", "plain", "poor"]);
  });

  it("takes the worse one of two in the middle, on which something can be gained", () => {
    const two: ReplaySet = {
      models: ["good", "bad"],
      families: [""],
      familyOf: new Int32Array(1),
      prompts: [""],
      scores: Float64Array.of(1, 0),
      costs: undefined,
    };
    expect(findBase(two, "median")).toBe(1);
  });
});
