import type Anthropic from "@anthropic-ai/sdk";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import type OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Dialect, Role } from "../../gen/attune/content/v1/content_pb.ts";
import { InferenceService } from "../../gen/attune/inference/v1/inference_pb.ts";
import { answerOf, MODEL, type SdkFixture, startSdkFixture } from "../support/sdk-fixture.ts";
import {
  type Block,
  type Item,
  messageItem,
  messagesFrames,
  responsesFrames,
  textBlock,
} from "../support/upstream-frames.ts";

let fixture: SdkFixture;

beforeAll(async () => {
  fixture = await startSdkFixture();
});

afterAll(() => fixture.close());

/** As https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool has them. */
const CALL = { type: "server_tool_use", id: "srvtoolu_01WYG3", name: "web_search", input: { query: "rain in Oslo" } };
const PAGE = {
  type: "web_search_result",
  url: "https://example.com/rain",
  title: "Rain",
  encrypted_content: "EqgfCioIARgBIiQ3YTAwMjY1Mi1mZjM5",
  page_age: "April 30, 2025",
};
const RESULT = { type: "web_search_tool_result", tool_use_id: CALL.id, content: [PAGE] };
const callBlock = (id: string, query: string): Block => [
  { ...CALL, id, input: {} },
  { type: "input_json_delta", partial_json: `{"query": ` },
  { type: "input_json_delta", partial_json: `${JSON.stringify(query)}}` },
];
const SEARCHED = messagesFrames(
  [textBlock("I look."), callBlock(CALL.id, "rain in Oslo"), [RESULT], textBlock("It rains.")],
  "end_turn",
);
const OWN_ID = /^ws_[0-9a-f]{32}_1$/;
const item = (action: object, status = "completed") => ({
  id: expect.stringMatching(OWN_ID),
  type: "web_search_call",
  status,
  action: { type: "search", ...action },
});
const QUERY = { query: "rain in Oslo", queries: ["rain in Oslo"] };
const SOURCES = [{ type: "url", url: PAGE.url }];

const ASKED = { model: MODEL.messages, input: "Rain?", tools: [{ type: "web_search" as const }] };
const WITH_SOURCES = { ...ASKED, include: ["web_search_call.action.sources" as const] };

/** The SDK takes its own answers back, which its types do not say. */
type Input = OpenAI.Responses.ResponseInput;

/** Types of the events of a stream, and the last one's answer. */
async function streamOf(body: typeof ASKED) {
  const stream = fixture.openai().responses.stream(body);
  const events: OpenAI.Responses.ResponseStreamEvent[] = [];
  stream.on("event", (event) => events.push(event));
  return { response: await stream.finalResponse(), events };
}

describe("a web search of a Messages upstream", () => {
  it("is an item of a Response, whole and streamed", async () => {
    fixture.upstream.answer(answerOf(SEARCHED));
    const whole = await fixture.openai().responses.create(ASKED);
    const { response } = await streamOf(ASKED);
    for (const { output } of [whole, response]) {
      expect(output.map(({ type }) => type)).toEqual(["message", "web_search_call", "message"]);
      expect(output[1]).toEqual(item(QUERY));
    }
  });

  it("tells its pages where they are asked for, also of a stored Response", async () => {
    fixture.upstream.answer(answerOf(SEARCHED));
    const whole = await fixture.openai().responses.create(WITH_SOURCES);
    const { response } = await streamOf(WITH_SOURCES);
    const stored = await fixture.openai().responses.retrieve(whole.id);
    for (const { output } of [whole, response, stored]) expect(output[1]).toEqual(item({ ...QUERY, sources: SOURCES }));
  });

  it("is told while it runs", async () => {
    fixture.upstream.answer(answerOf(SEARCHED));
    const { events } = await streamOf(ASKED);
    const ofSearch = events.filter((event) => "output_index" in event && event.output_index === 1);
    expect(ofSearch).toMatchObject([
      { type: "response.output_item.added", item: { type: "web_search_call", status: "in_progress" } },
      { type: "response.web_search_call.in_progress", item_id: expect.stringMatching(OWN_ID) },
      { type: "response.web_search_call.searching", item_id: expect.stringMatching(OWN_ID) },
      { type: "response.web_search_call.completed", item_id: expect.stringMatching(OWN_ID) },
      { type: "response.output_item.done", item: item(QUERY) },
    ]);
  });

  it("is told again as it was, of what was made in the background", async () => {
    fixture.upstream.answer(answerOf(SEARCHED));
    const client = fixture.openai();
    const body = { ...WITH_SOURCES, background: true, store: true };
    const first = await Array.fromAsync(await client.responses.create({ ...body, stream: true }));
    const id = first[0]?.type === "response.created" ? first[0].response.id : "";
    const again = await Array.fromAsync(await client.responses.retrieve(id, { stream: true }));
    expect(again).toEqual(first);
    expect(first.map(({ type }) => type)).toContain("response.web_search_call.completed");
  });

  it("is one item beside another that runs at the same time", async () => {
    const [one, other] = ["srvtoolu_1", "srvtoolu_2"];
    const found = (id: string, url: string): Block => [{ ...RESULT, tool_use_id: id, content: [{ ...PAGE, url }] }];
    const blocks = [
      callBlock(one, "a"),
      callBlock(other, "b"),
      found(one, "https://a.example"),
      found(other, "https://b.example"),
    ];
    fixture.upstream.answer(answerOf(messagesFrames([...blocks, textBlock("Done.")], "end_turn")));
    const whole = await fixture.openai().responses.create(WITH_SOURCES);
    const { response, events } = await streamOf(WITH_SOURCES);
    for (const { output } of [whole, response]) {
      expect(output).toMatchObject([
        { status: "completed", action: { query: "a", sources: [{ url: "https://a.example" }] } },
        { status: "completed", action: { query: "b", sources: [{ url: "https://b.example" }] } },
        { type: "message" },
      ]);
    }
    const done = events.filter(({ type }) => type === "response.output_item.done");
    expect(done.map((event) => "output_index" in event && event.output_index)).toEqual([0, 1, 2]);
  });

  it("says that it failed, or is not complete", async () => {
    const error = { type: "web_search_tool_result_error", error_code: "max_uses_exceeded" };
    const failed: Block = [{ ...RESULT, content: error }];
    fixture.upstream.answer(answerOf(messagesFrames([callBlock(CALL.id, "rain in Oslo"), failed], "end_turn")));
    const { data: whole, response } = await fixture.openai().responses.create(ASKED).withResponse();
    const id = expect.stringMatching(/^ws_[0-9a-f]{32}_0$/);
    const expected = { ...item(QUERY, "failed"), id };
    expect([whole.output, (await streamOf(ASKED)).response.output]).toEqual([[expected], [expected]]);
    expect(response.headers.get("attune-translation-loss")).toBe("answer.content[1].web_search_tool_result.error_code");
    fixture.upstream.answer(answerOf(messagesFrames([callBlock(CALL.id, "rain in Oslo")], "pause_turn")));
    const { response: paused } = await streamOf(ASKED);
    expect(paused).toMatchObject({ status: "incomplete", output: [{ ...item(QUERY, "incomplete"), id }] });
  });

  it("names what of it only its provider can read", async () => {
    fixture.upstream.answer(answerOf(SEARCHED));
    const { response } = await fixture.openai().responses.create(WITH_SOURCES).withResponse();
    const names = ["title", "page_age", "encrypted_content"].map(
      (name) => `answer.content[2].web_search_tool_result.${name}`,
    );
    expect(response.headers.get("attune-translation-loss")).toBe(names.join(", "));
    const chat = fixture
      .openai()
      .chat.completions.create({ model: MODEL.messages, messages: [{ role: "user", content: "Rain?" }] });
    expect((await chat.withResponse()).response.headers.get("attune-translation-loss")).toBe(
      "answer.content[1].server_tool_use, answer.content[2].web_search_tool_result",
    );
  });

  it("goes back to it with all that it found, from a stored Response and from the items alone", async () => {
    fixture.upstream.answer(answerOf(SEARCHED));
    const { id, output } = await fixture.openai().responses.create({ ...ASKED, store: false });
    const input = [{ role: "user", content: "Rain?" }, ...output, { role: "user", content: "And now?" }] as Input;
    await fixture.openai().responses.create({ ...ASKED, input });
    const content = [{ type: "text", text: "I look." }, CALL, RESULT, { type: "text", text: "It rains." }];
    expect(fixture.lastBody()).toMatchObject({ messages: [{}, { role: "assistant", content }, {}] });
    const stored = await fixture.openai().responses.create(ASKED);
    await fixture.openai().responses.create({ ...ASKED, previous_response_id: stored.id, input: "And now?" });
    expect(fixture.lastBody()).toMatchObject({ messages: [{}, { role: "assistant", content }, {}] });
    expect(id).not.toBe(stored.id);
  });

  it("is an item of a conversation, which takes it back", async () => {
    const client = fixture.openai();
    const { id } = await client.conversations.create();
    fixture.upstream.answer(answerOf(SEARCHED));
    await client.responses.create({ ...ASKED, conversation: id });
    const items = await Array.fromAsync(client.conversations.items.list(id, { order: "asc" }));
    expect(items.map(({ type }) => type)).toEqual(["message", "message", "web_search_call", "message"]);
    const searched = expect.stringMatching(/^ws_[0-9a-f]{32}$/);
    expect(items[2]).toEqual({ ...item({ ...QUERY, sources: SOURCES }), id: searched });
    await client.responses.create({ ...ASKED, conversation: id, input: "And now?" });
    const content = [{ type: "text" }, CALL, RESULT, { type: "text" }];
    expect(fixture.lastBody()).toMatchObject({ messages: [{}, { role: "assistant", content }, {}] });
  });

  it("is left out and named towards another provider", async () => {
    fixture.upstream.answer(answerOf(SEARCHED));
    const { output } = await fixture.openai().responses.create(ASKED);
    const unknown = { ...output[1], id: "ws_00000000000070008000000000000000_1" };
    const input = [{ role: "user", content: "Rain?" }, ...output, unknown] as Input;
    for (const kind of ["responses", "messages"] as const) {
      fixture.script(kind, "text");
      const { response } = await fixture
        .openai()
        .responses.create({ ...ASKED, model: MODEL[kind], input })
        .withResponse();
      expect(JSON.stringify(fixture.lastBody())).not.toMatch(/ws_0/);
      expect(response.headers.get("attune-translation-loss")).toBe(
        kind === "responses" ? "input[2], input[4]" : "input[4]",
      );
    }
  });
});

const OF_RESPONSES: Item = {
  added: { id: "ws_68f1", type: "web_search_call", status: "in_progress" },
  events: [
    ["response.web_search_call.in_progress", { item_id: "ws_68f1" }],
    ["response.web_search_call.searching", { item_id: "ws_68f1" }],
    ["response.web_search_call.completed", { item_id: "ws_68f1" }],
  ],
  done: {
    id: "ws_68f1",
    type: "web_search_call",
    status: "completed",
    action: { type: "search", query: "rain in Oslo", queries: ["rain in Oslo"], sources: SOURCES },
  },
};
const searching = (done: object) => responsesFrames([{ ...OF_RESPONSES, done }, messageItem("msg_up", ["It rains."])]);
const tools: Anthropic.ToolUnion[] = [{ type: "web_search_20250305", name: "web_search" }];
const USER = { role: "user" as const, content: "Rain?" };
const FOR_MESSAGES = { model: MODEL.responses, max_tokens: 64, messages: [USER], tools };

describe("a web search of a Responses upstream", () => {
  it("is a call and its result in Messages, whole and streamed", async () => {
    fixture.upstream.answer(answerOf(searching(OF_RESPONSES.done)));
    const { data: whole, response } = await fixture.anthropic().messages.create(FOR_MESSAGES).withResponse();
    expect(fixture.lastBody()).toMatchObject({ include: ["web_search_call.action.sources"] });
    expect(response.headers.get("attune-translation-loss")).toBeNull();
    const streamed = await fixture.anthropic().messages.stream(FOR_MESSAGES).finalMessage();
    const id = expect.stringMatching(/^srvtoolu_[0-9a-f]{32}_0$/);
    for (const { content } of [whole, streamed]) {
      expect(content).toEqual([
        {
          type: "server_tool_use",
          id,
          name: "web_search",
          input: { query: "rain in Oslo" },
          caller: { type: "direct" },
        },
        {
          type: "web_search_tool_result",
          tool_use_id: content[0]?.type === "server_tool_use" ? content[0].id : "",
          content: [{ type: "web_search_result", url: PAGE.url, title: "", encrypted_content: "", page_age: null }],
          caller: { type: "direct" },
        },
        { type: "text", text: "It rains." },
      ]);
    }
  });

  it("says that it failed", async () => {
    fixture.upstream.answer(
      answerOf(searching({ ...OF_RESPONSES.done, status: "failed", action: { type: "search", query: "q" } })),
    );
    const { content } = await fixture.anthropic().messages.create(FOR_MESSAGES);
    expect(content).toMatchObject([
      { type: "server_tool_use", input: { query: "q" } },
      { content: { type: "web_search_tool_result_error", error_code: "unavailable" } },
      { type: "text" },
    ]);
  });

  it.each([
    ["tells no pages", { type: "search", query: "q" }, "web_search_call"],
    ["opens a page", { type: "open_page", url: PAGE.url }, "web_search_call"],
    [
      "has several queries",
      { type: "search", queries: ["a", "b"], sources: SOURCES },
      "web_search_call.action.queries",
    ],
  ])("is a loss where it %s", async (_what, action, loss) => {
    fixture.upstream.answer(answerOf(searching({ ...OF_RESPONSES.done, action })));
    const { data, response } = await fixture.anthropic().messages.create(FOR_MESSAGES).withResponse();
    expect(response.headers.get("attune-translation-loss")).toBe(`answer.content[0].${loss}`);
    expect(data.content.at(-1)).toMatchObject({ type: "text", text: "It rains." });
    expect(data.content).toHaveLength(loss === "web_search_call" ? 1 : 3);
  });

  it("goes back to it as it was, and to no other provider", async () => {
    fixture.upstream.answer(answerOf(searching(OF_RESPONSES.done)));
    const { content } = await fixture.anthropic().messages.create(FOR_MESSAGES);
    const messages = [USER, { role: "assistant" as const, content }, { role: "user" as const, content: "And now?" }];
    const asked = fixture
      .anthropic({ headers: { "attune-strict": "true" } })
      .messages.create({ ...FOR_MESSAGES, messages });
    await asked;
    expect(fixture.lastBody()).toMatchObject({ input: [{}, OF_RESPONSES.done, { role: "assistant" }, {}] });
    fixture.script("messages", "text");
    const { response } = await fixture
      .anthropic()
      .messages.create({ ...FOR_MESSAGES, model: MODEL.messages, messages })
      .withResponse();
    expect(fixture.lastBody()).toMatchObject({
      messages: [{}, { role: "assistant", content: "It rains." }, {}],
    });
    expect(response.headers.get("attune-translation-loss")).toBe("messages[1].content[0], messages[1].content[1]");
  });

  it("goes back as an item of its own from an RPC caller", async () => {
    fixture.upstream.answer(answerOf(searching(OF_RESPONSES.done)));
    const { url, headers } = fixture.service;
    const client = createClient(InferenceService, createConnectTransport({ baseUrl: url, httpVersion: "1.1" }));
    const user = { role: Role.USER, content: [{ kind: { case: "text" as const, value: { text: "Rain?" } } }] };
    const search = { dialect: Dialect.RESPONSES, json: JSON.stringify({ type: "web_search" }) };
    const input = {
      model: MODEL.responses,
      messages: [user],
      tools: [{ kind: { case: "opaque" as const, value: search } }],
    };
    const { content } = await client.generate({ input }, { headers });
    await client.generate(
      { input: { ...input, messages: [user, { role: Role.ASSISTANT, content }, user] } },
      { headers },
    );
    expect(fixture.lastBody()).toMatchObject({ input: [{}, OF_RESPONSES.done, { role: "assistant" }, {}] });
  });
});
