import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ThinkingMode, ToolChoiceMode, UsageSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { FinishReason } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { type InputInit, run, text, tool, user, WEATHER } from "./harness.ts";

const THOUGHT = "The sandbox does not reason. It answers by its rules to what the user says.";
const HI = "text This is Attune's sandbox, not a model. You said: hi";

const image = {
  kind: { case: "image" as const, value: { source: { case: "url" as const, value: "http://a/b.png" } } },
};
const document = {
  kind: { case: "document" as const, value: { source: { case: "text" as const, value: "words" } } },
};

const mode = (value: ToolChoiceMode, more: object = {}) => ({ toolChoice: { mode: value, ...more } });

function finishedWith(reason: FinishReason, rawReason: string, outputTokens: number, reasoningTokens = 0) {
  return { reason, rawReason, usage: expect.objectContaining({ outputTokens, reasoningTokens }) };
}

describe("the sandbox keeps limits", () => {
  it.each([
    ["before a word", ["You"], "text This is Attune's sandbox, not a model. ", "You"],
    ["the first one in the text, not in the list", ["said", "sandbox"], "text This is Attune's ", "sandbox"],
    ["across tokens", ["s sand"], "text This is Attune'", "s sand"],
    ["at the very start", ["This"], "text ", "This"],
    ["in what the user says", [": hi"], "text This is Attune's sandbox, not a model. You said", ": hi"],
  ])("stops %s", async (_name, stopSequences, block, stopSequence) => {
    const { blocks, finished } = await run({ stopSequences });
    expect(blocks).toEqual([block]);
    expect(finished).toMatchObject({ reason: FinishReason.STOP_SEQUENCE, rawReason: "stop_sequence", stopSequence });
  });

  it("does not stop at what it does not say", async () => {
    const { blocks, finished } = await run({ stopSequences: ["", "never said"] });
    expect(blocks).toEqual([HI]);
    expect(finished?.reason).toBe(FinishReason.STOP);
  });

  // 15 tokens: This, is, Att, une, 's, sandbox, comma, not, a, model, period, You, said, colon, hi.
  it.each([
    [0, [], FinishReason.LENGTH, 0],
    [1, ["text This"], FinishReason.LENGTH, 1],
    [5, ["text This is Attune's"], FinishReason.LENGTH, 5],
    [14, ["text This is Attune's sandbox, not a model. You said:"], FinishReason.LENGTH, 14],
    [15, [HI], FinishReason.STOP, 15],
    [16, [HI], FinishReason.STOP, 15],
  ])("answers with at most %d tokens", async (maxOutputTokens, expected, reason, tokens) => {
    const { blocks, finished } = await run({ maxOutputTokens });
    expect(blocks).toEqual(expected);
    expect(finished).toMatchObject(finishedWith(reason, reason === FinishReason.STOP ? "stop" : "length", tokens));
  });

  it("counts reasoning as part of the limit, and apart", async () => {
    const reasoning = { mode: ThinkingMode.ADAPTIVE };
    const whole = await run({ reasoning });
    // The thought has 17 tokens: The, sandbox, does, not, reason, period, It, answers, by, its, rules, to, what, the,
    // user, says, period.
    expect(whole.finished).toMatchObject(finishedWith(FinishReason.STOP, "stop", 32, 17));
    const cut = await run({ reasoning, maxOutputTokens: 2 });
    expect(cut.blocks).toEqual(["thinking The sandbox (signed)"]);
    expect(cut.finished).toMatchObject(finishedWith(FinishReason.LENGTH, "length", 2, 2));
    const between = await run({ reasoning, maxOutputTokens: 17 });
    expect(between.blocks).toEqual([`thinking ${THOUGHT} (signed)`]);
    expect(between.finished?.reason).toBe(FinishReason.LENGTH);
  });

  it("cuts the arguments of a call like any text", async () => {
    const { blocks, finished } = await run({ tools: [tool("f", WEATHER)], maxOutputTokens: 3 });
    expect(blocks).toEqual(['toolUse f {"city":"']);
    expect(finished?.reason).toBe(FinishReason.LENGTH);
  });

  it("does not show half a character, and counts its tokens", async () => {
    // The last character has several tokens, of which the limit leaves out one.
    const bear = await run({ messages: [user("\u{1F43B}")] });
    const total = bear.finished?.usage?.outputTokens ?? 0;
    const { blocks, finished } = await run({ messages: [user("\u{1F43B}")], maxOutputTokens: total - 1 });
    expect(blocks[0]).not.toContain("\uFFFD");
    expect(blocks[0]?.endsWith("\u{1F43B}")).toBe(false);
    expect(finished).toMatchObject(finishedWith(FinishReason.LENGTH, "length", total - 1));
  });

  it("keeps to the model's own limit", async () => {
    const { finished } = await run({ model: "attune/m:sandbox-long=501" });
    expect(finished).toMatchObject(finishedWith(FinishReason.LENGTH, "length", 500));
  });
});

describe("the sandbox's tokens", () => {
  it.each([
    [
      "system, messages and tools",
      { system: [text("one")], messages: [user("two")], tools: [tool("f", {})], ...mode(ToolChoiceMode.NONE) },
      4,
    ],
    ["an image", { messages: [user(image)] }, 1000],
    ["a document of words", { messages: [user(document)] }, 1],
    ["names of control tokens are text", { messages: [user("<|endoftext|>")] }, 7],
  ] satisfies [string, InputInit, number][])("count %s", async (_name, init, inputTokens) => {
    const { finished } = await run(init);
    expect(finished?.usage).toMatchObject({ inputTokens, cacheReadTokens: 0, cacheWriteTokens: 0 });
  });

  it("are told at the start as at the end", async () => {
    const { batches, finished } = await run({ messages: [user("a b c")] });
    const started = batches[0]?.[0]?.event;
    expect(started?.case === "started" ? started.value.usage?.inputTokens : undefined).toBe(3);
    expect(finished?.usage).toEqual(create(UsageSchema, { inputTokens: 3, outputTokens: 17, reasoningTokens: 0 }));
  });
});
