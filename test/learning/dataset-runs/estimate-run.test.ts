import { describe, expect, it } from "vitest";
import { estimateRun } from "../../../src/learning/dataset-runs/estimate-run.ts";

const request = (judge?: string) => ({
  inferenceId: "i",
  model: "base",
  family: "",
  inputTokens: 1000,
  outputTokens: 100,
  judge: judge === undefined ? undefined : { model: judge, rubric: undefined },
});
const PRICES: Readonly<Record<string, number>> = { cheap: 1, dear: 10, judge: 2 };
const priceOf = (model: string, { input, output }: { readonly input: number; readonly output: number }) => {
  const price = PRICES[model];
  return price && price * (input + 2 * output);
};

describe("estimateRun()", () => {
  it("prices the recorded tokens at each model, and a grade of each answer", () => {
    const answers = (1 + 10) * (1000 + 200);
    expect(estimateRun(["cheap", "dear"], [request()], priceOf)).toEqual({
      requests: 1,
      graded: 0,
      nanos: answers,
      unpriced: [],
    });
    const grade = 2 * (500 + 1000 + 100 + 2 * 200);
    expect(estimateRun(["cheap", "dear"], [request(), request("judge")], priceOf)).toEqual({
      requests: 2,
      graded: 1,
      nanos: 2 * answers + 2 * grade,
      unpriced: [],
    });
  });

  it("names models without a price, and knows no cost then", () => {
    expect(estimateRun(["cheap", "own"], [request("mine")], priceOf)).toEqual({
      requests: 1,
      graded: 1,
      nanos: null,
      unpriced: ["own", "mine"],
    });
  });
});
