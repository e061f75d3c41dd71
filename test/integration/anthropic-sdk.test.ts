import type Anthropic from "@anthropic-ai/sdk";
import { jsonSchemaOutputFormat } from "@anthropic-ai/sdk/helpers/json-schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MODEL, type SdkFixture, sendFeedback, startSdkFixture, UUID } from "../support/sdk-fixture.ts";
import {
  CALLS,
  CUT_TEXT,
  FRAMES,
  REFUSAL,
  SIGNATURE,
  TEXT,
  THOUGHT,
  UPSTREAM_KINDS,
  UPSTREAM_REQUEST_ID,
  type UpstreamKind,
} from "../support/upstream-frames.ts";
import { citySchema, LOOP, messages, STRUCTURED, system, THOUGHT_BACK, tools } from "./upstream-requests/messages.ts";

let fixture: SdkFixture;
let client: Anthropic;

beforeAll(async () => {
  fixture = await startSdkFixture();
  client = fixture.anthropic();
});

afterAll(() => fixture.close());

const toolUses = CALLS.map(({ id, name, arguments: text }) => ({
  type: "tool_use",
  id,
  name,
  input: JSON.parse(text) as object,
  caller: { type: "direct" },
}));
const sealedSignature = /^att1\..+\..+\.EqQBCgIYAhIkMTIz\+\/abc==$/;

/** Tokens as this format counts them; only an upstream of this format says for how long it keeps what it wrote. */
function usageOf(kind: UpstreamKind): object {
  return {
    input_tokens: 20,
    cache_creation_input_tokens: 10,
    cache_read_input_tokens: 90,
    output_tokens: 15,
    output_tokens_details: { thinking_tokens: 4 },
    cache_creation: kind === "messages" ? { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 0 } : null,
  };
}

/** The same without what only the first event of a stream can tell. */
function streamedUsageOf(kind: UpstreamKind): object {
  const usage: Record<string, unknown> = { ...usageOf(kind) };
  delete usage["cache_creation"];
  return usage;
}

describe.each(UPSTREAM_KINDS)("messages of the Anthropic SDK, served by a %s upstream", (kind) => {
  const model = MODEL[kind];
  const body = { model, max_tokens: 1024, messages };

  it("answers whole, with headers that say who served it", async () => {
    fixture.script(kind, "text");
    const { data, response, request_id } = await client.messages.create({ ...body, system }).withResponse();
    expect(data).toMatchObject({
      id: expect.stringMatching(UUID),
      type: "message",
      role: "assistant",
      model,
      content: [{ type: "text", text: TEXT }],
      stop_reason: "end_turn",
      stop_sequence: null,
      stop_details: null,
      container: null,
      usage: usageOf(kind),
    });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "attune-served-by": kind,
      "attune-optimizations": "none",
      "attune-deviation": "none",
      "attune-upstream-request-id": UPSTREAM_REQUEST_ID,
      "request-id": expect.stringMatching(UUID),
    });
    expect(request_id).toMatch(UUID);
    expect(response.headers.has("attune-translation-loss")).toBe(false);
    expect(await sendFeedback(fixture.service, data.id)).toBeNull();
  });

  it("streams the same in the documented order, with the id at the top of the first event", async () => {
    fixture.script(kind, "text");
    const events: Anthropic.RawMessageStreamEvent[] = [];
    for await (const event of await client.messages.create({ ...body, stream: true })) {
      if (event.type === "message_start") {
        expect(await sendFeedback(fixture.service, event.message.id)).toBeNull();
      }
      events.push(event);
    }
    expect(events.map(({ type }) => type)).toEqual([
      "message_start",
      "content_block_start",
      "content_block_delta",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
    const [start] = events;
    const id = start?.type === "message_start" ? start.message.id : "";
    expect(start).toMatchObject({ id, message: { id: expect.stringMatching(UUID), model, content: [] } });
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: "end_turn" }, usage: streamedUsageOf(kind) });
  });

  it.each([
    ["text", [{ type: "text", text: TEXT }], "end_turn"],
    ["length", [{ type: "text", text: CUT_TEXT }], "max_tokens"],
    ["calls", toolUses, "tool_use"],
    ["refusal", [{ type: "text", text: REFUSAL }], "refusal"],
  ] as const)("accumulates a stream to the same %s as the whole answer", async (scenario, content, stopReason) => {
    fixture.script(kind, scenario);
    const whole = await client.messages.create({ ...body, tools });
    const streamed = await client.messages.stream({ ...body, tools }).finalMessage();
    expect(whole).toMatchObject({ content, stop_reason: stopReason, usage: usageOf(kind) });
    expect(streamed).toMatchObject({ content, stop_reason: stopReason, usage: streamedUsageOf(kind) });
    expect(streamed.stop_details).toEqual(whole.stop_details);
  });

  it("goes through a whole loop of tools with parallel calls", async () => {
    fixture.script(kind, "calls", "text");
    const asked = await client.messages.create({ ...body, system, tools });
    const results: Anthropic.ContentBlockParam[] = CALLS.map(({ id, arguments: text }) => ({
      type: "tool_result",
      tool_use_id: id,
      content: `fine in ${text}`,
    }));
    const history: Anthropic.MessageParam[] = [
      ...messages,
      { role: "assistant", content: asked.content },
      { role: "user", content: [...results, { type: "text", text: "So?" }] },
    ];
    // In strict mode, since nothing of this is lost anywhere.
    const strict = fixture.anthropic({ headers: { "attune-strict": "true" } });
    const final = await strict.messages.create({ ...body, messages: history, system, tools });
    expect(final.content).toMatchObject([{ type: "text", text: TEXT }]);
    expect(fixture.lastBody()).toMatchObject(LOOP[kind]);
  });

  it("parses structured output, and asks the upstream for it in its own spelling", async () => {
    fixture.script(kind, "json");
    const asked = { ...body, output_config: { format: jsonSchemaOutputFormat(citySchema) } };
    const parsed = await client.messages.parse(asked);
    expect(parsed.parsed_output).toEqual({ city: "Oslo", degrees: 4 });
    expect(fixture.lastBody()).toMatchObject(STRUCTURED[kind]);
    const streamed = await client.messages.stream(asked).finalMessage();
    expect(streamed.parsed_output).toEqual({ city: "Oslo", degrees: 4 });
  });

  it("shows thinking, seals its signature, and gives it back byte for byte", async () => {
    fixture.script(kind, "thinking");
    const asked = { ...body, thinking: { type: "adaptive" as const } };
    const whole = await client.messages.create(asked);
    const streamed = await client.messages.stream(asked).finalMessage();
    for (const { content } of [whole, streamed] as Anthropic.Message[]) {
      expect(content).toMatchObject([
        { type: "thinking", thinking: THOUGHT, signature: expect.stringMatching(sealedSignature) },
        { type: "text", text: TEXT },
      ]);
    }
    const history: Anthropic.MessageParam[] = [
      ...messages,
      { role: "assistant", content: streamed.content },
      { role: "user", content: "And?" },
    ];
    const { response } = await client.messages.create({ ...body, messages: history }).withResponse();
    expect(response.headers.get("attune-translation-loss")).toBeNull();
    expect(fixture.lastBody()).toMatchObject(THOUGHT_BACK[kind]);
    expect(JSON.stringify(fixture.lastBody())).not.toContain("att1.");
  });
});

describe("messages.stream() of the Anthropic SDK", () => {
  it("throws where the upstream dies in the middle, after what it had said", async () => {
    fixture.upstream.answer({ steps: [...FRAMES.messages.text.slice(0, 4), { waitMs: 30 }, "die"] });
    const stream = client.messages.stream({ model: MODEL.messages, max_tokens: 16, messages });
    const said: string[] = [];
    stream.on("text", (text) => said.push(text));
    await expect(stream.finalMessage()).rejects.toThrow("the upstream interrupted its answer");
    expect(said).toEqual(["Grüße 🌍"]);
  });

  it("leaves out sealed thinking of another upstream, and names it", async () => {
    fixture.script("messages", "thinking");
    const { content } = await client.messages.create({ model: MODEL.messages, max_tokens: 16, messages });
    fixture.script("responses", "text");
    const history: Anthropic.MessageParam[] = [...messages, { role: "assistant", content }, ...messages];
    const moved = { model: MODEL.responses, max_tokens: 16, messages: history };
    const { response } = await client.messages.create(moved).withResponse();
    expect(response.headers.get("attune-translation-loss")).toBe("messages[1].content[0]");
    expect(JSON.stringify(fixture.lastBody())).not.toContain(SIGNATURE);
    expect(JSON.stringify(fixture.lastBody())).not.toContain(THOUGHT);
  });

  it("answers 400 for a signature that was damaged", async () => {
    fixture.script("messages", "thinking");
    const { content } = await client.messages.create({ model: MODEL.messages, max_tokens: 16, messages });
    const damaged = content.map((block) =>
      block.type === "thinking" ? { ...block, signature: block.signature.replace("abc==", "abd==") } : block,
    );
    const count = fixture.upstream.received.length;
    const history: Anthropic.MessageParam[] = [...messages, { role: "assistant", content: damaged }, ...messages];
    const failing = client.messages.create({ model: MODEL.messages, max_tokens: 16, messages: history });
    await expect(failing).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("messages[1].content[0]"),
    });
    expect(fixture.upstream.received.length).toBe(count);
  });
});
