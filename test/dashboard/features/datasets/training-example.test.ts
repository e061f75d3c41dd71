import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { type ContentBlock, Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import { GenerateResponseSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { trainingExample } from "../../../../src/dashboard/features/datasets/training-example.ts";
import { decodeRequest as decodeChat } from "../../../../src/formats/chat/request/decode-request.ts";
import { decodeRequest as decodeMessages } from "../../../../src/formats/messages/request/decode-request.ts";
import type { JsonObject } from "../../../../src/formats/shared/json.ts";
import { createHubInput } from "../../../../src/hub/input.ts";

const text = (value: string) => ({ kind: { case: "text" as const, value: { text: value } } });
const call = { kind: { case: "toolUse" as const, value: { id: "c1", name: "look_up", arguments: '{"a":1}' } } };

function write(body: object, content: object[], query: Partial<Parameters<typeof trainingExample>[1]> = {}) {
  const isChat = !("max_tokens" in body);
  const { input } = (isChat ? decodeChat : decodeMessages)(structuredClone(body) as JsonObject);
  const line = trainingExample(
    {
      input: createHubInput({ ...input, dialect: isChat ? Dialect.CHAT : Dialect.MESSAGES }),
      output: create(GenerateResponseSchema, { content: content as ContentBlock[] }),
    },
    { form: "openai", isBad: false, ...query },
  );
  return line === undefined ? undefined : (JSON.parse(line) as unknown);
}

const tools = [
  { type: "function", function: { name: "look_up", description: "Looks up", parameters: { type: "object" } } },
];
const CHAT = {
  model: "m",
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: "How warm?" },
  ],
  temperature: 0.5,
};
const MESSAGES = {
  model: "m",
  max_tokens: 100,
  system: "Be brief.",
  messages: [{ role: "user", content: "How warm?" }],
};

describe("trainingExample()", () => {
  it("writes OpenAI's form: messages with the answer, and tools, without the rest", () => {
    expect(write({ ...CHAT, tools }, [call])).toEqual({
      messages: [
        ...CHAT.messages,
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c1", type: "function", function: { name: "look_up", arguments: '{"a":1}' } }],
          weight: 1,
        },
      ],
      tools,
    });
    expect(write(MESSAGES, [text("Warm.")])).toEqual({
      messages: [...CHAT.messages, { role: "assistant", content: "Warm.", weight: 1 }],
    });
  });

  it("writes a string for texts in parts, and the parts beside a picture", () => {
    const part = (value: string) => ({ type: "text", text: value });
    const answer = { role: "assistant", content: "Warm.", weight: 1 };
    const asked = (content: object[]) => write({ ...CHAT, messages: [{ role: "user", content }] }, [text("Warm.")]);
    expect(asked([part("How warm?"), part("In Oslo.")])).toEqual({
      messages: [{ role: "user", content: "How warm?\n\nIn Oslo." }, answer],
    });
    const pictured = [part("What?"), { type: "image_url", image_url: { url: "https://a.example/b.png" } }];
    expect(asked(pictured)).toEqual({ messages: [{ role: "user", content: pictured }, answer] });
  });

  it("keeps an answer whole that citations cut into blocks", () => {
    const answer = [text("Oslo has "), text("20 degrees"), text(" now.")];
    const message = { role: "assistant", content: "Oslo has 20 degrees now." };
    expect(write(CHAT, answer)).toEqual({ messages: [...CHAT.messages, { ...message, weight: 1 }] });
    const lines = { system: "Be brief.", messages: [...MESSAGES.messages, message] };
    expect(write(MESSAGES, answer, { form: "anthropic" })).toEqual(lines);
  });

  it("keeps apart what several messages of the assistant say", () => {
    const said = ["Hello.", "How are you?"].map((content) => ({ role: "assistant", content }));
    const asked = {
      model: "m",
      messages: [{ role: "user", content: "Hi" }, ...said, { role: "user", content: "Well." }],
    };
    const { messages } = write(asked, [text("Good.")], { form: "anthropic" }) as { messages: object[] };
    expect(messages[1]).toEqual({ role: "assistant", content: "Hello.\n\nHow are you?" });
  });

  it("has a bad answer not trained on", () => {
    expect(write(CHAT, [text("Warm.")], { isBad: true })).toEqual({
      messages: [...CHAT.messages, { role: "assistant", content: "Warm.", weight: 0 }],
    });
  });

  it("writes Anthropic's form: system and texts in turns, without thinking", () => {
    const thinking = { kind: { case: "thinking" as const, value: { text: "hm", opaque: "sig" } } };
    const line = { system: "Be brief.", messages: [...MESSAGES.messages, { role: "assistant", content: "Warm." }] };
    expect(write(MESSAGES, [thinking, text("Warm.")], { form: "anthropic" })).toEqual(line);
    expect(write(CHAT, [text("Warm.")], { form: "anthropic" })).toEqual(line);
  });

  it("keeps the white space at the end of an answer", () => {
    const line = { system: "Be brief.", messages: [...MESSAGES.messages, { role: "assistant", content: "Warm.\n" }] };
    expect(write(CHAT, [text("Warm.\n")], { form: "anthropic" })).toEqual(line);
    const weighted = { messages: [...CHAT.messages, { role: "assistant", content: "Warm.\n", weight: 1 }] };
    expect(write(CHAT, [text("Warm.\n")])).toEqual(weighted);
  });

  it("invents no turn of a user before an assistant's", () => {
    const greeted = { model: "m", messages: [{ role: "assistant", content: "Hello." }, ...MESSAGES.messages] };
    expect(write(greeted, [text("Warm.")], { form: "anthropic" })).toBeUndefined();
  });

  it("leaves out what a form cannot hold, and what has no answer", () => {
    expect(write(CHAT, [])).toBeUndefined();
    expect(write({ ...CHAT, tools }, [call], { form: "anthropic" })).toBeUndefined();
    const image = { type: "image", source: { type: "url", url: "https://a.example/b.png" } };
    const pictured = { ...MESSAGES, messages: [{ role: "user", content: [image] }] };
    expect(write(pictured, [text("A cat.")], { form: "anthropic" })).toBeUndefined();
  });
});
