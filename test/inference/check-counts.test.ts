import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Dialect } from "../../gen/attune/content/v1/content_pb.ts";
import { InferenceInputSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { createCountCheck } from "../../src/inference/check-counts.ts";

const check = createCountCheck({ messages: 2, tools: 1 });

function inputOf(dialect: Dialect, messages: number, tools: number) {
  const many = (count: number) => Array.from({ length: count }, () => ({}));
  return create(InferenceInputSchema, { dialect, messages: many(messages), tools: many(tools) });
}

describe("createCountCheck()", () => {
  it("takes as many as the limits allow", () => {
    expect(() => check(inputOf(Dialect.CHAT, 2, 1))).not.toThrow();
  });

  it.each([
    [Dialect.CHAT, 3, 0, "messages: has 3 messages, and this service takes at most 2", "messages"],
    [Dialect.MESSAGES, 3, 0, "messages: has 3 messages, and this service takes at most 2", "messages"],
    [Dialect.RESPONSES, 3, 9, "input: has 3 items, and this service takes at most 2", "input"],
    [Dialect.UNSPECIFIED, 1, 2, "tools: has 2 tools, and this service takes at most 1", "tools"],
  ])("refuses in dialect %i %i messages and %i tools", (dialect, messages, tools, message, param) => {
    expect(() => check(inputOf(dialect, messages, tools))).toThrow(
      expect.objectContaining({ message, facts: { param } }),
    );
  });
});
