import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { type ContentBlock, Role } from "../../../gen/attune/content/v1/content_pb.ts";
import { GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import { firstWords } from "../../../src/store/bodies/first-words.ts";
import { redactInput, redactOutput } from "../../../src/store/bodies/redact.ts";

const text = (value: string) => ({ kind: { case: "text" as const, value: { text: value } } });
const user = (...content: object[]) => ({ role: Role.USER, content: content as ContentBlock[] });

describe("firstWords()", () => {
  it("returns the beginning of the latest prompt and of the answer, with single spaces", () => {
    const input = createHubInput({
      messages: [
        user(text("the first")),
        { role: Role.ASSISTANT, content: [text("well")] },
        user(text(" \n"), text("and\n\nthe  last ")),
        { role: Role.ASSISTANT, content: [text("I begin")] },
      ],
    });
    const output = create(GenerateResponseSchema, { content: [text("an answer")] });
    expect(firstWords({ input, output })).toEqual({ prompt: "and the last", answer: "an answer" });
  });

  it("takes the result of a tool, and cuts no character in two", () => {
    const result = { kind: { case: "toolResult" as const, value: { content: [text(`x${"👋".repeat(300)}`)] } } };
    const input = createHubInput({ messages: [user(result)] });
    const refusal = { kind: { case: "refusal" as const, value: { text: "x".repeat(500) } } };
    const output = create(GenerateResponseSchema, { content: [refusal] });
    expect(firstWords({ input, output })).toEqual({ prompt: `x${"👋".repeat(99)}`, answer: "x".repeat(200) });
  });

  it("is empty where there is no text, and says only lengths where texts are redacted", () => {
    const output = create(GenerateResponseSchema, { content: [text("secret")] });
    expect(firstWords({ input: createHubInput({}), output: create(GenerateResponseSchema) })).toEqual({
      prompt: "",
      answer: "",
    });
    const input = redactInput(createHubInput({ messages: [user(text("my secret"))] }));
    expect(firstWords({ input, output: redactOutput(output) })).toEqual({
      prompt: "[redacted: 9 characters]",
      answer: "[redacted: 6 characters]",
    });
  });
});
