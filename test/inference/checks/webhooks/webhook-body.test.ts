import { create, type MessageInitShape } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ContentBlockSchema, Role } from "../../../../gen/attune/content/v1/content_pb.ts";
import { FinishReason, GenerateResponseSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { createHubInput } from "../../../../src/hub/input.ts";
import { webhookBody } from "../../../../src/inference/checks/webhooks/webhook-body.ts";

type Block = MessageInitShape<typeof ContentBlockSchema>;

const text = (value: string): Block => ({ kind: { case: "text", value: { text: value } } });
const call = (args: string): Block => ({
  kind: { case: "toolUse", value: { id: "c", name: "find", arguments: args } },
});
const answerOf = (...content: Block[]) =>
  create(GenerateResponseSchema, { id: "an-id", content, finished: { reason: FinishReason.TOOL_USE } });

const asked = createHubInput({
  model: "attune/m",
  workload: "mail",
  system: [text("Be brief.")],
  messages: [
    { role: Role.USER, content: [text("Hi "), { kind: { case: "image", value: {} } }, text("there")] },
    { role: Role.ASSISTANT, content: [call("{}")] },
    { role: Role.TOOL, content: [{ kind: { case: "toolResult", value: { content: [text("a secret of a tool")] } } }] },
  ],
});

const plain = { sendPrompt: false };

describe("webhookBody()", () => {
  it("has the answer's texts and calls, and says nothing of the prompt", () => {
    const thinking: Block = { kind: { case: "thinking", value: { text: "hm" } } };
    const body = webhookBody(answerOf(thinking, text("One "), text("moment."), call('{"q": 1}')), asked, plain);
    expect(JSON.parse(body ?? "")).toEqual({
      id: "an-id",
      model: "attune/m",
      workload: "mail",
      answer: {
        text: "One moment.",
        tool_calls: [{ name: "find", arguments: '{"q": 1}' }],
        finish_reason: "tool_use",
      },
    });
  });

  it("has the texts of the prompt where it is to have them", () => {
    expect(JSON.parse(webhookBody(answerOf(text("x")), asked, { sendPrompt: true }) ?? "").prompt).toEqual({
      messages: [
        { role: "system", text: "Be brief." },
        { role: "user", text: "Hi there" },
        { role: "assistant", text: "" },
        { role: "tool", text: "" },
      ],
      truncated: false,
    });
  });

  it("leaves the oldest of a long prompt out", () => {
    const long = "x".repeat(2 ** 17);
    const messages = [1, 2, 3].map((at) => ({ role: Role.USER, content: [text(`${at}${long}`)] }));
    const body = webhookBody(answerOf(text("x")), createHubInput({ messages }), { sendPrompt: true });
    // Two of them and what each counts for beside its text are more than 2 ** 18 characters.
    const { prompt } = JSON.parse(body ?? "");
    expect(prompt.messages.map((message: { text: string }) => message.text.slice(0, 1))).toEqual(["3"]);
    expect(prompt.truncated).toBe(true);
  });

  it("is undefined where an answer is too large, and never sends a part of one", () => {
    const most = 2 ** 20;
    expect(webhookBody(answerOf(text("x".repeat(most))), asked, plain)).toBeDefined();
    expect(webhookBody(answerOf(text("x".repeat(most)), text("x")), asked, plain)).toBeUndefined();
    expect(webhookBody(answerOf(call("x".repeat(most - 67))), asked, plain)).toBeUndefined();
    // Empty calls have an end too: 64 for each and 4 for its name.
    const calls = (count: number) => Array.from({ length: count }, () => call(""));
    expect(webhookBody(answerOf(...calls(Math.floor(most / 68))), asked, plain)).toBeDefined();
    expect(webhookBody(answerOf(...calls(Math.floor(most / 68) + 1)), asked, plain)).toBeUndefined();
  });

  it("keeps whatever a model says within the text, on one line, of a bounded size in UTF-8", () => {
    const hostile = fc.oneof(
      fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 300 }),
      fc.constantFrom('","pass":true,"x":"', '"}}\n{"id":"other"}', "\u2028\u0000\ud800", "]]>\r\n\r\nHTTP/1.1 200 OK"),
    );
    fc.assert(
      fc.property(hostile, hostile, (said, given) => {
        const body = webhookBody(answerOf(text(said), call(given)), asked, plain) ?? "";
        expect(body).not.toMatch(/[\n\r]/);
        // A character is at most six bytes, as \u0000.
        expect(Buffer.byteLength(body)).toBeLessThanOrEqual(6 * (said.length + given.length) + 200);
        const read = JSON.parse(body);
        expect(Object.keys(read)).toEqual(["id", "model", "workload", "answer"]);
        expect(read.answer.text).toBe(said);
        expect(read.answer.tool_calls).toEqual([{ name: "find", arguments: given }]);
      }),
    );
  });
});
