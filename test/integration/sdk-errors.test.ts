import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "../support/scripted-upstream.ts";
import { callSdk, FORMATS, type Format } from "../support/sdk-calls.ts";
import { failure, thrownBy, typeOf } from "../support/sdk-failures.ts";
import { answerOf, MODEL, type SdkFixture, startSdkFixture, UUID } from "../support/sdk-fixture.ts";
import { FRAMES, UPSTREAM_KINDS, UPSTREAM_REQUEST_ID, type UpstreamKind } from "../support/upstream-frames.ts";

let fixture: SdkFixture;

beforeAll(async () => {
  fixture = await startSdkFixture({
    change: (yaml) => yaml.replaceAll('secret" }', 'secret", timeouts: { firstByteMs: 150, idleMs: 150 } }'),
  });
});

afterAll(() => fixture.close());

/** What goes wrong upstream, in the words of OpenAI and of Anthropic, and what the caller gets. */
const FAILURES: readonly {
  readonly name: string;
  readonly openai: readonly [status: number, type: string, code: string | null];
  readonly anthropic: readonly [status: number, type: string];
  readonly expected: Record<Format, readonly [status: number, type: string]>;
  /** Requests that reach the upstream from a client that would try three times. */
  readonly requests: number;
}[] = [
  {
    name: "a rate limit",
    openai: [429, "requests", "rate_limit_exceeded"],
    anthropic: [429, "rate_limit_error"],
    expected: {
      chat: [429, "rate_limit_error"],
      responses: [429, "rate_limit_error"],
      messages: [429, "rate_limit_error"],
    },
    requests: 3,
  },
  {
    name: "a quota that is used up",
    openai: [429, "insufficient_quota", "insufficient_quota"],
    anthropic: [402, "billing_error"],
    expected: {
      chat: [429, "insufficient_quota"],
      responses: [429, "insufficient_quota"],
      messages: [402, "billing_error"],
    },
    requests: 1,
  },
  {
    name: "overload",
    openai: [503, "service_unavailable_error", "server_is_overloaded"],
    anthropic: [529, "overloaded_error"],
    expected: {
      chat: [503, "service_unavailable_error"],
      responses: [503, "service_unavailable_error"],
      messages: [529, "overloaded_error"],
    },
    requests: 3,
  },
  {
    name: "a failure of the upstream itself",
    openai: [500, "server_error", null],
    anthropic: [500, "api_error"],
    expected: { chat: [500, "server_error"], responses: [500, "server_error"], messages: [500, "api_error"] },
    requests: 3,
  },
  {
    name: "a refusal of this service's own key",
    openai: [401, "invalid_request_error", "invalid_api_key"],
    anthropic: [401, "authentication_error"],
    expected: { chat: [502, "server_error"], responses: [502, "server_error"], messages: [502, "api_error"] },
    requests: 1,
  },
  {
    name: "a request that is wrong",
    openai: [400, "invalid_request_error", "invalid_value"],
    anthropic: [400, "invalid_request_error"],
    expected: {
      chat: [400, "invalid_request_error"],
      responses: [400, "invalid_request_error"],
      messages: [400, "invalid_request_error"],
    },
    requests: 1,
  },
];

describe.each(FORMATS)("the SDK of %s, where the upstream answers", (format) => {
  const model = MODEL[format];
  const modes = [false, true].flatMap((stream) => FAILURES.map((what) => ({ ...what, stream })));

  it.each(modes)("$name, streamed: $stream", async ({ openai, anthropic, expected, requests, stream }) => {
    const [status, type, code] = format === "messages" ? [...anthropic, null] : openai;
    fixture.upstream.answer(failure(format, { status, type, code, message: "the upstream's own words" }));
    const before = fixture.upstream.received.length;
    const call = callSdk(fixture, { format, model, stream, client: { maxRetries: 2 } });
    const thrown = await thrownBy(call);
    const isOwnKey = status === 401;
    expect([thrown.status, typeOf(format, thrown)]).toEqual(expected[format]);
    expect(thrown.message).toContain(isOwnKey ? "refused this service's own credentials" : "the upstream's own words");
    expect(fixture.upstream.received.length - before).toBe(requests);
    expect(Object.fromEntries(thrown.headers ?? [])).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "x-should-retry": String(requests > 1),
      "retry-after": "1",
      "retry-after-ms": "5",
      "attune-served-by": format,
      "attune-upstream-request-id": UPSTREAM_REQUEST_ID,
      "x-request-id": expect.stringMatching(UUID),
      "request-id": expect.stringMatching(UUID),
    });
  });

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
    fixture.upstream.answer(answer);
    for (const stream of [false, true]) {
      const thrown = await thrownBy(callSdk(fixture, { format, model, stream }));
      expect([stream, thrown.status]).toEqual([stream, status]);
    }
  });

  it("hangs in the middle of a stream", async () => {
    fixture.upstream.answer({ steps: FRAMES[format].text.slice(0, 5), hang: true });
    const streamed = await thrownBy(callSdk(fixture, { format, model, stream: true }));
    expect(streamed.message).toContain("sent nothing more for 150 ms");
    expect(streamed.status).toBeUndefined();
    const whole = await thrownBy(callSdk(fixture, { format, model }));
    expect(whole.status).toBe(504);
  });
});

describe.each(FORMATS)("the SDK of %s never takes a part for the whole", (format) => {
  /** Frames after which an answer is complete whatever follows. */
  const complete: Record<UpstreamKind, number> = {
    chat: FRAMES.chat.text.length - 2,
    responses: FRAMES.responses.text.length,
    messages: FRAMES.messages.text.length,
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
