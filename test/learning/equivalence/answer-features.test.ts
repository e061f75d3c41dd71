import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { FinishReason, GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { readFeatures, textDistance } from "../../../src/learning/equivalence/answer-features.ts";

const saying = (text: string, reason: FinishReason = FinishReason.STOP) =>
  readFeatures(
    create(GenerateResponseSchema, { content: [{ kind: { case: "text", value: { text } } }], finished: { reason } }),
  );

const calling = (id: string, name: string, args: string) =>
  readFeatures(
    create(GenerateResponseSchema, {
      content: [{ kind: { case: "toolUse", value: { id, name, arguments: args } } }],
      finished: { reason: FinishReason.TOOL_USE },
    }),
  );

describe("readFeatures()", () => {
  it("knows the same answer again, whatever the ids of its tool calls", () => {
    expect(saying("Hello.")).toEqual(saying("Hello."));
    expect(calling("call_1", "weather", '{"city":"Bonn"}')).toEqual(calling("call_2", "weather", '{"city":"Bonn"}'));
  });

  it("tells apart texts, ends, tools and their arguments", () => {
    expect(saying("Hello.").exact).not.toBe(saying("Hello").exact);
    expect(saying("Hello.").exact).not.toBe(saying("Hello.", FinishReason.LENGTH).exact);
    expect(calling("1", "weather", "{}").exact).not.toBe(calling("1", "time", "{}").exact);
    expect(calling("1", "weather", "{}").tools).not.toBe(calling("1", "time", "{}").tools);
    expect(saying("Hello.").tools).toBe(0);
  });

  it("leaves reasoning out", () => {
    const thinking = readFeatures(
      create(GenerateResponseSchema, {
        content: [
          { kind: { case: "thinking", value: { text: "Let me see." } } },
          { kind: { case: "text", value: { text: "Hello." } } },
        ],
        finished: { reason: FinishReason.STOP },
      }),
    );
    expect(thinking.length).toBe(6);
    expect(textDistance(thinking, saying("Hello."))).toBeLessThan(1);
  });
});

describe("textDistance()", () => {
  it("is 0 for the same, 1 for nothing in common, and in between by what is", () => {
    const text = "The capital of France is Paris, on the river Seine.";
    expect(textDistance(saying(text), saying(text))).toBe(0);
    expect(textDistance(saying(""), saying(""))).toBe(0);
    expect(textDistance(saying("abcdefgh"), saying("12345678"))).toBe(1);
    // "abcdef" has two pieces of five characters, "abcdeX" as well, and one of them is common: 1 of 3.
    expect(textDistance(saying("abcdef"), saying("abcdeX"))).toBeCloseTo(2 / 3, 12);
    expect(textDistance(saying(text), saying(text.replace("Paris", "Lyon")))).toBeLessThan(0.4);
  });
});
