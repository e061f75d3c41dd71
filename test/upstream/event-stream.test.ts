import { describe, expect, it } from "vitest";
import { Dialect } from "../../gen/attune/content/v1/content_pb.ts";
import { createEventDecoder } from "../../src/formats/chat/answer/decode-events.ts";
import { EventStream } from "../../src/upstream/event-stream.ts";
import type { HttpAnswer } from "../../src/upstream/http.ts";

const limits = { eventBytes: 1 << 24, eventValues: 250_000, answerBytes: 1 << 26 };
const facts = { upstreamRequestId: "", upstreamHeaders: {} };

function streamOf(...reads: string[]): EventStream {
  return answerOf({}, reads);
}

function answerOf(headers: HttpAnswer["headers"], reads: string[], streamed = true): EventStream {
  const answer: HttpAnswer = {
    status: 200,
    headers,
    read: async () => {
      const text = reads.shift();
      return text === undefined ? undefined : [Buffer.from(text)];
    },
    cancel: () => {},
    drain: () => {},
  };
  return new EventStream(createEventDecoder(Dialect.CHAT), answer, { facts, limits, streamed });
}

const delta = (members: object): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: members, finish_reason: null }] })}\n\n`;

describe("EventStream", () => {
  it.each([
    ["a stream that says it is JSON", "application/json", true],
    ["one in place of a whole answer", "application/json", false],
    ["one that says nothing, in its place", "text/plain", false],
  ])("reads %s as it comes", async (_name, type, streamed) => {
    const stream = answerOf({ "content-type": type }, [": hello\n\n", delta({ content: "a" })], streamed);
    await stream.read();
    const cases = (await stream.read())?.events.map(({ event }) => event.case);
    expect(cases).toEqual(["started", "blockStart", "blockDelta"]);
  });

  it("hands on what one read brings in parts, and lets others have their turn between them", async () => {
    const stream = streamOf(delta({ content: "a" }).repeat(10_000));
    const lengths: number[] = [];
    let turns = 0;
    const count = (): void => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    for (let run = 0; run < 3; run++) {
      const before = turns;
      lengths.push((await stream.read())?.events.length ?? 0);
      if (run > 0) expect(turns).toBeGreaterThan(before);
    }
    clearImmediate(next);
    // The start of the answer and of its block, and every delta.
    expect(lengths).toEqual([4096, 4096, 10_002 - 2 * 4096]);
  });

  it("fails on a message that stands for more than 50,000 events, before it has made them", async () => {
    const entries = Array.from({ length: 60_000 }, () => ({ type: "reasoning.encrypted", data: "d" }));
    const batch = await streamOf(delta({ reasoning_details: entries })).read();
    expect(batch?.events).toEqual([]);
    expect(batch?.failure?.message).toBe("one message of the upstream contains more than 50000 pieces of an answer");
  });

  it("fails on an answer with more members of its own than can be kept, and hands on what came before", async () => {
    const texts = Array.from({ length: 5001 }, (_none, position) => delta({ content: "a", [`m${position}`]: 1 }));
    const stream = streamOf(texts.join(""));
    let failure: string | undefined;
    let events = 0;
    while (failure === undefined) {
      const batch = await stream.read();
      events += batch?.events.length ?? 0;
      failure = batch?.failure?.message;
    }
    expect(failure).toBe("the upstream's answer has more than 5000 members of its own");
    expect(events).toBe(5002);
  });
});
