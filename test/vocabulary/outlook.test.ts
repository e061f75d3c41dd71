import { expect, it } from "vitest";
import { describeEarned } from "../../src/vocabulary/outlook.ts";

it.each([
  [600, "0.0000006 USD"],
  [1, "0.000000001 USD"],
  [50_400_000, "0.05 USD"],
  [1_234_000_000, "1.23 USD"],
  [0, "0.00 USD"],
])("writes %d nanos as people do", (trialNanos, usd) => {
  const spent = { calls: 1, routedCalls: 0, costNanos: null, baseCostNanos: null, trialNanos, trials: 0, checks: 0 };
  expect(describeEarned(null, spent)).toBe(`Other models gave 0 of 1 answers. Shadow trials cost ${usd} in addition.`);
});
