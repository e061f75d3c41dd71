/** Upstreams that stream, or do not, whatever they are asked for: the caller gets what it asked for. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { wholeAnswer } from "../support/scripted-upstream.ts";
import { chatStream, messagesStream, responsesStream } from "./expected.ts";
import { type Harness, startHarness } from "./harness.ts";
import { textFrames, textItem } from "./pieces.ts";
import { INBOUND, type Inbound, type Served, UPSTREAM_KINDS, type UpstreamKind } from "./topic.ts";
import { text } from "./topics/text.ts";

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
});

afterAll(() => harness.close());

const usageOf = (kind: UpstreamKind) =>
  kind === "openai-responses" ? { input: 9, output: 2, reasoning: 0 } : { input: 9, output: 2 };

/** The text comes in one piece, and so does all else. */
const STREAM: Readonly<Record<Inbound, (kind: UpstreamKind) => string>> = {
  chat: (kind) => chatStream(kind, ['{"content":"Hello"}'], "stop"),
  responses(kind) {
    const { item, events } = textItem({ id: kind === "openai-responses" ? "msg_1" : "msg_<hex>_0", index: 0 }, "Hello");
    return responsesStream(kind, { output: item, usage: { input: 9, output: 2 } }, events);
  },
  messages: (kind) =>
    messagesStream(
      kind,
      { stopReason: "end_turn", usage: usageOf(kind) },
      {
        startUsage: kind === "anthropic-messages" ? { input: 9, output: 2 } : { input: 0, output: 0 },
        frames: textFrames(0, "Hello"),
      },
    ),
};

function served(inbound: Inbound, kind: UpstreamKind): Served {
  const route = text.routes[inbound][kind];
  if ("refused" in route) throw new Error("every route serves a text");
  return route;
}

const routes = INBOUND.flatMap((inbound) => UPSTREAM_KINDS.map((kind) => ({ inbound, kind })));

describe("an upstream that answers otherwise than it was asked", () => {
  it.each(routes)("whole, where $inbound asked $kind for a stream", async ({ inbound, kind }) => {
    const request = { ...text.requests[inbound], stream: true };
    const answer = wholeAnswer(text.upstreamAnswers[kind].whole);
    const { status, body, upstreamReceives } = await harness.ask({ inbound, kind, request }, answer);
    expect({ status, body }).toEqual({ status: 200, body: STREAM[inbound](kind) });
    expect(upstreamReceives).toBe(served(inbound, kind).upstreamReceives);
  });

  it.each(routes)("streamed, where $inbound asked $kind for a whole answer", async ({ inbound, kind }) => {
    const answer = { steps: [text.upstreamAnswers[kind].streamed] };
    const { status, body } = await harness.ask({ inbound, kind, request: text.requests[inbound] }, answer);
    expect({ status, body }).toEqual({ status: 200, body: served(inbound, kind).answer });
  });
});
