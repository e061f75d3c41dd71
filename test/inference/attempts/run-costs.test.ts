import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UsageSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { costNanos } from "../../../src/catalog/cost.ts";
import type { PricePicos } from "../../../src/catalog/prices.ts";
import { type CostFacts, runCosts } from "../../../src/inference/attempts/run-costs.ts";
import type { AttemptRecord } from "../../../src/inference/ports.ts";
import { inferenceRecord } from "../../support/inference-record.ts";
import { stubModel } from "../../support/stub-upstream.ts";

/** Nano-USD for each token of the prompt and of the answer, in thousands of picos. */
const priced = (input: number, output: number): PricePicos => ({
  input: input * 1000,
  output: output * 1000,
  cacheRead: input * 100,
  cacheWrite5m: input * 1250,
  cacheWrite1h: input * 2000,
});
const deployment = (price?: PricePicos) => ({ upstream: "up", model: "real", price });
const base = { ...stubModel, price: priced(10, 20), deployments: [deployment()] };
const usage = create(UsageSchema, { inputTokens: 100, outputTokens: 10 });
const [some] = inferenceRecord({}).attempts;
if (some === undefined) throw new Error("the record has no attempt");
const attempt = (changes: Partial<AttemptRecord>): AttemptRecord => ({
  ...some,
  role: "primary",
  outcome: "completed",
  isWinner: true,
  error: undefined,
  ...changes,
});

/** The costs of an inference that base answered at its first deployment, but for what is given. */
function costs(given: Partial<CostFacts>): ReturnType<typeof runCosts> {
  const price = given.price ?? base.price;
  const won = attempt({ costNanos: costNanos(price, given.usages?.[0] ?? usage) });
  return runCosts({
    base,
    served: base,
    price,
    usages: [usage],
    attempts: [won],
    isMarked: false,
    shared: undefined,
    ...given,
  });
}

describe("runCosts()", () => {
  it("saves nothing in a plain call", () => {
    expect(costs({})).toEqual({ costNanos: 1200, baseCostNanos: 1200, cacheSavedNanos: 0, saved: {} });
  });

  it("has the whole call saved where the answer was another one's", () => {
    expect(costs({ shared: "coalescing", attempts: [] })).toEqual({
      costNanos: 0,
      baseCostNanos: 1200,
      saved: { coalescing: 1200 },
    });
    const { price: _, ...unpriced } = base;
    expect(costs({ shared: "responseCache", base: unpriced, attempts: [] })).toEqual({});
  });

  it("sums up what the caller gets of several choices", () => {
    const other = create(UsageSchema, { inputTokens: 100, outputTokens: 30 });
    const attempts = [usage, other].map((each) => attempt({ costNanos: costNanos(base.price, each) }));
    expect(costs({ usages: [usage, other], attempts })).toEqual({
      costNanos: 2800,
      baseCostNanos: 2800,
      cacheSavedNanos: 0,
      saved: {},
    });
  });

  it("counts a fee that the upstream reports as neither saved nor lost where a plain call has it too", () => {
    const won = attempt({ costNanos: 1260, reportedExcessNanos: 60 });
    expect(costs({ attempts: [won] })).toMatchObject({ costNanos: 1260, baseCostNanos: 1260, saved: {} });
    const marked = attempt({ costNanos: 565, reportedExcessNanos: 60 });
    const cached = create(UsageSchema, {
      inputTokens: 10,
      cacheReadTokens: 80,
      cacheWriteTokens: 10,
      outputTokens: 10,
    });
    expect(costs({ usages: [cached], attempts: [marked], isMarked: true })).toMatchObject({
      costNanos: 565,
      baseCostNanos: 1260,
      saved: { cacheMarks: 695 },
    });
  });

  it("counts it against the other model where that one answered", () => {
    const served = { ...base, name: "other", price: priced(1, 2) };
    const won = attempt({ costNanos: 180, reportedExcessNanos: 60 });
    expect(costs({ served, price: served.price, attempts: [won] })).toMatchObject({
      costNanos: 180,
      baseCostNanos: 1200,
      saved: { routing: 1020 },
    });
  });

  it("compares with the first deployment where another one was chosen", () => {
    const model = { ...base, deployments: [deployment(priced(30, 60)), deployment()] };
    expect(costs({ base: model, served: model })).toMatchObject({
      costNanos: 1200,
      baseCostNanos: 3600,
      saved: { choice: 2400 },
    });
  });

  it("compares with the model that was asked for where another one answered", () => {
    const served = { ...base, name: "other", price: priced(1, 2) };
    expect(costs({ served, price: served.price })).toMatchObject({
      costNanos: 120,
      baseCostNanos: 1200,
      saved: { routing: 1080 },
    });
  });

  it("counts what marks for a cache took off, less what they cost, and what a cache takes off by itself as no merit", () => {
    const cached = create(UsageSchema, {
      inputTokens: 10,
      cacheReadTokens: 80,
      cacheWriteTokens: 10,
      outputTokens: 10,
    });
    // 10 * 10 + 80 * 1 + 10 * 12.5 + 10 * 20 in place of 100 * 10 + 10 * 20.
    expect(costs({ usages: [cached], isMarked: true })).toEqual({
      costNanos: 505,
      baseCostNanos: 1200,
      cacheSavedNanos: 0,
      saved: { cacheMarks: 695 },
    });
    expect(costs({ usages: [cached] })).toEqual({
      costNanos: 505,
      baseCostNanos: 505,
      cacheSavedNanos: 695,
      saved: {},
    });
    const written = create(UsageSchema, { cacheWriteTokens: 100, outputTokens: 10 });
    expect(costs({ usages: [written], isMarked: true }).saved).toEqual({ cacheMarks: -250 });
  });

  it("counts further calls as spent, those beside slow ones apart from those after failures", () => {
    const failed = attempt({ isWinner: false, outcome: "failed", costNanos: 40 });
    const slow = attempt({ isWinner: false, outcome: "canceled", costNanos: 100 });
    const winning = (role: AttemptRecord["role"]) => attempt({ role, costNanos: 1200 });
    expect(costs({ attempts: [failed, winning("failover")] }).saved).toEqual({ failover: -40 });
    expect(costs({ attempts: [slow, winning("hedge")] }).saved).toEqual({ hedging: -100 });
    expect(costs({ attempts: [failed, slow, winning("hedge")] }).saved).toEqual({ failover: -40, hedging: -100 });
  });

  it("counts calls whose answers failed a check, or were no better, as spent on that", () => {
    const broken = attempt({ isWinner: false, costNanos: 900, failedChecks: ["invalid_json"] });
    const second = attempt({ role: "retry", costNanos: 1200, failedChecks: [] });
    expect(costs({ attempts: [broken, second] }).saved).toEqual({ retry: -900 });
    const first = attempt({ costNanos: 1200, failedChecks: ["schema_mismatch"] });
    const worse = attempt({ role: "retry", isWinner: false, costNanos: 800, failedChecks: ["invalid_json"] });
    const failed = attempt({ role: "retry", isWinner: false, outcome: "failed", costNanos: 40 });
    expect(costs({ attempts: [first, worse] }).saved).toEqual({ retry: -800 });
    expect(costs({ attempts: [first, failed] }).saved).toEqual({ retry: -40 });
    const dear = { ...base, deployments: [deployment(), deployment(priced(30, 60))] };
    const elsewhere = attempt({ role: "retry", costNanos: 3600, failedChecks: [] });
    expect(costs({ base: dear, served: dear, price: priced(30, 60), attempts: [broken, elsewhere] }).saved).toEqual({
      retry: -900 - 2400,
    });
  });

  it("claims nothing where a price or the tokens are not known, or nobody answered", () => {
    const unpriced = attempt({ costNanos: undefined });
    expect(costs({ attempts: [unpriced] })).toMatchObject({ baseCostNanos: undefined, saved: undefined });
    const unheard = attempt({ isWinner: false, outcome: "failed", costNanos: 40 });
    expect(costs({ attempts: [unheard] })).toMatchObject({
      costNanos: 40,
      baseCostNanos: undefined,
      saved: undefined,
    });
  });

  it("accounts for all of the difference, whatever was done", () => {
    const amount = fc.integer({ min: 0, max: 100_000 });
    const price = fc.tuple(amount, amount).map(([input, output]) => priced(input, output));
    const role = fc.constantFrom("primary" as const, "failover" as const, "hedge" as const, "retry" as const);
    const lost = fc.record({ role, outcome: fc.constantFrom("failed" as const, "canceled" as const), cost: amount });
    const counts = fc.record({
      inputTokens: amount,
      outputTokens: amount,
      cacheReadTokens: amount,
      cacheWriteTokens: amount,
    });
    const asked = fc.record({
      first: price,
      chosen: price,
      place: price,
      counts,
      role,
      isMarked: fc.boolean(),
      losers: fc.array(lost, { maxLength: 3 }),
    });
    fc.assert(
      fc.property(asked, ({ first, chosen, place, counts, role, isMarked, losers }) => {
        const usage = create(UsageSchema, counts);
        const others = losers.map(({ role, outcome, cost }) =>
          attempt({ role, outcome, isWinner: false, costNanos: cost }),
        );
        const all = runCosts({
          base: { ...base, deployments: [deployment(first)] },
          served: { ...base, deployments: [deployment(chosen)] },
          price: place,
          usages: [usage],
          attempts: [...others, attempt({ role, costNanos: costNanos(place, usage) })],
          isMarked,
          shared: undefined,
        });
        const saved = Object.values(all.saved ?? {}).reduce((sum, nanos) => sum + nanos, 0);
        expect(saved).toBe((all.baseCostNanos ?? Number.NaN) - (all.costNanos ?? Number.NaN));
      }),
    );
  });
});
