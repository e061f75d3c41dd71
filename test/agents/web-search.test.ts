import {
  Agent,
  MemorySession,
  OpenAIConversationsSession,
  OpenAIProvider,
  Runner,
  type Session,
  webSearchTool,
} from "@openai/agents";
import type OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { answerOf, MODEL, type SdkFixture, startSdkFixture } from "../support/sdk-fixture.ts";
import { FRAMES, messageItem, messagesFrames, responsesFrames, TEXT, textBlock } from "../support/upstream-frames.ts";

let fixture: SdkFixture;
let client: OpenAI;

beforeAll(async () => {
  fixture = await startSdkFixture();
  client = fixture.openai();
});

afterAll(() => fixture.close());

beforeEach(() => void fixture.upstream.received.splice(0));

const PAGE = {
  type: "web_search_result",
  url: "https://example.com",
  title: "Rain",
  encrypted_content: "Eqgf",
  page_age: null,
};
const BLOCKS = [
  { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "rain" } },
  { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [PAGE] },
] as const;
const ITEM = {
  id: "ws_1",
  type: "web_search_call",
  status: "completed",
  action: { type: "search", query: "rain", queries: ["rain"] },
};
/** What each kind of upstream says that it searched for, and what it has to get back of it. */
const KINDS = {
  messages: {
    frames: messagesFrames([[BLOCKS[0]], [BLOCKS[1]], textBlock("It rains.")], "end_turn"),
    received: { messages: [{}, { role: "assistant", content: [...BLOCKS, { type: "text", text: "It rains." }] }, {}] },
  },
  responses: {
    frames: responsesFrames([
      { added: { ...ITEM, status: "in_progress" }, events: [], done: ITEM },
      messageItem("msg_1", ["It rains."]),
    ]),
    received: { input: [{}, ITEM, { role: "assistant" }, {}] },
  },
};
type Kind = keyof typeof KINDS;

/** Where the SDK keeps a conversation. */
interface ConversationOptions {
  readonly session?: Session;
  readonly conversationId?: string;
}

const WAYS: Readonly<Record<string, () => Promise<ConversationOptions>>> = {
  "in its own memory": async () => ({ session: new MemorySession() }),
  "as a conversation": async () => ({ conversationId: (await client.conversations.create()).id }),
};

async function ask(kind: Kind, text: string, options: ConversationOptions, isStreamed: boolean) {
  const runner = new Runner({ modelProvider: new OpenAIProvider({ openAIClient: client }), tracingDisabled: true });
  const model = MODEL[kind].replace("attune/", "");
  const agent = new Agent({ name: "reporter", model, tools: [webSearchTool()] });
  if (!isStreamed) return (await runner.run(agent, text, { ...options, stream: false })).finalOutput;
  const streamed = await runner.run(agent, text, { ...options, stream: true });
  await streamed.completed;
  return streamed.finalOutput;
}

describe.each(Object.keys(KINDS) as Kind[])("an agent that has a %s upstream search the web", (kind) => {
  describe.each(Object.entries(WAYS))("and keeps its conversation %s", (_name, begin) => {
    it.each([false, true])("goes on with what was found (streamed: %s)", async (isStreamed) => {
      const options = await begin();
      fixture.upstream.answer(answerOf(KINDS[kind].frames), answerOf(FRAMES[kind].text));
      expect(await ask(kind, "News?", options, isStreamed)).toBe("It rains.");
      expect(await ask(kind, "And now?", options, isStreamed)).toBe(TEXT);
      expect(fixture.lastBody()).toMatchObject(KINDS[kind].received);
    });
  });

  it("finds the search among the items of its session", async () => {
    const session = new OpenAIConversationsSession({ client });
    fixture.upstream.answer(answerOf(KINDS[kind].frames));
    await ask(kind, "News?", { session }, true);
    const items = await client.conversations.items.list(await session.getSessionId(), { order: "asc" });
    expect(items.data[1]).toMatchObject({
      type: "web_search_call",
      status: "completed",
      action: { type: "search", query: "rain" },
    });
  });
});
