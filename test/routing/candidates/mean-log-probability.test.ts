import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { meanLogProbability } from "../../../src/routing/candidates/mean-log-probability.ts";

/** An answer of a text for each list of tokens. */
const answerOf = (...texts: (readonly number[] | undefined)[]) =>
  create(GenerateResponseSchema, {
    content: texts.map((values) => ({
      kind: { case: "text" as const, value: { text: "Yes" } },
      ...(values && { logprobs: { tokens: values.map((logprob) => ({ token: "a", logprob })) } }),
    })),
  });

describe("meanLogProbability()", () => {
  it.each<[string, (readonly number[] | undefined)[], number | undefined]>([
    ["of a text", [[-0.5, -1.5]], -1],
    ["of several texts, by their tokens", [[-3], undefined, [-1, -1]], -5 / 3],
    ["where a token was hardly possible", [[-9999, 0]], -10],
    ["where one is more than certain", [[0.5]], 0],
    ["of none", [undefined, []], undefined],
    ["of one that was told no number of", [[-1], [Number.NaN]], undefined],
  ])("tells it %s", (_, texts, expected) => {
    expect(meanLogProbability(answerOf(...texts))).toBe(expected);
  });
});
