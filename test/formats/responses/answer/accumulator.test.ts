import { create } from "@bufbuild/protobuf";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { ToolKind, UsageSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import { FinishReason, type GenerateEvent } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../../../src/hub/error.ts";
import { blockDeltaEvent, blockStartEvent } from "../../../../src/hub/events.ts";
import { answer, codec, ID, request, respond, started, summary, text } from "./answer.ts";

/** OpenAI's own client, which gets `body` for every request, cut into pieces of a few bytes. */
function clientOf(body: string): OpenAI {
  const bytes = new TextEncoder().encode(body);
  const stream = () =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 97) controller.enqueue(bytes.slice(at, at + 97));
        controller.close();
      },
    });
  const fetch = async () => new Response(stream(), { headers: { "content-type": "text/event-stream" } });
  return new OpenAI({ apiKey: "sk-test", baseURL: "http://attune.test/v1", maxRetries: 0, fetch });
}

function encode(events: readonly GenerateEvent[]): string {
  return codec.createEventEncoder(request).encode(events);
}

const everything = answer(
  [
    [
      { kind: { case: "thinking", value: { id: "rs_a" } }, itemId: "rs_a" },
      summary(0, "First "),
      summary(0, "🙂"),
      summary(1, "Second"),
      { case: "thinking", value: "Raw" },
      { case: "opaque", value: "gAAA==" },
    ],
    [{ kind: { case: "redactedThinking", value: { data: "EqQB" } } }],
    [{ kind: { case: "text", value: {} } }, text("Let me "), text("see. 🙂")],
    [{ kind: { case: "refusal", value: {} } }, text("Not that.")],
    [
      { kind: { case: "toolUse", value: { id: "call_1", name: "weather", kind: ToolKind.FUNCTION } } },
      { case: "arguments", value: '{"city":' },
      { case: "arguments", value: '"Bern"}' },
    ],
    [{ kind: { case: "toolUse", value: { id: "call_2", name: "time", kind: ToolKind.FUNCTION } } }],
    [
      { kind: { case: "toolUse", value: { id: "call_3", name: "shell", kind: ToolKind.CUSTOM } } },
      { case: "arguments", value: "ls\n" },
    ],
  ],
  {
    reason: FinishReason.TOOL_USE,
    usage: create(UsageSchema, { inputTokens: 9, outputTokens: 8, reasoningTokens: 2 }),
  },
);

describe("OpenAI's accumulator", () => {
  it("takes text, refusal, reasoning and parallel calls, and ends with the whole answer", async () => {
    const stream = clientOf(encode(everything)).responses.stream({ model: "attune/m", input: "Hello" });
    const { output_text, output, ...rest } = await stream.finalResponse();
    const whole = respond(everything);
    expect(output_text).toBe("Let me see. 🙂");
    // The client adds what it parses of calls and texts to the items.
    expect(output).toMatchObject(whole.output as object[]);
    expect({ ...rest, output: whole.output }).toMatchObject(whole);
  });

  it("sees the identifier in the first event, and the texts grow", async () => {
    const stream = clientOf(encode(everything)).responses.stream({ model: "attune/m", input: "Hello" });
    let first: unknown;
    const snapshots: string[] = [];
    stream.on("response.created", (event) => {
      first = event.response.id;
    });
    stream.on("response.output_text.delta", (event) => snapshots.push(event.snapshot));
    await stream.done();
    expect(first).toBe(ID);
    expect(snapshots).toEqual(["Let me ", "Let me see. 🙂"]);
  });

  it("takes an answer that was cut", async () => {
    const events = answer([[{ kind: { case: "text", value: {} } }, text("Hal")]], { reason: FinishReason.LENGTH });
    const stream = clientOf(encode(events)).responses.stream({ model: "attune/m", input: "Hello" });
    expect(await stream.finalResponse()).toMatchObject({ status: "incomplete", output_text: "Hal" });
  });

  const failing = (): string => {
    const encoder = codec.createEventEncoder(request);
    const begun = [
      started(),
      blockStartEvent(0, { kind: { case: "text", value: {} } }),
      blockDeltaEvent(0, text("Hal")),
    ];
    return (
      encoder.encode(begun) + encoder.fail(new InferenceError(ErrorReason.UPSTREAM_OVERLOADED, "too busy"), "req-1")
    );
  };

  it("throws when the stream fails", async () => {
    const stream = clientOf(failing()).responses.stream({ model: "attune/m", input: "Hello" });
    await expect(stream.finalResponse()).rejects.toThrow("too busy");
  });

  it("throws in a plain stream, too", async () => {
    const events = await clientOf(failing()).responses.create({ model: "attune/m", input: "Hello", stream: true });
    const seen: string[] = [];
    const reading = async () => {
      for await (const event of events) seen.push(event.type);
    };
    await expect(reading()).rejects.toMatchObject({ code: "server_is_overloaded", message: "too busy" });
    expect(seen).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
    ]);
  });
});
