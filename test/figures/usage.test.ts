import { expect, it } from "vitest";
import { describeShadow, type UsageFigures, usageCsv } from "../../src/figures/usage.ts";

const COUNTS = {
  calls: 1,
  "failed.calls": 0,
  inputTokens: 3,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 1,
  reasoningTokens: 0,
  "estimated.calls": 0,
  "completed.latency.p50": null,
  "completed.latency.p95": null,
};

it("writes small costs as CSV without an exponent", () => {
  const figures: UsageFigures = { ...COUNTS, "priced.calls": 1, cost: 600 };
  const unpriced: UsageFigures = { ...COUNTS, "priced.calls": 0, cost: 0 };
  const groups = [
    { values: ["a"], figures },
    { values: ["b"], figures: unpriced },
  ];
  const [heading = "", ...rows] = usageCsv({ groups }, ["model"]).trim().split("\r\n");
  const at = heading.split(",").indexOf("cost_usd");
  expect(rows.map((row) => row.split(",")[at])).toEqual(["0.0000006", ""]);
});

it("describes small costs of shadow trials with the digits that count", () => {
  expect(describeShadow({ trials: 1, checks: 0, costNanos: 600 })).toContain(", 0.0000006 USD");
});
