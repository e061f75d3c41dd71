import type OpenAI from "openai";
import { zodTextFormat } from "openai/helpers/zod";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { MODEL, type SdkFixture, sendFeedback, startSdkFixture, UUID } from "../support/sdk-fixture.ts";
import {
  CALLS,
  CUT_TEXT,
  FRAMES,
  REFUSAL,
  TEXT,
  THOUGHT,
  UPSTREAM_KINDS,
  UPSTREAM_REQUEST_ID,
} from "../support/upstream-frames.ts";
import { input, instructions, LOOP, STRUCTURED, SUMMARY, THOUGHT_BACK, tools } from "./upstream-requests/responses.ts";

type Input = OpenAI.Responses.ResponseInputItem[];
type Event = OpenAI.Responses.ResponseStreamEvent;

let fixture: SdkFixture;
let client: OpenAI;

beforeAll(async () => {
  fixture = await startSdkFixture();
  client = fixture.openai();
});

afterAll(() => fixture.close());

const usage = {
  input_tokens: 120,
  input_tokens_details: { cached_tokens: 90, cache_write_tokens: 10 },
  output_tokens: 15,
  output_tokens_details: { reasoning_tokens: 4 },
  total_tokens: 135,
};
const textPart = (text: string) => ({ type: "output_text", text, annotations: [] });
const messageItem = (content: object[], status = "completed") => ({
  type: "message",
  role: "assistant",
  status,
  content,
});
const callItems = CALLS.map((call) => ({
  type: "function_call",
  call_id: call.id,
  name: call.name,
  arguments: call.arguments,
  status: "completed",
}));
const City = z.object({ city: z.string(), degrees: z.number() });

async function collect(stream: AsyncIterable<Event>): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

describe.each(UPSTREAM_KINDS)("responses of the openai SDK, served by a %s upstream", (kind) => {
  const model = MODEL[kind];

  it("answers whole, with headers that say who served it", async () => {
    fixture.script(kind, "text");
    const { data, response } = await client.responses.create({ model, instructions, input }).withResponse();
    expect(data).toMatchObject({
      id: expect.stringMatching(UUID),
      object: "response",
      status: "completed",
      model,
      instructions,
      error: null,
      incomplete_details: null,
      output_text: TEXT,
      output: [messageItem([textPart(TEXT)])],
      usage,
      store: true,
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

  it("streams the same in the documented order, with the id at the top of the first event", async () => {
    fixture.script(kind, "text");
    const stream = await client.responses.create({ model, input, stream: true });
    const events: Event[] = [];
    for await (const event of stream) {
      if (event.type === "response.created") {
        expect(await sendFeedback(fixture.service, event.response.id)).toBeNull();
      }
      events.push(event);
    }
    expect(events.map(({ type }) => type)).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
    ]);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_event, index) => index));
    const id = expect.stringMatching(UUID) as string;
    const [first] = events;
    expect(first).toMatchObject({ id, response: { id, status: "in_progress", output: [], usage: null } });
    const named = events.flatMap((event) => ("response" in event ? [event.response.id] : []));
    expect(new Set(named).size).toBe(1);
    expect(events.at(-1)).toMatchObject({ response: { status: "completed", usage } });
  });

  it.each([
    ["text" as const, "completed", [messageItem([textPart(TEXT)])], null],
    [
      "length" as const,
      "incomplete",
      [messageItem([textPart(CUT_TEXT)], "incomplete")],
      { reason: "max_output_tokens" },
    ],
    ["calls" as const, "completed", callItems, null],
    // Messages cuts the text off and explains why: that is the refusal.
    kind === "messages"
      ? [
          "refusal" as const,
          "incomplete",
          [messageItem([textPart(REFUSAL), { type: "refusal", refusal: "policy" }], "incomplete")],
          { reason: "content_filter" },
        ]
      : ["refusal" as const, "completed", [messageItem([{ type: "refusal", refusal: REFUSAL }])], null],
  ])("accumulates a stream to the same %s as the whole answer", async (scenario, status, output, details) => {
    fixture.script(kind, scenario);
    const whole = await client.responses.create({ model, input, tools });
    const streamed = await client.responses.stream({ model, input, tools }).finalResponse();
    for (const answer of [whole, streamed]) {
      expect(answer).toMatchObject({ status, output, incomplete_details: details, usage });
    }
    // Items that the upstream named keep its names; the others are named after the inference.
    expect(streamed.output.map(({ id }) => id?.replaceAll(/[0-9a-f]{32}/g, "ID"))).toEqual(
      whole.output.map(({ id }) => id?.replaceAll(/[0-9a-f]{32}/g, "ID")),
    );
  });

  it("goes through a whole loop of tools with parallel calls", async () => {
    fixture.script(kind, "calls", "text");
    const asked = await client.responses.create({ model, instructions, input, tools });
    const results: Input = CALLS.map(({ id, arguments: text }) => ({
      type: "function_call_output",
      call_id: id,
      output: `fine in ${text}`,
    }));
    const history: Input = [...input, ...(asked.output as Input), ...results];
    // In strict mode, since nothing of this is lost anywhere.
    const strict = fixture.openai({ headers: { "attune-strict": "true" } });
    const final = await strict.responses.create({ model, instructions, input: history, tools, store: false });
    expect(final.output_text).toBe(TEXT);
    expect(fixture.lastBody()).toMatchObject(LOOP[kind]);
  });

  it("parses structured output, and asks the upstream for it in its own spelling", async () => {
    fixture.script(kind, "json");
    const text = { format: zodTextFormat(City, "city") };
    const parsed = await client.responses.parse({ model, input, text });
    expect(parsed.output_parsed).toEqual({ city: "Oslo", degrees: 4 });
    expect(fixture.lastBody()).toMatchObject(STRUCTURED[kind]);
    const streamed = await client.responses.stream({ model, input, text }).finalResponse();
    expect(streamed.output_parsed).toEqual({ city: "Oslo", degrees: 4 });
  });

  it("shows reasoning, seals its encrypted form, and gives it back byte for byte", async () => {
    fixture.script(kind, "thinking");
    const asked = { model, input, reasoning: { effort: "high" as const } };
    const whole = await client.responses.create(asked);
    const streamed = await client.responses.stream(asked).finalResponse();
    for (const { output } of [whole, streamed]) {
      const shown = kind === "chat" ? { content: [{ type: "reasoning_text", text: THOUGHT }] } : { summary: SUMMARY };
      const encrypted_content = expect.stringMatching(/^att1\..+\..+\.EqQBCgIYAhIkMTIz\+\/abc==$/);
      expect(output).toMatchObject([{ type: "reasoning", ...shown, encrypted_content }, messageItem([textPart(TEXT)])]);
    }
    const history: Input = [...input, ...(streamed.output as Input), { role: "user", content: "And?" }];
    const again = { model, input: history, include: ["reasoning.encrypted_content" as const], store: false };
    const { response } = await client.responses.create(again).withResponse();
    expect(response.headers.get("attune-translation-loss")).toBeNull();
    expect(fixture.lastBody()).toMatchObject(THOUGHT_BACK[kind]);
    expect(JSON.stringify(fixture.lastBody())).not.toContain("att1.");
  });
});

describe("responses.create() of the openai SDK, with stream", () => {
  it("throws where the upstream dies in the middle, after what it had said", async () => {
    fixture.upstream.answer({ steps: [...FRAMES.responses.text.slice(0, 5), { waitMs: 30 }, "die"] });
    const events: Event[] = [];
    const stream = await client.responses.create({ model: MODEL.responses, input, stream: true });
    const failing = async () => {
      for await (const event of stream) events.push(event);
    };
    await expect(failing()).rejects.toThrow("the upstream interrupted its answer");
    expect(events.at(-1)).toMatchObject({ type: "response.output_text.delta", delta: "Grüße 🌍" });
  });

  it("keeps the parts of parallel calls apart", async () => {
    fixture.script("chat", "calls");
    const events = await collect(await client.responses.create({ model: MODEL.chat, input, tools, stream: true }));
    const deltas = events.flatMap((event) =>
      event.type === "response.function_call_arguments.delta" ? [[event.output_index, event.delta]] : [],
    );
    expect(deltas.map(([index]) => index).sort()).toEqual(deltas.map(([index]) => index));
    const texts = [0, 1].map((wanted) =>
      deltas.flatMap(([index, delta]) => (index === wanted ? [delta] : [])).join(""),
    );
    expect(texts).toEqual(CALLS.map((call) => call.arguments));
  });
});
