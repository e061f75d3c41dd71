import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "../support/scripted-upstream.ts";
import { callSdk, FORMATS } from "../support/sdk-calls.ts";
import { failure, thrownBy } from "../support/sdk-failures.ts";
import { answerOf, MODEL, type SdkFixture, startSdkFixture } from "../support/sdk-fixture.ts";
import { FRAMES, UPSTREAM_KINDS, type UpstreamKind } from "../support/upstream-frames.ts";

let fixture: SdkFixture;
/** For upstreams that hang: no others are to be held to a short time. */
let hasty: SdkFixture;

beforeAll(async () => {
  fixture = await startSdkFixture();
  hasty = await startSdkFixture({
    change: (yaml) => yaml.replaceAll('secret" }', 'secret", timeouts: { firstByteMs: 400, idleMs: 400 } }'),
  });
});

afterAll(() => Promise.all([fixture.close(), hasty.close()]));

describe.each(FORMATS)("the SDK of %s, where the upstream answers", (format) => {
  const model = MODEL[format];

  it("names the place that the upstream named", async () => {
    const wrong = { status: 400, type: "invalid_request_error", message: "out of bounds" };
    fixture.upstream.answer(failure("chat", { ...wrong, param: "temperature" }));
    const thrown = await thrownBy(callSdk(fixture, { format, model: MODEL.chat }));
    expect(thrown.status).toBe(400);
    expect(thrown.param).toBe(format === "messages" ? undefined : "temperature");
  });

  it.each([
    ["a page where a stream was asked for", { headers: { "content-type": "text/html" }, steps: ["<html>"] }, 502],
    [
      "a whole answer where a stream was asked for",
      { headers: { "content-type": "application/json" }, steps: ["{}"] },
      502,
    ],
    ["nothing, and hangs", { steps: [], hang: true }, 504],
    ["nothing, and closes the connection", { steps: ["die"] }, 502],
    ["an empty stream", { steps: [] }, 502],
    ["what is not its format", { steps: ["data: nonsense\n\n"] }, 502],
  ] satisfies [string, Answer, number][])("%s", async (_what, answer, status) => {
    const asked = "hang" in answer ? hasty : fixture;
    asked.upstream.answer(answer);
    for (const stream of [false, true]) {
      const thrown = await thrownBy(callSdk(asked, { format, model, stream }));
      expect([stream, thrown.status]).toEqual([stream, status]);
    }
  });

  it("hangs in the middle of a stream", async () => {
    hasty.upstream.answer({ steps: FRAMES[format].text.slice(0, 5), hang: true });
    const streamed = await thrownBy(callSdk(hasty, { format, model, stream: true }));
    expect(streamed.message).toContain("sent nothing more for 400 ms");
    expect(streamed.status).toBeUndefined();
    const whole = await thrownBy(callSdk(hasty, { format, model }));
    expect(whole.status).toBe(504);
  });
});

describe.each(FORMATS)("the SDK of %s never takes a part for the whole", (format) => {
  /** Frames after which an answer is complete whatever follows. */
  const complete: Record<UpstreamKind, number> = {
    chat: FRAMES.chat.text.length - 2,
    responses: FRAMES.responses.text.length,
    messages: FRAMES.messages.text.length - 1,
  };

  it.each(UPSTREAM_KINDS)("of a %s upstream that ends its stream anywhere", async (kind) => {
    const frames = FRAMES[kind].text;
    const outcomes: string[] = [];
    for (let count = 0; count <= frames.length; count++) {
      fixture.upstream.answer(answerOf(frames.slice(0, count)));
      for (const stream of [false, true]) {
        const outcome = await callSdk(fixture, { format, model: MODEL[kind], stream }).then(
          () => "whole",
          () => "thrown",
        );
        outcomes.push(`${count} ${stream} ${outcome}`);
      }
    }
    const wanted = (count: number): string => (count < complete[kind] ? "thrown" : "whole");
    const counts = Array.from({ length: frames.length + 1 }, (_none, count) => count);
    expect(outcomes).toEqual(
      counts.flatMap((count) => [`${count} false ${wanted(count)}`, `${count} true ${wanted(count)}`]),
    );
  });

  it.each(UPSTREAM_KINDS)("of a %s upstream that fails in the middle, in its own words", async (kind) => {
    const error = { type: "server_error", code: "server_error", message: "out of sorts", param: null };
    const words: Record<UpstreamKind, string> = {
      chat: `data: ${JSON.stringify({ error })}\n\n`,
      responses: `event: error\ndata: ${JSON.stringify({ type: "error", sequence_number: 9, error })}\n\n`,
      messages: `event: error\ndata: ${JSON.stringify({ type: "error", error: { ...error, type: "overloaded_error" } })}\n\n`,
    };
    fixture.upstream.answer(answerOf([...FRAMES[kind].text.slice(0, 4), words[kind]]));
    const thrown = await thrownBy(callSdk(fixture, { format, model: MODEL[kind], stream: true }));
    expect(thrown.message).toContain("out of sorts");
  });
});
