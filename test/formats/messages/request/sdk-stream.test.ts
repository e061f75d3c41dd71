import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import { createEventEncoder } from "../../../../src/formats/messages/answer/encode-events.ts";
import { encodeResponse } from "../../../../src/formats/messages/answer/encode-response.ts";
import { ErrorReason, InferenceError } from "../../../../src/hub/error.ts";
import { createHubInput } from "../../../../src/hub/input.ts";
import { fold, toolAnswer } from "./answer.ts";

const REQUEST = { model: "attune/m", max_tokens: 64, messages: [{ role: "user" as const, content: "Weather?" }] };

/** The official client, answered with these bytes, a few at a time. */
function clientOf(text: string, contentType: string): Anthropic {
  const bytes = new TextEncoder().encode(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) =>
    bytes.subarray(index * 7, index * 7 + 7),
  );
  const body = () => ReadableStream.from(pieces) as ReadableStream<Uint8Array>;
  const fetch = async () => new Response(body(), { headers: { "content-type": contentType, "request-id": "req_1" } });
  return new Anthropic({ apiKey: "test", fetch, maxRetries: 0 });
}

describe("createEventEncoder()", () => {
  it("satisfies the accumulator of the official client, which ends with the unary answer", async () => {
    const encoder = createEventEncoder({ input: createHubInput() });
    const text =
      encoder.heartbeat() +
      toolAnswer()
        .map((event) => encoder.encode([event]))
        .join(encoder.heartbeat());
    const seen: string[] = [];
    const stream = clientOf(text, "text/event-stream").messages.stream(REQUEST);
    stream.on("text", (piece) => seen.push(piece));
    // The client adds parsed_output itself.
    const { parsed_output, ...streamed } = await stream.finalMessage();
    expect(parsed_output).toBeNull();
    expect(seen.join("")).toBe('I look "both" up 🌦.\n');
    const unary = await clientOf(encodeResponse(fold(toolAnswer())), "application/json").messages.create(REQUEST);
    expect(JSON.parse(JSON.stringify(streamed))).toEqual(JSON.parse(JSON.stringify(unary)));
    expect(streamed.content.map(({ type }) => type)).toEqual(["thinking", "text", "tool_use", "tool_use"]);
  });

  it("makes the official client throw when the stream fails", async () => {
    const encoder = createEventEncoder({ input: createHubInput() });
    const begun = encoder.encode(toolAnswer().slice(0, 8));
    const failed = begun + encoder.fail(new InferenceError(ErrorReason.RATE_LIMITED, "too many tokens"), "req-1");
    const stream = clientOf(failed, "text/event-stream").messages.stream(REQUEST);
    await expect(stream.finalMessage()).rejects.toMatchObject({
      type: "rate_limit_error",
      error: { type: "error", error: { type: "rate_limit_error", message: "too many tokens" }, request_id: "req-1" },
    });
  });
});
