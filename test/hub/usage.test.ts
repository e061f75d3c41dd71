import { expect, it } from "vitest";
import { describeShadow, type UsageFigures, usageCsv } from "../../src/hub/usage.ts";

const COUNTS = {
  calls: 1,
  failedCalls: 0,
  inputTokens: 3,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 1,
  reasoningTokens: 0,
  estimatedCalls: 0,
  latencyP50Ms: undefined,
  latencyP95Ms: undefined,
};

it("writes small costs as CSV without an exponent", () => {
  const figures: UsageFigures = { ...COUNTS, pricedCalls: 1, costNanos: 600 };
  const unpriced: UsageFigures = { ...COUNTS, pricedCalls: 0, costNanos: 0 };
  const groups = [
    { values: ["a"], figures },
    { values: ["b"], figures: unpriced },
  ];
  const [heading = "", ...rows] = usageCsv({ groups, total: figures }, ["model"]).trim().split("\r\n");
  const at = heading.split(",").indexOf("cost_usd");
  expect(rows.map((row) => row.split(",")[at])).toEqual(["0.0000006", ""]);
});

it("describes small costs of shadow trials with the digits that count", () => {
  expect(describeShadow({ trials: 1, checks: 0, costNanos: 600 })).toContain(", 0.0000006 USD");
});
