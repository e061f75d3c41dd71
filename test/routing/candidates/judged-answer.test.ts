import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import type { ContentBlockSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { FinishReason, GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { measureAgreement } from "../../../src/routing/candidates/agreement.ts";
import { comparable, judgeCandidate, meanLogProbability } from "../../../src/routing/candidates/judged-answer.ts";
import { growthOf, LINEAR } from "../../support/work-ratio.ts";

type Block = MessageInitShape<typeof ContentBlockSchema>;

const text = (value: string): Block => ({ kind: { case: "text", value: { text: value } } });
const call = (name: string, args: string): Block => ({
  kind: { case: "toolUse", value: { id: `${Math.random()}`, name, arguments: args } },
});
const answerOf = (...content: Block[]) =>
  create(GenerateResponseSchema, { content, finished: { reason: FinishReason.STOP } });
const VERDICT = { failed: [], passed: 3, isComplete: true, isProven: false, isRetryable: false } as const;
const agreement = (one: Block[], other: Block[]): number =>
  measureAgreement(
    { verdict: VERDICT, ...comparable(answerOf(...one)) },
    { verdict: VERDICT, ...comparable(answerOf(...other)) },
  );

const ESSAY = `${"The river rises in the hills and runs to the sea. ".repeat(5)}Many towns lie on it.`;
const LIKE = ESSAY.replaceAll("river", "stream");
const OTHER = `${"Bread is made of flour, water, salt and some yeast; knead well. ".repeat(5)}Then bake.`;

describe("comparable()", () => {
  it.each<[string, Block[], Block[], number]>([
    ["short answers in other dress", [text("Paris")], [text("**paris.**")], 1],
    ["short answers that differ", [text("Paris")], [text("Lyon")], 0],
    ["ways to the same final answer", [text(`${ESSAY}\nAnswer: 42`)], [text(`${OTHER}\n#### 42`)], 1],
    ["one that concludes and one that does not", [text(`${ESSAY}\nAnswer: 42`)], [text(ESSAY)], 0],
    ["JSON with other spaces and order", [text('{"a":1,"b":[2]}')], [text('{ "b": [2], "a": 1 }')], 1],
    ["JSON that differs", [text('{"a":1}')], [text('{"a":2}')], 0],
    ["calls with the same arguments", [call("f", '{"a":1,"b":2}')], [call("f", '{"b":2, "a":1}')], 1],
    ["calls of other tools", [call("f", '{"a":1}')], [call("g", '{"a":1}')], 0],
    ["a call and a text of the same words", [call("f", "{}")], [text("f {}")], 0],
    ["long texts that are the same", [text(ESSAY)], [text(ESSAY.toUpperCase())], 1],
    ["nothing and nothing", [], [text(" ")], 0],
  ])("compares %s", (_, one, other, expected) => {
    expect(agreement(one, other)).toBe(expected);
    expect(agreement(other, one)).toBe(expected);
  });

  it("compares long texts by their words", () => {
    expect(agreement([text(ESSAY)], [text(LIKE)])).toBeGreaterThan(0.85);
    expect(agreement([text(ESSAY)], [text(LIKE)])).toBeLessThan(1);
    expect(agreement([text(ESSAY)], [text(OTHER)])).toBeLessThan(0.3);
    const [one, other] = ["東京は日本の首都である。".repeat(30), "東京は日本の大きな首都である。".repeat(30)];
    expect(agreement([text(one)], [text(other)])).toBeGreaterThan(0.8);
  });

  it("takes no more than linear time for long answers", async () => {
    const compare = (size: number) => {
      comparable(answerOf(text("word ".repeat(size))));
      comparable(answerOf(text(`[${"1,".repeat(size)}1]`)));
    };
    expect(await growthOf(compare, 50_000)).toBeLessThanOrEqual(LINEAR);
  });
});

describe("judgeCandidate()", () => {
  it("says what is wrong with it and what it says", async () => {
    const judged = await judgeCandidate(answerOf(text("Paris.")), undefined, async () => []);
    expect(judged).toEqual({
      verdict: VERDICT,
      conclusion: "text paris",
      characters: 6,
      words: new Map(),
      logProbability: undefined,
    });
  });
});

/** An answer of a text for each list of tokens. */
const answerOfTokens = (...texts: (readonly number[] | undefined)[]) =>
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
    expect(meanLogProbability(answerOfTokens(...texts))).toBe(expected);
  });
});
