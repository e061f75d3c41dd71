import type OpenAI from "openai";
import { zodResponseFormat } from "openai/helpers/zod";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { MODEL, type SdkFixture, sendFeedback, startSdkFixture, UUID } from "../support/sdk-fixture.ts";
import {
  CALLS,
  CUT_TEXT,
  FRAMES,
  JSON_TEXT,
  REFUSAL,
  SIGNATURE,
  TEXT,
  THOUGHT,
  UPSTREAM_KINDS,
  UPSTREAM_REQUEST_ID,
} from "../support/upstream-frames.ts";
import { LOOP, messages, STRUCTURED, THOUGHT_BACK, toolCalls, tools } from "./upstream-requests/chat.ts";

type Message = OpenAI.Chat.ChatCompletionMessageParam;

/** The de-facto members for reasoning, which the official types do not have. */
interface Reasoned {
  readonly reasoning_content?: string;
  readonly reasoning_details?: readonly {
    readonly type: string;
    readonly text?: string;
    readonly signature?: string;
  }[];
}

let fixture: SdkFixture;
let client: OpenAI;

beforeAll(async () => {
  fixture = await startSdkFixture();
  client = fixture.openai();
});

afterAll(() => fixture.close());

const usage = {
  prompt_tokens: 120,
  completion_tokens: 15,
  total_tokens: 135,
  prompt_tokens_details: { cached_tokens: 90, cache_write_tokens: 10 },
  completion_tokens_details: { reasoning_tokens: 4 },
};
const City = z.object({ city: z.string(), degrees: z.number() });

describe.each(UPSTREAM_KINDS)("chat.completions of the openai SDK, served by a %s upstream", (kind) => {
  const model = MODEL[kind];

  it("answers whole, with headers that say who served it", async () => {
    fixture.script(kind, "text");
    const { data, response } = await client.chat.completions.create({ model, messages }).withResponse();
    expect(data).toEqual({
      id: expect.stringMatching(UUID),
      object: "chat.completion",
      system_fingerprint: null,
      created: expect.closeTo(Date.now() / 1000, -2),
      model,
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: TEXT, refusal: null },
          logprobs: null,
          finish_reason: "stop",
        },
      ],
      usage,
    });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "attune-served-by": kind,
      "attune-optimizations": "none",
      "attune-deviation": "none",
      "attune-upstream-request-id": UPSTREAM_REQUEST_ID,
      "x-request-id": expect.stringMatching(UUID),
    });
    expect(response.headers.has("attune-translation-loss")).toBe(false);
    expect(await sendFeedback(fixture.service, data.id)).toBeNull();
  });

  it("streams the same, with one id in all chunks that takes feedback at once", async () => {
    fixture.script(kind, "text");
    const stream = await client.chat.completions.create({
      model,
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks: OpenAI.Chat.ChatCompletionChunk[] = [];
    for await (const chunk of stream) {
      if (chunks.length === 0) expect(await sendFeedback(fixture.service, chunk.id)).toBeNull();
      chunks.push(chunk);
    }
    const [first] = chunks;
    expect(first?.id).toMatch(UUID);
    expect(first?.choices[0]?.delta).toEqual({ role: "assistant", content: "", refusal: null });
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    expect(new Set(chunks.map((chunk) => `${chunk.object} ${chunk.model} ${chunk.created}`)).size).toBe(1);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe(TEXT);
    expect(chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? [])).toEqual(["stop"]);
    expect(chunks.map(({ usage: told }) => told)).toEqual([...chunks.slice(1).map(() => null), usage]);
    expect(chunks.at(-1)?.choices).toEqual([]);
  });

  it("opens a stream that only calls tools with the role, and without an empty text", async () => {
    fixture.script(kind, "calls");
    const stream = await client.chat.completions.create({ model, messages, tools, stream: true });
    const deltas: OpenAI.Chat.ChatCompletionChunk.Choice.Delta[] = [];
    for await (const { choices } of stream) deltas.push(...choices.map(({ delta }) => delta));
    expect(deltas[0]).toEqual({ role: "assistant", content: null, refusal: null });
    expect(deltas.filter(({ content }) => typeof content === "string")).toEqual([]);
  });

  it("tells no usage in a stream that did not ask for it", async () => {
    fixture.script(kind, "text");
    const stream = await client.chat.completions.create({ model, messages, stream: true });
    const chunks: OpenAI.Chat.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.filter((chunk) => "usage" in chunk || chunk.choices.length !== 1)).toEqual([]);
  });

  it.each([
    ["text", { content: TEXT, refusal: null }, "stop"],
    ["length", { content: CUT_TEXT, refusal: null }, "length"],
    ["calls", { content: null, refusal: null, tool_calls: toolCalls }, "tool_calls"],
    // Messages cuts the text off and explains why: that is the refusal.
    [
      "refusal",
      kind === "messages" ? { content: REFUSAL, refusal: "policy" } : { content: null, refusal: REFUSAL },
      "stop",
    ],
  ] as const)("accumulates a stream to the same %s as the whole answer", async (scenario, message, finishReason) => {
    fixture.script(kind, scenario);
    const body = { model, messages, tools };
    const whole = await client.chat.completions.create(body);
    const stream = client.chat.completions.stream({ ...body, stream_options: { include_usage: true } });
    const streamed = await stream.finalChatCompletion();
    expect(whole.choices).toEqual([
      { index: 0, message: { role: "assistant", ...message }, logprobs: null, finish_reason: finishReason },
    ]);
    expect(whole.usage).toEqual(usage);
    expect(streamed).toMatchObject({
      model,
      usage,
      choices: [{ finish_reason: finishReason, message }],
    });
  });

  it("goes through a whole loop of tools with parallel calls", async () => {
    fixture.script(kind, "calls", "text");
    const asked = await client.chat.completions.create({ model, messages, tools, tool_choice: "auto" });
    const answer = asked.choices[0]?.message;
    expect(answer?.tool_calls).toEqual(toolCalls);
    const results: Message[] = CALLS.map(({ id, arguments: text }) => ({
      role: "tool",
      tool_call_id: id,
      content: `fine in ${text}`,
    }));
    const history: Message[] = [...messages, ...(answer === undefined ? [] : [answer]), ...results];
    // In strict mode, since nothing of this is lost anywhere.
    const strict = fixture.openai({ headers: { "attune-strict": "true" } });
    const final = await strict.chat.completions.create({ model, messages: history, tools });
    expect(final.choices[0]?.message.content).toBe(TEXT);
    expect(fixture.lastBody()).toMatchObject(LOOP[kind]);
  });

  it("parses structured output, and asks the upstream for it in its own spelling", async () => {
    fixture.script(kind, "json");
    const response_format = zodResponseFormat(City, "city");
    const parsed = await client.chat.completions.parse({ model, messages, response_format });
    expect(parsed.choices[0]?.message.parsed).toEqual({ city: "Oslo", degrees: 4 });
    expect(fixture.lastBody()).toMatchObject(STRUCTURED[kind]);
    const stream = client.chat.completions.stream({ model, messages, response_format });
    const final = await stream.finalChatCompletion();
    expect(final.choices[0]?.message).toMatchObject({ content: JSON_TEXT, parsed: { city: "Oslo", degrees: 4 } });
  });

  it("shows reasoning, seals its signature, and gives it back byte for byte", async () => {
    fixture.script(kind, "thinking");
    const asked = await client.chat.completions.create({ model, messages, reasoning_effort: "high" });
    const answer = asked.choices[0]?.message as OpenAI.Chat.ChatCompletionMessage & Reasoned;
    expect(answer.content).toBe(TEXT);
    expect(answer.reasoning_content).toBe(THOUGHT);
    const sealed = answer.reasoning_details?.flatMap(({ signature }) => signature ?? []);
    expect(sealed).toEqual([expect.stringMatching(/^att1\..+\..+\.EqQBCgIYAhIkMTIz\+\/abc==$/)]);
    await client.chat.completions.create({ model, messages: [...messages, answer, { role: "user", content: "And?" }] });
    expect(JSON.stringify(fixture.lastBody())).toContain(SIGNATURE);
    expect(JSON.stringify(fixture.lastBody())).not.toContain("att1.");
    expect(fixture.lastBody()).toMatchObject(THOUGHT_BACK[kind]);
  });

  it("streams reasoning with the same members", async () => {
    fixture.script(kind, "thinking");
    const stream = await client.chat.completions.create({ model, messages, stream: true });
    let text = "";
    let reasoning = "";
    const sealed: string[] = [];
    for await (const { choices } of stream) {
      const delta = choices[0]?.delta as OpenAI.Chat.ChatCompletionChunk.Choice.Delta & Reasoned;
      text += delta.content ?? "";
      reasoning += delta.reasoning_content ?? "";
      sealed.push(...(delta.reasoning_details ?? []).flatMap(({ signature }) => signature ?? []));
    }
    expect([text, reasoning]).toEqual([TEXT, THOUGHT]);
    expect(sealed).toEqual([expect.stringMatching(/^att1\..+\.EqQBCgIYAhIkMTIz\+\/abc==$/)]);
  });

  it("asks the upstream as it is asked, for its own name of the model, with its own key", async () => {
    fixture.script(kind, "text");
    await client.chat.completions.stream({ model, messages }).done();
    expect(fixture.lastBody()["stream"]).toBe(true);
    await client.chat.completions.create({ model, messages });
    expect(fixture.lastBody()["model"]).toBe(`real-${model.slice("attune/".length)}`);
    expect(Object.keys(fixture.lastBody()).filter((name) => name.startsWith("stream"))).toEqual([]);
    const { authorization, "x-api-key": apiKey } = fixture.upstream.received.at(-1)?.headers ?? {};
    expect([authorization, apiKey]).toEqual(UPSTREAM_KEY[kind]);
  });
});

describe("chat.completions.stream() of the openai SDK", () => {
  it("emits the calls of a stream one after another", async () => {
    fixture.script("messages", "calls");
    const stream = client.chat.completions.stream({ model: MODEL.messages, messages, tools });
    const done: unknown[] = [];
    stream.on("tool_calls.function.arguments.done", ({ index, name, arguments: text }) =>
      done.push([index, name, text]),
    );
    await stream.done();
    expect(done).toEqual([
      [0, "get_weather", '{"city":"Oslo"}'],
      [1, "get_weather", '{"city":"Rome"}'],
    ]);
  });

  it("throws where the upstream dies in the middle", async () => {
    fixture.upstream.answer({ steps: [...FRAMES.chat.text.slice(0, 2), { waitMs: 30 }, "die"] });
    const stream = client.chat.completions.stream({ model: MODEL.chat, messages });
    await expect(stream.finalChatCompletion()).rejects.toThrow("the upstream interrupted its answer");
  });
});

const UPSTREAM_KEY = {
  chat: ["Bearer sk-upstream-chat-secret", undefined],
  responses: ["Bearer sk-upstream-responses-secret", undefined],
  messages: [undefined, "sk-ant-upstream-secret"],
};
