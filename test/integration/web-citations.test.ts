import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Role } from "../../gen/attune/content/v1/content_pb.ts";
import { InferenceService } from "../../gen/attune/inference/v1/inference_pb.ts";
import { answerOf, MODEL, type SdkFixture, startSdkFixture } from "../support/sdk-fixture.ts";
import { messagesFrames } from "../support/upstream-frames.ts";

let fixture: SdkFixture;

beforeAll(async () => {
  fixture = await startSdkFixture();
});

afterAll(() => fixture.close());

const CITATION = {
  type: "web_search_result_location",
  cited_text: "Rain is expected.",
  url: "https://example.com/rain",
  title: "Rain",
  encrypted_index: "Eo8BCioIAhgB",
};
/** The provider tells citations before the text that they are of. */
const FRAMES = messagesFrames(
  [
    [
      { type: "text", text: "" },
      { type: "text_delta", text: "I looked. " },
    ],
    [
      { type: "text", text: "", citations: [] },
      { type: "citations_delta", citation: CITATION },
      { type: "text_delta", text: "It " },
      { type: "text_delta", text: "rains." },
    ],
  ],
  "end_turn",
);
const USER = { role: "user" as const, content: "Rain?" };
const CHAT = { model: MODEL.messages, messages: [USER] };
const RESPONSES = { model: MODEL.messages, input: "Rain?" };
const MESSAGES = { model: MODEL.messages, max_tokens: 64, messages: [USER] };

describe("pages that a Messages upstream cites", () => {
  it("are annotations of a Chat answer, whole and streamed, with places in all its text", async () => {
    fixture.upstream.answer(answerOf(FRAMES));
    const url_citation = { url: CITATION.url, title: "Rain", start_index: 10, end_index: 19 };
    const annotations = [{ type: "url_citation", url_citation }];
    const whole = await fixture.openai().chat.completions.create(CHAT);
    expect(whole.choices[0]?.message).toMatchObject({ content: "I looked. It rains.", annotations });
    const stream = fixture.openai().chat.completions.stream(CHAT);
    const deltas: unknown[] = [];
    stream.on("chunk", ({ choices: [choice] }) => {
      if (choice !== undefined && "annotations" in choice.delta) deltas.push(choice.delta.annotations);
    });
    await stream.finalChatCompletion();
    expect(deltas).toEqual([annotations]);
  });

  it("are annotations of a Responses answer, whole and streamed, with places in their part", async () => {
    fixture.upstream.answer(answerOf(FRAMES));
    const annotations = [{ type: "url_citation", url: CITATION.url, title: "Rain", start_index: 0, end_index: 9 }];
    const whole = await fixture.openai().responses.create(RESPONSES);
    const streamed = await fixture.openai().responses.stream(RESPONSES).finalResponse();
    for (const { output } of [whole, streamed]) {
      const parts = output.flatMap((item) => (item.type === "message" ? item.content : []));
      expect(parts).toMatchObject([
        { text: "I looked. ", annotations: [] },
        { text: "It rains.", annotations },
      ]);
    }
  });

  it("stay as they are for Messages callers", async () => {
    fixture.upstream.answer(answerOf(FRAMES));
    const whole = await fixture.anthropic().messages.create(MESSAGES);
    const streamed = await fixture.anthropic().messages.stream(MESSAGES).finalMessage();
    for (const { content } of [whole, streamed])
      expect(content[1]).toMatchObject({ text: "It rains.", citations: [CITATION] });
  });

  it("name what of them only the provider can read", async () => {
    fixture.upstream.answer(answerOf(FRAMES));
    const { response } = await fixture.openai().chat.completions.create(CHAT).withResponse();
    expect(response.headers.get("attune-translation-loss")).toBe(
      "answer.content[1].annotations.cited_text, answer.content[1].annotations.encrypted_index",
    );
  });

  it("come back to the provider with their index as the history of an RPC caller", async () => {
    fixture.upstream.answer(answerOf(FRAMES));
    const { url, headers } = fixture.service;
    const client = createClient(InferenceService, createConnectTransport({ baseUrl: url, httpVersion: "1.1" }));
    const user = { role: Role.USER, content: [{ kind: { case: "text" as const, value: { text: "Rain?" } } }] };
    const input = { model: MODEL.messages, messages: [user] };
    const { content } = await client.generate({ input }, { headers });
    expect(content[1]?.annotations?.annotations[0]?.kind).toMatchObject({
      case: "urlCitation",
      value: { url: CITATION.url, title: "Rain", startIndex: 0, endIndex: 9 },
    });
    const messages = [user, { role: Role.ASSISTANT, content }, user];
    await client.generate({ input: { ...input, messages, strict: true } }, { headers });
    const cited = { type: "text", text: "It rains.", citations: [CITATION] };
    expect(fixture.lastBody()).toMatchObject({ messages: [{}, { content: [{}, cited] }, {}] });
  });
});
