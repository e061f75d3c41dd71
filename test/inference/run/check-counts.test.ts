import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { InferenceInputSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { createCountCheck } from "../../../src/inference/run/check-counts.ts";

const check = createCountCheck({ messages: 2, tools: 1 });

function inputOf(messages: number, tools: number) {
  const many = (count: number) => Array.from({ length: count }, () => ({}));
  return create(InferenceInputSchema, { messages: many(messages), tools: many(tools) });
}

describe("createCountCheck()", () => {
  it("takes as many as the limits allow", () => {
    expect(() => check(inputOf(2, 1))).not.toThrow();
  });

  it.each([
    [3, 0, "messages: has 3 entries, and this service takes at most 2", "messages"],
    [3, 9, "messages: has 3 entries, and this service takes at most 2", "messages"],
    [1, 2, "tools: has 2 entries, and this service takes at most 1", "tools"],
  ])("refuses %i messages and %i tools", (messages, tools, message, param) => {
    expect(() => check(inputOf(messages, tools))).toThrow(expect.objectContaining({ message, facts: { param } }));
  });
});
