import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import { GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { meanLogProbability } from "../../../src/routing/candidates/mean-log-probability.ts";

/** An answer of a text for each extension. */
const answerOf = (...extensions: (string | undefined)[]) =>
  create(GenerateResponseSchema, {
    content: extensions.map((json) => ({
      kind: { case: "text" as const, value: { text: "Yes" } },
      ...(json !== undefined && { extension: { dialect: Dialect.CHAT, json } }),
    })),
  });
const tokens = (...values: unknown[]) =>
  JSON.stringify({ logprobs: values.map((logprob) => ({ token: "a", logprob })) });

describe("meanLogProbability()", () => {
  it.each<[string, (string | undefined)[], number | undefined]>([
    ["of a text", [tokens(-0.5, -1.5)], -1],
    ["of several texts, by their tokens", [tokens(-3), undefined, tokens(-1, -1)], -5 / 3],
    ["where a token was hardly possible", [tokens(-9999, 0)], -10],
    ["where one is more than certain", [tokens(0.5)], 0],
    ["of none", [undefined, "{}", '{"logprobs":null}', '{"logprobs":[]}'], undefined],
    ["of what are no numbers", [tokens(-1), tokens("-1")], undefined],
    ["of null", ['{"logprobs":[null]}'], undefined],
    ["of what is no JSON", ['{"logprobs":['], undefined],
    ["of what is no object", ['["logprobs"]', '"\\"logprobs\\""'], undefined],
    ["of what is too long to be read", [`{"logprobs":[{"logprob":-1}],"x":"${"x".repeat(2 ** 22)}"}`], undefined],
  ])("tells it %s", (_, extensions, expected) => {
    expect(meanLogProbability(answerOf(...extensions))).toBe(expected);
  });
});
