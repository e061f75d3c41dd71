import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { GenerateEvent } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { createEventDecoder as createChatDecoder } from "../../../../src/formats/chat/answer/decode-events.ts";
import { createEventDecoder as createMessagesDecoder } from "../../../../src/formats/messages/answer/decode-events.ts";
import { withThinkTags } from "../../../../src/formats/shared/think-tags/with-think-tags.ts";
import { createOrderCheck } from "../../../../src/inference/checks/check-stream.ts";

/** What blocks say, in their order; checks the order of the events. */
function told(events: readonly GenerateEvent[]): unknown[] {
  const check = createOrderCheck();
  const blocks: { kind: string; text: string; seal?: string; tokens?: number }[] = [];
  for (const made of events) {
    check(made);
    const { event } = made;
    if (event.case === "blockStart") blocks.push({ kind: event.value.block?.kind.case ?? "", text: "" });
    const block = blocks.at(-1);
    if (event.case !== "blockDelta" || block === undefined) continue;
    const { delta, logprobs } = event.value;
    if (delta.case === "text" || delta.case === "thinking" || delta.case === "arguments") block.text += delta.value;
    if (delta.case === "opaque") block.seal = delta.value;
    if (logprobs !== undefined) block.tokens = (block.tokens ?? 0) + logprobs.tokens.length;
  }
  return blocks;
}

const SAID = "<think>\nplan</think>\n\nHello";
const token = (text: string) => ({ token: text, logprob: -1, bytes: null, top_logprobs: [] });

function chunk(delta: object, more: object = {}) {
  return { event: undefined, data: JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null, ...more }] }) };
}

function stream(pieces: readonly string[], caller: Dialect): unknown[] {
  const decoder = withThinkTags(createChatDecoder(caller), caller !== Dialect.CHAT);
  const call = { index: 0, id: "c", type: "function", function: { name: "f", arguments: "{}" } };
  const messages = [
    ...pieces.map((content) => chunk({ content }, { logprobs: { content: [token(content)] } })),
    chunk({ tool_calls: [call] }),
    chunk({}, { finish_reason: "tool_calls" }),
  ];
  return told([...messages.flatMap((message) => decoder.decode(message)), ...decoder.close()]);
}

describe("withThinkTags()", () => {
  it("tells the same over any cut, and moves the blocks behind", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: SAID.length - 1 })), (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), SAID.length];
        const pieces = places.slice(1).map((end, at) => SAID.slice(places[at], end));
        const blocks = stream(pieces, Dialect.CHAT) as { tokens?: number }[];
        expect(blocks).toMatchObject([
          { kind: "thinking", text: "plan" },
          { kind: "text", text: "Hello" },
          { kind: "toolUse", text: "{}" },
        ]);
        expect(blocks.reduce((sum, { tokens = 0 }) => sum + tokens, 0)).toBe(pieces.length);
      }),
    );
  });

  it("reads whole answers, and seals reasoning for callers of another format", () => {
    const body = JSON.stringify({ choices: [{ index: 0, message: { content: SAID }, finish_reason: "stop" }] });
    const decode = (caller: Dialect) =>
      told(withThinkTags(createChatDecoder(caller), caller !== Dialect.CHAT).decodeWhole(body));
    const text = { kind: "text", text: "Hello" };
    expect(decode(Dialect.CHAT)).toEqual([{ kind: "thinking", text: "plan" }, text]);
    expect(decode(Dialect.MESSAGES)).toEqual([{ kind: "thinking", text: "plan", seal: "" }, text]);
  });

  it("reads the Messages format alike, and texts without tags as they are", () => {
    const body = (text: string) =>
      JSON.stringify({ type: "message", content: [{ type: "text", text }], stop_reason: "end_turn", usage: {} });
    const decode = (text: string) =>
      told(withThinkTags(createMessagesDecoder(Dialect.MESSAGES), false).decodeWhole(body(text)));
    expect(decode(SAID)).toEqual([
      { kind: "thinking", text: "plan" },
      { kind: "text", text: "Hello" },
    ]);
    expect(decode("")).toEqual([{ kind: "text", text: "" }]);
    expect(decode("a <think>b</think>")).toEqual([{ kind: "text", text: "a <think>b</think>" }]);
  });

  it("tells the choices apart", () => {
    const decoder = withThinkTags(createChatDecoder(Dialect.CHAT, { choices: 2 }), false);
    const choice = (index: number) => ({ index, message: { content: SAID }, finish_reason: "stop" });
    const events = decoder.decodeWhole(JSON.stringify({ choices: [choice(0), choice(1)] }));
    const kinds = events.flatMap(({ event }) => {
      if (event.case === "blockStart") return [`0 ${event.value.block?.kind.case}`];
      if (event.case !== "choiceEvent" || event.value.event.case !== "blockStart") return [];
      return [`${event.value.choice} ${event.value.event.value.block?.kind.case}`];
    });
    expect(kinds).toEqual(["0 thinking", "0 text", "1 thinking", "1 text"]);
  });

  it("reads a first text that begins inside thinking, unless thinking came before it", () => {
    const whole = (message: object, finish_reason = "stop") =>
      JSON.stringify({ choices: [{ index: 0, message, finish_reason }] });
    const decode = (body: string) =>
      told(withThinkTags(createChatDecoder(Dialect.CHAT), false, true).decodeWhole(body));
    const hello = { kind: "text", text: "Hello" };
    expect(decode(whole({ content: "plan</think>\n\nHello" }))).toEqual([{ kind: "thinking", text: "plan" }, hello]);
    expect(decode(whole({ reasoning_content: "plan", content: "Hello" }))).toEqual([
      { kind: "thinking", text: "plan" },
      hello,
    ]);
    expect(decode(whole({ content: "pla" }, "length"))).toEqual([{ kind: "thinking", text: "pla" }]);
  });
});
