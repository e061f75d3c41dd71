import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { wholeAnswer } from "../support/scripted-upstream.ts";
import { type Harness, startHarness } from "./harness.ts";
import { dataFrames, INBOUND, type Inbound } from "./topic.ts";

const REQUESTS: Readonly<Record<Inbound, object>> = {
  chat: { messages: [{ role: "user", content: "Why?" }] },
  responses: { input: "Why?" },
  messages: { max_tokens: 50, messages: [{ role: "user", content: "Why?" }] },
};

const head = '"id":"cmpl-1","created":1,"model":"real-chat"';
const usage = '"usage":{"prompt_tokens":9,"completion_tokens":5,"total_tokens":14}';
const chunk = (content: string, finish = "null") =>
  `{${head},"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":${content}},"finish_reason":${finish}}]}`;
const THINKING = '{"type":"thinking","thinking":[{"type":"text","text":"Mull"}]}';

/** An answer of Mistral's reasoning models, as its documentation has it. */
const inParts = () => ({
  streamed: {
    steps: [
      dataFrames(
        chunk(`[${THINKING}]`),
        chunk('[{"type":"text","text":"Ans"}]'),
        chunk('"wer"', '"stop"'),
        `{${head},"object":"chat.completion.chunk","choices":[],${usage}}`,
        "[DONE]",
      ),
    ],
  },
  whole: wholeAnswer(
    `{${head},"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":` +
      `[${THINKING},{"type":"text","text":"Answer"}]},"finish_reason":"stop"}],${usage}}`,
  ),
});

/** The thinking and the text of the answer, as each format has them: whole, and in the deltas of a stream. */
const EXPECTED: Readonly<Record<Inbound, { readonly whole: readonly string[]; readonly stream: readonly string[] }>> = {
  chat: {
    whole: ['"content":"Answer"', '"reasoning_content":"Mull"'],
    stream: ['"delta":{"reasoning_content":"Mull"}', '"delta":{"content":"Ans"}', '"delta":{"content":"wer"}'],
  },
  responses: {
    whole: ['{"type":"reasoning_text","text":"Mull"}', '{"type":"output_text","text":"Answer"'],
    stream: ['"delta":"Mull"', '"delta":"Ans"', '"delta":"wer"'],
  },
  messages: {
    whole: ['{"type":"thinking","thinking":"Mull"', '{"type":"text","text":"Answer"}'],
    stream: ['"thinking":"Mull"', '"text":"Ans"', '"text":"wer"'],
  },
};

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness?.close());

describe.each(INBOUND)("content in parts, for a caller of %s", (inbound) => {
  it.each([false, true])("is read (streamed: %s)", async (stream) => {
    const request = { ...REQUESTS[inbound], ...(stream && { stream }) };
    const { status, body, losses } = await harness.ask({ inbound, kind: "openai-chat", request }, inParts());
    expect({ status, losses }).toEqual({ status: 200, losses: [] });
    for (const text of EXPECTED[inbound][stream ? "stream" : "whole"]) expect(body).toContain(text);
  });
});
