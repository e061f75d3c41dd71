import { Agent, OpenAIConversationsSession, OpenAIProvider, Runner, type Session, tool } from "@openai/agents";
import type OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { answerOf, MODEL, type SdkFixture, startSdkFixture } from "../support/sdk-fixture.ts";
import {
  argumentsChunk,
  CALLS,
  callChunk,
  chatFrames,
  FRAMES,
  TEXT,
  UPSTREAM_KINDS,
  type UpstreamKind,
} from "../support/upstream-frames.ts";

let fixture: SdkFixture;
let client: OpenAI;
/** Losses that the agent was told of. */
let losses: string[];

beforeAll(async () => {
  fixture = await startSdkFixture();
  client = fixture.openai({
    fetch: async (...request) => {
      const response = await fetch(...request);
      losses.push(...(response.headers.get("attune-translation-loss")?.split(", ") ?? []));
      return response;
    },
  });
});

afterAll(() => fixture.close());

beforeEach(() => {
  losses = [];
  fixture.upstream.received.splice(0);
});

const getWeather = tool({
  name: "get_weather",
  description: "Weather of a city",
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => `rain in ${city}`,
});

/** The ways in which the SDK leaves a conversation to the service, each with the id of the conversation. */
const WAYS = {
  "a session": () => {
    const session = new OpenAIConversationsSession({ client });
    return { options: { session }, conversationId: () => session.getSessionId() };
  },
  "the id of a conversation": async () => {
    const { id } = await client.conversations.create();
    return { options: { conversationId: id }, conversationId: async () => id };
  },
};

/** Where the SDK keeps a conversation. */
interface ConversationOptions {
  readonly session?: Session;
  readonly conversationId?: string;
}

/** Asks an agent as the SDK does, and returns its last words. */
async function ask(kind: UpstreamKind, text: string, options: ConversationOptions, isStreamed: boolean) {
  const runner = new Runner({ modelProvider: new OpenAIProvider({ openAIClient: client }), tracingDisabled: true });
  const model = MODEL[kind].replace("attune/", "");
  const agent = new Agent({ name: "meteorologist", instructions: "Be brief.", model, tools: [getWeather] });
  if (!isStreamed) return (await runner.run(agent, text, { ...options, stream: false })).finalOutput;
  const streamed = await runner.run(agent, text, { ...options, stream: true });
  await streamed.completed;
  return streamed.finalOutput;
}

/** The texts that the upstream has to get, each once and in this order. */
function expectReceived(index: number, texts: readonly string[]): void {
  const body = fixture.upstream.received[index]?.body ?? "";
  const places = texts.map((text) => body.indexOf(text));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(texts.map((text) => body.split(text).length)).toEqual(texts.map(() => 2));
}

describe.each(UPSTREAM_KINDS)("an agent of the Agents SDK on a model of a %s upstream", (kind) => {
  describe.each(Object.entries(WAYS))("with %s", (_name, begin) => {
    it.each([false, true])("goes on with its tools and their results (streamed: %s)", async (isStreamed) => {
      const { options, conversationId } = await begin();
      fixture.script(kind, "calls", "thinking", "text");
      expect(await ask(kind, "How is the weather?", options, isStreamed)).toBe(TEXT);
      expect(await ask(kind, "And tomorrow?", options, isStreamed)).toBe(TEXT);
      const results = CALLS.map((call) => `rain in ${JSON.parse(call.arguments).city}`);
      expectReceived(1, ["How is the weather?", ...results]);
      expectReceived(2, ["Be brief.", "How is the weather?", ...results, "Grüße 🌍", "And tomorrow?"]);
      expect(losses).toEqual([]);
      const items = await Array.fromAsync(client.conversations.items.list(await conversationId(), { order: "asc" }));
      expect(items.map((item) => ("role" in item ? item.role : item.type))).toEqual([
        ...["user", "function_call", "function_call", "function_call_output", "function_call_output"],
        ...["reasoning", "assistant", "user", "assistant"],
      ]);
    });
  });

  it("takes the last item of a session back, and clears it", async () => {
    const session = new OpenAIConversationsSession({ client });
    fixture.script(kind, "text");
    await ask(kind, "Hello", { session }, false);
    expect(await session.getItems(1)).toMatchObject([{ role: "assistant" }]);
    expect(await session.popItem()).toMatchObject({
      role: "assistant",
      content: [{ type: "output_text", text: TEXT }],
    });
    expect(await session.getItems()).toMatchObject([{ role: "user" }]);
    const id = await session.getSessionId();
    await session.clearSession();
    await expect(client.conversations.retrieve(id)).rejects.toMatchObject({ status: 404 });
  });
});

it("keeps a long run of the Agents SDK, which adds all of its items at once", async () => {
  const session = new OpenAIConversationsSession({ client });
  const calls = Array.from({ length: 12 }, (_none, index) => ({ id: `call_${index}`, name: "get_weather" }));
  const deltas = calls.flatMap((call, index) => [callChunk(index, call), argumentsChunk(index, `{"city":"${index}"}`)]);
  fixture.upstream.answer(answerOf(chatFrames(deltas, "tool_calls")), answerOf(FRAMES.chat.text));
  expect(await ask("chat", "Everywhere?", { session }, true)).toBe(TEXT);
  expect(await session.getItems()).toHaveLength(1 + 2 * calls.length + 1);
});
