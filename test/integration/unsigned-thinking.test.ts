import type Anthropic from "@anthropic-ai/sdk";
import type OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { wholeAnswer } from "../support/scripted-upstream.ts";
import { MODEL, type SdkFixture, startSdkFixture } from "../support/sdk-fixture.ts";

let fixture: SdkFixture;

beforeAll(async () => {
  fixture = await startSdkFixture();
});

afterAll(() => fixture.close());

const usage = { input_tokens: 1, output_tokens: 1 };
const message = (content: object[], stop_reason: string) =>
  wholeAnswer(
    JSON.stringify({ id: "m", type: "message", role: "assistant", model: "up", content, stop_reason, usage }),
  );
const response = (output: object[]) =>
  wholeAnswer(
    JSON.stringify({
      id: "r",
      object: "response",
      model: "up",
      status: "completed",
      output,
      usage: { ...usage, total_tokens: 2 },
    }),
  );

/** Services that sign or encrypt nothing: their thinking before a call, and how they have to get it back. */
const SERVICES = [
  {
    kind: "messages" as const,
    name: "Messages, without a signature",
    answer: message(
      [
        { type: "thinking", thinking: "Hm" },
        { type: "tool_use", id: "c1", name: "f", input: {} },
      ],
      "tool_use",
    ),
    end: message([{ type: "text", text: "Done" }], "end_turn"),
    thought: { type: "thinking", thinking: "Hm", signature: "" },
  },
  {
    kind: "messages" as const,
    name: "Messages, without a signature or a word",
    answer: message(
      [
        { type: "thinking", thinking: "", signature: "" },
        { type: "tool_use", id: "c1", name: "f", input: {} },
      ],
      "tool_use",
    ),
    end: message([{ type: "text", text: "Done" }], "end_turn"),
    thought: { type: "thinking", thinking: "", signature: "" },
  },
  {
    kind: "responses" as const,
    name: "Responses, as raw text",
    answer: response([
      { id: "rs_1", type: "reasoning", summary: [], content: [{ type: "reasoning_text", text: "Hm" }] },
      { id: "fc_1", type: "function_call", call_id: "c1", name: "f", arguments: "{}", status: "completed" },
    ]),
    end: response([{ id: "m", type: "message", role: "assistant", content: [{ type: "output_text", text: "Done" }] }]),
    thought: { type: "reasoning", summary: [], content: [{ type: "reasoning_text", text: "Hm" }] },
  },
];

/** Asks, makes the call, and sends the answer back as it came; returns the losses of the second request. */
type Loop = (model: string) => Promise<string | null>;

const schema = { type: "object" as const, properties: {} };

const loopMessages =
  (stream: boolean): Loop =>
  async (model) => {
    const { messages: api } = fixture.anthropic();
    const body = { model, max_tokens: 99, tools: [{ name: "f", input_schema: schema }] };
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Hi" }];
    const { content } = stream
      ? await api.stream({ ...body, messages }).finalMessage()
      : await api.create({ ...body, messages });
    const result = { type: "tool_result" as const, tool_use_id: "c1", content: "ok" };
    messages.push({ role: "assistant", content }, { role: "user", content: [result] });
    const answer = await api.create({ ...body, messages }).withResponse();
    return answer.response.headers.get("attune-translation-loss");
  };

const loopResponses =
  (stream: boolean): Loop =>
  async (model) => {
    const { responses: api } = fixture.openai();
    const tools = [{ type: "function" as const, name: "f", parameters: schema, strict: false }];
    const body = { model, store: false, tools };
    const input: OpenAI.Responses.ResponseInput = [{ role: "user", content: "Hi" }];
    const { output } = stream
      ? await api.stream({ ...body, input }).finalResponse()
      : await api.create({ ...body, input });
    input.push(...(output as OpenAI.Responses.ResponseInputItem[]));
    input.push({ type: "function_call_output", call_id: "c1", output: "ok" });
    const answer = await api.create({ ...body, input }).withResponse();
    return answer.response.headers.get("attune-translation-loss");
  };

const loopChat =
  (keepsReasoning: boolean): Loop =>
  async (model) => {
    const { completions: api } = fixture.openai().chat;
    const tools = [{ type: "function" as const, function: { name: "f", parameters: schema } }];
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Hi" }];
    const { choices } = await api.create({ model, tools, messages });
    const [said] = choices;
    if (said === undefined) throw new Error("there is no answer");
    const id = said.message.tool_calls?.[0]?.id ?? "";
    const { role, content, tool_calls = [] } = said.message;
    messages.push(keepsReasoning ? said.message : { role, content, tool_calls }, {
      role: "tool",
      tool_call_id: id,
      content: "ok",
    });
    const answer = await api.create({ model, tools, messages }).withResponse();
    return answer.response.headers.get("attune-translation-loss");
  };

const LOOPS: readonly (readonly [string, Loop])[] = [
  ["Messages", loopMessages(false)],
  ["a stream of Messages", loopMessages(true)],
  ["Responses", loopResponses(false)],
  ["a stream of Responses", loopResponses(true)],
  ["Chat", loopChat(true)],
  ["Chat, from the record", loopChat(false)],
];

describe.each(SERVICES)("thinking of a service of $name", ({ kind, answer, end, thought }) => {
  it.each(LOOPS)("comes back to it in a loop of tools, through %s", async (_, loop) => {
    fixture.upstream.answer(answer, end);
    expect(await loop(MODEL[kind])).toBeNull();
    const { messages, input } = fixture.lastBody() as { messages?: { content: object[] }[]; input?: object[] };
    expect(messages?.[1]?.content[0] ?? input?.[1]).toMatchObject(thought);
  });

  it("goes to no other", async () => {
    fixture.upstream.answer(answer);
    const { messages: api } = fixture.anthropic();
    const { content } = await api.create({
      model: MODEL[kind],
      max_tokens: 99,
      messages: [{ role: "user", content: "Hi" }],
    });
    const other = kind === "messages" ? "responses" : "messages";
    fixture.script(other, "text");
    const { response: sent } = await api
      .create({
        model: MODEL[other],
        max_tokens: 99,
        tools: [{ name: "f", input_schema: schema }],
        messages: [
          { role: "user", content: "Hi" },
          { role: "assistant", content },
          { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "ok" }] },
        ],
      })
      .withResponse();
    expect(sent.headers.get("attune-translation-loss")).toBe("messages[1].content[0]");
    expect(JSON.stringify(fixture.lastBody())).not.toMatch(/thinking|reasoning|Hm/);
  });
});

it("does not send back thinking that was cut before it was signed", async () => {
  fixture.upstream.answer(message([{ type: "thinking", thinking: "Hm" }], "max_tokens"));
  const { messages: api } = fixture.anthropic();
  const body = { model: MODEL.messages, max_tokens: 99 };
  const { content } = await api.create({ ...body, messages: [{ role: "user", content: "Hi" }] });
  fixture.upstream.answer(message([{ type: "text", text: "Done" }], "end_turn"));
  const { response: sent } = await api
    .create({
      ...body,
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content },
        { role: "user", content: "Go on" },
      ],
    })
    .withResponse();
  expect(sent.headers.get("attune-translation-loss")).toBe("messages[1].content[0]");
});
