import type Anthropic from "@anthropic-ai/sdk";
import type OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "../support/scripted-upstream.ts";
import { answerOf, MODEL, type SdkFixture, startSdkFixture } from "../support/sdk-fixture.ts";
import { argumentsChunk, callChunk, chatFrames, FRAMES } from "../support/upstream-frames.ts";

type Member = "reasoning_content" | "reasoning";

let fixture: SdkFixture;

const OSLO = { id: "call_oslo", name: "get_weather" };
const ROME = { id: "call_rome", name: "get_weather" };
const parameters = { type: "object" as const, properties: { city: { type: "string" } } };

/** A server that shows its reasoning, does not seal it, and wants it back as long as its tools are called. */
function turns(member: Member): Answer[] {
  const turn = (thoughts: readonly string[], call: typeof OSLO, city: string): string[] =>
    chatFrames(
      [...thoughts.map((text) => ({ [member]: text })), callChunk(0, call), argumentsChunk(0, `{"city":"${city}"}`)],
      "tool_calls",
    );
  return [
    turn(["I look ", "at Oslo."], OSLO, "Oslo"),
    turn(["Now Rome."], ROME, "Rome"),
    chatFrames([{ content: "Rain." }], "stop"),
  ].map(answerOf);
}

const calling = (id: string, city: string): object[] => [
  { id, type: "function", function: { name: "get_weather", arguments: `{"city":"${city}"}` } },
];
/** What the upstream is told of the conversation at its end. */
const wholeConversation = (member: Member): object[] => [
  { role: "user", content: "Weather?" },
  { role: "assistant", content: null, [member]: "I look at Oslo.", tool_calls: calling("call_oslo", "Oslo") },
  { role: "tool", tool_call_id: "call_oslo", content: "rain" },
  { role: "assistant", content: null, [member]: "Now Rome.", tool_calls: calling("call_rome", "Rome") },
  { role: "tool", tool_call_id: "call_rome", content: "rain" },
];

const tools: Anthropic.Tool[] = [{ name: "get_weather", input_schema: parameters }];

/** Answers the calls of a turn; the caller keeps the conversation as it came. */
async function loopMessages(stream: boolean): Promise<Anthropic.MessageParam[]> {
  const { messages: api } = fixture.anthropic();
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Weather?" }];
  for (let count = 0; count < 2; count++) {
    const body = { model: MODEL.chat, max_tokens: 99, tools, messages };
    const { content } = stream ? await api.stream(body).finalMessage() : await api.create(body);
    const results = content.flatMap((block) =>
      block.type === "tool_use" ? [{ type: "tool_result" as const, tool_use_id: block.id, content: "rain" }] : [],
    );
    messages.push({ role: "assistant", content }, { role: "user", content: results });
  }
  return messages;
}

describe.each([
  ["reasoning_content", ""],
  // What newer servers call it.
  ["reasoning", ", profile: { reasoningMember: reasoning }"],
] as const)("reasoning that its maker did not seal, in a loop of tools, as %s", (member, setting) => {
  const TURNS = turns(member);
  const WHOLE = wholeConversation(member);

  beforeAll(async () => {
    fixture = await startSdkFixture({ change: (yaml) => yaml.replace('chat-secret"', `chat-secret"${setting}`) });
  });

  afterAll(() => fixture.close());

  it.each([false, true])("comes back to it in its own member, through Messages, streamed: %s", async (stream) => {
    fixture.upstream.answer(...TURNS);
    const messages = await loopMessages(stream);
    const { data, response } = await fixture
      .anthropic()
      .messages.create({ model: MODEL.chat, max_tokens: 99, tools, messages })
      .withResponse();
    expect(data.content).toMatchObject([{ type: "text", text: "Rain." }]);
    expect(fixture.lastBody()["messages"]).toEqual(WHOLE);
    expect(response.headers.get("attune-translation-loss")).toBeNull();
  });

  it.each([false, true])("comes back to it in its own member, through Responses, streamed: %s", async (stream) => {
    fixture.upstream.answer(...TURNS);
    const { responses } = fixture.openai();
    const input: OpenAI.Responses.ResponseInput = [{ role: "user", content: "Weather?" }];
    const options = {
      model: MODEL.chat,
      store: false,
      tools: [{ type: "function" as const, name: "get_weather", parameters, strict: false }],
    };
    for (let count = 0; count < 3; count++) {
      const { output } = stream
        ? await responses.stream({ ...options, input }).finalResponse()
        : await responses.create({ ...options, input });
      if (count === 2) break;
      for (const item of output) {
        input.push(item as OpenAI.Responses.ResponseInputItem);
        if (item.type === "function_call")
          input.push({ type: "function_call_output", call_id: item.call_id, output: "rain" });
      }
    }
    expect(fixture.lastBody()["messages"]).toEqual(WHOLE);
  });

  it("comes back to it where the conversation is kept here", async () => {
    fixture.upstream.answer(...TURNS);
    const { responses } = fixture.openai();
    const tool = { type: "function" as const, name: "get_weather", parameters, strict: false };
    const options = { model: MODEL.chat, tools: [tool] };
    let answer = await responses.create({ ...options, input: "Weather?" });
    for (const id of [OSLO.id, ROME.id]) {
      const input = [{ type: "function_call_output" as const, call_id: id, output: "rain" }];
      answer = await responses.create({ ...options, input, previous_response_id: answer.id });
    }
    expect(answer.output_text).toBe("Rain.");
    expect(fixture.lastBody()["messages"]).toEqual(WHOLE);
  });

  it.each(["responses", "messages"] as const)("is left out by name for a %s upstream", async (kind) => {
    fixture.upstream.answer(...TURNS);
    const messages = await loopMessages(false);
    fixture.upstream.answer(answerOf(FRAMES[kind].text));
    const { response } = await fixture
      .anthropic()
      .messages.create({ model: MODEL[kind], max_tokens: 99, tools, messages })
      .withResponse();
    expect(response.headers.get("attune-translation-loss")).toBe("messages[1].content[0], messages[3].content[0]");
    expect(JSON.stringify(fixture.lastBody())).not.toContain("I look");
  });

  it("goes through Chat as it came, unsealed", async () => {
    fixture.upstream.answer(...TURNS);
    const { completions } = fixture.openai().chat;
    const messages = [{ role: "user" as const, content: "Weather?" }];
    const answer = await completions.create({ model: MODEL.chat, messages });
    const message = answer.choices[0]?.message;
    expect(message).toMatchObject({ reasoning_content: "I look at Oslo." });
    expect(message).not.toHaveProperty("reasoning_details");
    const result = { role: "tool" as const, tool_call_id: OSLO.id, content: "rain" };
    if (message !== undefined)
      await completions.create({ model: MODEL.chat, messages: [...messages, message, result] });
    expect(fixture.lastBody()["messages"]).toMatchObject(WHOLE.slice(0, 3));
  });
});
