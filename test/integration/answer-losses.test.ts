import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Role } from "../../gen/attune/content/v1/content_pb.ts";
import { InferenceService } from "../../gen/attune/inference/v1/inference_pb.ts";
import { readWhenWritten } from "../support/read-when-written.ts";
import { bodyOf, FORMATS, type Format, PATH } from "../support/sdk-calls.ts";
import { answerOf, MODEL, type SdkFixture, startSdkFixture } from "../support/sdk-fixture.ts";
import { FRAMES, type Item, messageItem, messagesFrames, responsesFrames } from "../support/upstream-frames.ts";

let fixture: SdkFixture;

beforeAll(async () => {
  fixture = await startSdkFixture({ heartbeatMs: 100 });
});

afterAll(() => fixture.close());

const SEARCH: Item = {
  added: { id: "ws_1", type: "web_search_call", status: "in_progress" },
  events: [["response.web_search_call.searching", { item_id: "ws_1" }]],
  done: { id: "ws_1", type: "web_search_call", status: "completed", action: { type: "search", query: "rain" } },
};
const SEARCHED = responsesFrames([SEARCH, messageItem("msg_up", ["It ", "rains."])]);
const CITED = messagesFrames(
  [
    [
      { type: "text", text: "" },
      { type: "text_delta", text: "It rains." },
      { type: "citations_delta", citation: { type: "char_location", cited_text: "rain", document_index: 0 } },
    ],
  ],
  "end_turn",
);
/** An answer that holds more than a format can say, and what that is. */
const ANSWERS: Record<Format, { readonly model: string; readonly frames: readonly string[]; readonly loss: string }> = {
  chat: { model: MODEL.responses, frames: SEARCHED, loss: "answer.content[0].web_search_call" },
  responses: { model: MODEL.messages, frames: CITED, loss: "answer.content[0].citations" },
  messages: { model: MODEL.responses, frames: SEARCHED, loss: "answer.content[0].web_search_call" },
};

function post(format: Format, members: object, headers: Record<string, string> = {}): Promise<Response> {
  const { url, headers: own } = fixture.service;
  const body = JSON.stringify({ ...bodyOf(format, ANSWERS[format].model), ...members });
  return fetch(url + PATH[format], { method: "POST", headers: { ...own, ...headers }, body });
}

const idOf = (text: string): string => /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}/.exec(text)?.[0] ?? "";

/** What the official client's accumulator makes of a stream. */
const STREAMED: Record<Format, (body: never) => Promise<string | null | undefined>> = {
  chat: async (body) => {
    const answer = await fixture.openai().chat.completions.stream(body).finalChatCompletion();
    return answer.choices[0]?.message.content;
  },
  responses: async (body) => (await fixture.openai().responses.stream(body).finalResponse()).output_text,
  messages: (body) => fixture.anthropic().messages.stream(body).finalText(),
};

describe.each(FORMATS)("what %s cannot say of an answer", (format) => {
  const { model, frames, loss } = ANSWERS[format];

  it("is in the header of a whole one, and in its record", async () => {
    fixture.upstream.answer(answerOf(frames));
    const response = await post(format, {});
    expect(response.headers.get("attune-translation-loss")).toBe(loss);
    const { row } = await readWhenWritten(fixture.service.store, idOf(await response.text()));
    expect(row).toMatchObject({ translationLosses: [loss] });
  });

  it("is in a comment before the end of a stream, and in its record", async () => {
    fixture.upstream.answer(answerOf(frames));
    const response = await post(format, { stream: true });
    expect(response.headers.get("attune-translation-loss")).toBeNull();
    const text = await response.text();
    expect(text.split("\n\n").filter((frame) => frame.startsWith(":"))).toEqual([`: attune-translation-loss: ${loss}`]);
    const { row } = await readWhenWritten(fixture.service.store, idOf(text));
    expect(row).toMatchObject({ translationLosses: [loss] });
  });

  it("does not trouble the official client's stream", async () => {
    fixture.upstream.answer(answerOf(frames));
    expect(await STREAMED[format](bodyOf(format, model) as never)).toBe("It rains.");
  });

  it("does not refuse a strict request, which loses nothing itself", async () => {
    fixture.upstream.answer(answerOf(frames));
    expect((await post(format, {}, { "attune-strict": "true" })).status).toBe(200);
  });
});

describe("losses of answers", () => {
  it("are counted", async () => {
    const text = await (await fetch(`${fixture.service.adminUrl}/metrics`)).text();
    expect(text).toContain('{format="chat",upstream_kind="openai-responses",member="web_search_call"}');
    expect(text).toContain('{format="responses",upstream_kind="anthropic-messages",member="citations"}');
  });

  it("are none over RPC, whose form holds all of it", async () => {
    const transport = createConnectTransport({ baseUrl: fixture.service.url, httpVersion: "1.1" });
    const messages = [{ role: Role.USER, content: [{ kind: { case: "text" as const, value: { text: "x" } } }] }];
    fixture.upstream.answer(answerOf(SEARCHED));
    const { content, serving, finished } = await createClient(InferenceService, transport).generate(
      { input: { model: MODEL.responses, messages } },
      { headers: { authorization: `Bearer ${fixture.service.key}` } },
    );
    expect(content.map(({ kind }) => kind.case)).toEqual(["opaque", "text"]);
    expect([serving?.translationLosses, finished?.translationLosses]).toEqual([[], []]);
  });

  it("of a request are told over RPC, whole and in a stream", async () => {
    const transport = createConnectTransport({ baseUrl: fixture.service.url, httpVersion: "1.1" });
    const client = createClient(InferenceService, transport);
    const messages = [{ role: Role.USER, content: [{ kind: { case: "text" as const, value: { text: "x" } } }] }];
    const request = { input: { model: MODEL.responses, messages, stopSequences: ["END"] } };
    const options = { headers: { authorization: `Bearer ${fixture.service.key}` } };
    fixture.script("responses", "text");
    const { serving } = await client.generate(request, options);
    expect(serving?.translationLosses).toEqual(["stop_sequences"]);
    const streamed: string[][] = [];
    for await (const { events } of client.streamGenerate(request, options)) {
      for (const { event } of events) {
        if (event.case === "started") streamed.push(event.value.serving?.translationLosses ?? []);
      }
    }
    expect(streamed).toEqual([["stop_sequences"]]);
  });

  it("of arguments that are no object leave the text in the record", async () => {
    const chunk = (delta: object, finish: string | null = null): string =>
      `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    const broken = { index: 0, id: "call_1", type: "function", function: { name: "f", arguments: '{"city": Oslo}' } };
    const frames = [chunk({ tool_calls: [broken] }), chunk({}, "tool_calls"), "data: [DONE]\n\n"];
    fixture.upstream.answer(answerOf(frames));
    const response = await post("messages", { model: MODEL.chat });
    expect(response.headers.get("attune-translation-loss")).toBe("answer.content[0].input");
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ content: [{ type: "tool_use", input: {} }] });
    const { content } = await readWhenWritten(fixture.service.store, idOf(text));
    expect(content?.output.content[0]?.kind.value).toMatchObject({ arguments: '{"city": Oslo}' });
  });
});

describe("headers that went out with a sign of life", () => {
  it.each(FORMATS)("are completed by comments once somebody answers, in %s", async (format) => {
    fixture.upstream.answer({ steps: [{ waitMs: 300 }, ...FRAMES.chat.text] });
    const members = format === "responses" ? { truncation: "auto" } : {};
    const response = await post(format, { model: MODEL.chat, stream: true, ...members });
    expect(response.headers.get("attune-served-by")).toBeNull();
    const comments = (await response.text()).split("\n\n").filter((frame) => frame.startsWith(": attune-"));
    expect(comments).toEqual([
      expect.stringMatching(/^: attune-inference-id: [0-9a-f-]{36}$/),
      ": attune-served-by: chat",
      ": attune-optimizations: none",
      ": attune-deviation: none",
      ...(format === "responses" ? [": attune-translation-loss: truncation"] : []),
    ]);
    fixture.upstream.answer({ steps: [{ waitMs: 300 }, ...FRAMES.chat.text] });
    const said = await STREAMED[format]({ ...bodyOf(format, MODEL.chat), ...members } as never);
    expect(said).toBe('Grüße 🌍 — "ok"\n');
  });
});

const SCHEMA = {
  type: "object",
  properties: { city: { type: "string" }, degrees: { type: "integer" } },
  required: ["city", "degrees"],
  additionalProperties: false,
};
const named = { name: "weather", description: "The weather", schema: SCHEMA, strict: true };
const STRUCTURED: Record<Format, object> = {
  chat: { response_format: { type: "json_schema", json_schema: named } },
  responses: { text: { format: { type: "json_schema", ...named } } },
  messages: { output_config: { format: { type: "json_schema", schema: SCHEMA } } },
};

describe.each(FORMATS)("structured output in %s", (format) => {
  it.each(FORMATS)("is nothing that a strict request is refused for, at a %s upstream", async (kind) => {
    fixture.script(kind, "json");
    const strict = { "attune-strict": "true" };
    const response = await post(format, { model: MODEL[kind], ...STRUCTURED[format] }, strict);
    expect(response.status).toBe(200);
    expect(response.headers.get("attune-translation-loss")).toBeNull();
    expect(JSON.stringify(fixture.lastBody())).toContain('"required":["city","degrees"]');
  });
});
