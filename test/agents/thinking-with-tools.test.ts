import type OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { writeSettings } from "../../src/store/settings/write-settings.ts";
import { answerOf, MODEL, type SdkFixture, startSdkFixture } from "../support/sdk-fixture.ts";
import {
  CALLS,
  callBlock,
  callItem,
  FRAMES,
  messagesFrames,
  REASONING_ITEM,
  responsesFrames,
  SIGNATURE,
  THOUGHT,
} from "../support/upstream-frames.ts";

type Message = OpenAI.Chat.Completions.ChatCompletionMessageParam;

const [OSLO] = CALLS;
const TOOLS = [{ type: "function" as const, function: { name: "get_weather", parameters: { type: "object" } } }];

/** A thinking block and a call, as a Messages upstream answers. */
const THINKS_AND_CALLS = {
  messages: messagesFrames(
    [
      [
        { type: "thinking", thinking: "", signature: "" },
        { type: "thinking_delta", thinking: THOUGHT },
        { type: "signature_delta", signature: SIGNATURE },
      ],
      callBlock(OSLO, OSLO.arguments),
    ],
    "tool_use",
  ),
  responses: responsesFrames([REASONING_ITEM, callItem("fc_1", OSLO, [OSLO.arguments])]),
} as const;

let fixture: SdkFixture;
/** Losses of the latest answer. */
let losses: string | null;

beforeAll(async () => {
  const change = (yaml: string) => yaml.replace("  - name: messenger", "  - thinking: budget\n    name: messenger");
  fixture = await startSdkFixture({ change });
});

afterAll(() => fixture.close());

/** Asks as agents of the Chat format do, which keep text and calls of an answer and nothing else. */
async function ask(kind: "messages" | "responses", messages: readonly Message[]) {
  const client = fixture.openai({
    fetch: async (...request) => {
      const response = await fetch(...request);
      losses = response.headers.get("attune-translation-loss");
      return response;
    },
  });
  const stream = client.chat.completions.stream({
    model: MODEL[kind],
    messages: [...messages],
    tools: TOOLS,
    reasoning_effort: "low",
    max_tokens: 4096,
  });
  const { content, tool_calls } = await stream.finalMessage();
  return { role: "assistant" as const, content, ...(tool_calls && { tool_calls }) };
}

/** Leads a loop of two calls, and returns the request that the upstream got last. */
async function loop(kind: "messages" | "responses") {
  const messages: Message[] = [{ role: "user", content: "Warm?" }];
  for (const step of [1, 2]) {
    fixture.upstream.answer(answerOf(THINKS_AND_CALLS[kind]));
    const answer = await ask(kind, messages);
    messages.push(answer, { role: "tool", tool_call_id: answer.tool_calls?.[0]?.id ?? "", content: `step ${step}` });
  }
  fixture.upstream.answer(answerOf(FRAMES[kind].text));
  await ask(kind, messages);
  return fixture.lastBody();
}

describe("an agent of the Chat format that sends no reasoning back", () => {
  it("keeps its thinking towards a Messages upstream with a budget", async () => {
    const thinking = { type: "thinking", thinking: THOUGHT, signature: SIGNATURE };
    const call = { type: "tool_use", id: OSLO.id, name: OSLO.name, input: { city: "Oslo" } };
    const result = (step: number) => ({
      role: "user",
      content: [{ type: "tool_result", tool_use_id: OSLO.id, content: `step ${step}` }],
    });
    expect(await loop("messages")).toMatchObject({
      thinking: { type: "enabled", budget_tokens: 2048 },
      messages: [
        { role: "user", content: "Warm?" },
        { role: "assistant", content: [thinking, call] },
        result(1),
        { role: "assistant", content: [thinking, call] },
        result(2),
      ],
    });
    expect(losses).toBeNull();
  });

  it("keeps its encrypted reasoning towards a Responses upstream", async () => {
    const { input, include } = (await loop("responses")) as { input: object[]; include: string[] };
    const reasoning = { type: "reasoning", encrypted_content: SIGNATURE };
    const call = { type: "function_call", call_id: OSLO.id, arguments: OSLO.arguments };
    const output = { type: "function_call_output", call_id: OSLO.id };
    expect(input).toMatchObject([{ role: "user" }, reasoning, call, output, reasoning, call, output]);
    expect(include).toEqual(["reasoning.encrypted_content"]);
    expect(losses).toBeNull();
  });

  it("goes on without thinking, and is told, where the answer cannot be had any more", async () => {
    const messages: Message[] = [{ role: "user", content: "Warm?" }];
    fixture.upstream.answer(answerOf(THINKS_AND_CALLS.messages));
    const answer = await ask("messages", messages);
    messages.push(answer, { role: "tool", tool_call_id: answer.tool_calls?.[0]?.id ?? "", content: "4" });
    await writeSettings(fixture.service.store, DEFAULT_PROJECT.id, { bodies: "none" });
    const asked = async () => {
      fixture.upstream.answer(answerOf(FRAMES.messages.text));
      await ask("messages", messages);
      return { losses, thinking: fixture.lastBody()["thinking"] };
    };
    await expect.poll(asked).toEqual({ losses: "reasoning_effort", thinking: undefined });
    fixture.upstream.answer(answerOf(THINKS_AND_CALLS.messages));
    const unmarked = await ask("messages", [{ role: "user", content: "Warm?" }]);
    expect(unmarked.tool_calls?.[0]?.id).toBe(OSLO.id);
    await writeSettings(fixture.service.store, DEFAULT_PROJECT.id, { bodies: "full" });
  });
});
