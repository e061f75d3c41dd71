import type OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerOf, MODEL, type SdkFixture, startSdkFixture } from "../support/sdk-fixture.ts";
import {
  type Item,
  messageItem,
  responsesFrames,
  SCENARIOS,
  TEXT,
  UPSTREAM_KINDS,
} from "../support/upstream-frames.ts";

let fixture: SdkFixture;

beforeAll(async () => {
  fixture = await startSdkFixture();
});

afterAll(() => fixture.close());

const fetchText = async (path: string, init: RequestInit = {}): Promise<string> => {
  const { url, headers } = fixture.service;
  const response = await fetch(url + path, { ...init, headers });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  return await response.text();
};
const createStream = (model: string, members: object = {}): Promise<string> =>
  fetchText("/v1/responses", {
    method: "POST",
    body: JSON.stringify({ model, input: "Hello", stream: true, ...members }),
  });
/** The events of a stream: comments are none. */
const eventsOf = (stream: string): string[] => stream.split("\n\n").filter((frame) => frame !== "" && frame[0] !== ":");
const idOf = (stream: string): string => /"id":"([^"]+)"/.exec(stream)?.[1] ?? "";

/** Items with what only this format knows: citations, log probabilities, and a search with events of its own. */
const at = { item_id: "msg_up", content_index: 0 };
const citation = { type: "url_citation", start_index: 0, end_index: 2, url: "https://example.com", title: "Oslo" };
const logprobs = [{ token: "It", logprob: -0.1, top_logprobs: [] }];
const search = { id: "ws_1", type: "web_search_call", action: { type: "search", query: "Oslo" } };
const CITED: readonly Item[] = [
  {
    added: { ...search, status: "in_progress" },
    events: [
      ["response.web_search_call.searching", { item_id: "ws_1" }],
      ["response.web_search_call.completed", { item_id: "ws_1" }],
    ],
    done: { ...search, status: "completed" },
  },
  {
    added: { id: "msg_up", type: "message", role: "assistant", status: "in_progress", content: [] },
    events: [
      [
        "response.content_part.added",
        { ...at, part: { type: "output_text", text: "", annotations: [], logprobs: [] } },
      ],
      ["response.output_text.delta", { ...at, delta: "It", logprobs }],
      ["response.output_text.annotation.added", { ...at, annotation_index: 0, annotation: citation }],
      ["response.output_text.delta", { ...at, delta: " rains", logprobs: [] }],
      ["response.output_text.done", { ...at, text: "It rains", logprobs }],
      [
        "response.content_part.done",
        { ...at, part: { type: "output_text", text: "It rains", annotations: [citation], logprobs } },
      ],
    ],
    done: {
      id: "msg_up",
      type: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "It rains", annotations: [citation], logprobs }],
    },
  },
  messageItem("msg_up2", ["", "Take", " an umbrella"]),
];

describe.each(UPSTREAM_KINDS)("GET /v1/responses/{id}?stream=true, served by a %s upstream", (kind) => {
  it.each(SCENARIOS)("gives the same events again: %s", async (scenario) => {
    fixture.script(kind, scenario);
    const original = await createStream(MODEL[kind], { metadata: { a: "1" } });
    const id = idOf(original);
    // From the queue, and from the database.
    expect(eventsOf(await fetchText(`/v1/responses/${id}?stream=true`))).toEqual(eventsOf(original));
    await fixture.service.flush();
    expect(eventsOf(await fetchText(`/v1/responses/${id}?stream=true`))).toEqual(eventsOf(original));
  });

  it("goes on after any event, for the SDK", async () => {
    fixture.script(kind, "thinking");
    const client = fixture.openai();
    const stream = await client.responses.create({ model: MODEL[kind], input: "Hello", stream: true });
    const events: OpenAI.Responses.ResponseStreamEvent[] = await Array.fromAsync(stream);
    const [first] = events;
    const id = first?.type === "response.created" ? first.response.id : "";
    for (const starting_after of [0, 3, events.length - 2, events.length - 1]) {
      const rest = await Array.fromAsync(await client.responses.retrieve(id, { stream: true, starting_after }));
      expect(rest).toEqual(events.slice(starting_after + 1));
    }
    const whole = client.responses.stream({ response_id: id });
    expect(await whole.finalResponse()).toMatchObject({ id, output_text: TEXT });
  });

  it("gives the events of an answer that came whole", async () => {
    fixture.script(kind, "text");
    const client = fixture.openai();
    const { id, output } = await client.responses.create({ model: MODEL[kind], input: "Hello" });
    const events = await Array.fromAsync(await client.responses.retrieve(id, { stream: true }));
    expect(events.map(({ type }) => type)).toEqual([
      ...["response.created", "response.in_progress", "response.output_item.added", "response.content_part.added"],
      ...["response.output_text.delta", "response.output_text.done", "response.content_part.done"],
      ...["response.output_item.done", "response.completed"],
    ]);
    expect(events.map((event) => event.sequence_number)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(events[4]).toMatchObject({ delta: TEXT });
    expect(events.at(-1)).toMatchObject({ response: { id, output } });
  });
});

describe("GET /v1/responses/{id}?stream=true", () => {
  it("gives citations, log probabilities and events that only this format knows in their places", async () => {
    fixture.upstream.answer(answerOf(responsesFrames(CITED)));
    const original = await createStream(MODEL.responses);
    expect(original).toContain("response.web_search_call.searching");
    expect(original).toContain("response.output_text.annotation.added");
    const again = await fetchText(`/v1/responses/${idOf(original)}?stream=true`);
    expect(eventsOf(again)).toEqual(eventsOf(original));
  });

  it("refuses what is no place in a stream, and what is not stored", async () => {
    fixture.script("chat", "text", "text");
    const client = fixture.openai();
    const { id } = await client.responses.create({ model: MODEL.chat, input: "Hello" });
    const get = async (path: string) => {
      const { url, headers } = fixture.service;
      const response = await fetch(`${url}/v1/responses/${path}`, { headers });
      return [response.status, JSON.parse(await response.text())?.error?.param];
    };
    expect(await get(`${id}?stream=true&starting_after=-1`)).toEqual([400, "starting_after"]);
    expect(await get(`${id}?stream=true&starting_after=x`)).toEqual([400, "starting_after"]);
    expect(await get(`${id}?starting_after=1`)).toEqual([200, undefined]);
    expect(await get(`${id}?stream=maybe`)).toEqual([400, "stream"]);
    const hidden = await client.responses.create({ model: MODEL.chat, input: "Hello", store: false });
    expect(await get(`${hidden.id}?stream=true`)).toEqual([404, null]);
  });
});

describe("POST /v1/responses/{id}/cancel", () => {
  it("says of a response that was not made in the background that it cannot be cancelled", async () => {
    fixture.script("chat", "text");
    const client = fixture.openai();
    const { id } = await client.responses.create({ model: MODEL.chat, input: "Hello" });
    await expect(client.responses.cancel(id)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("not made in the background"),
    });
    await expect(client.responses.cancel("0199b1c5-0000-7000-8000-000000000000")).rejects.toMatchObject({
      status: 404,
    });
  });
});
