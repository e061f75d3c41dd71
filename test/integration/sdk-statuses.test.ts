import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bodyOf, callSdk, FORMATS, type Format } from "../support/sdk-calls.ts";
import { failure, thrownBy, typeOf } from "../support/sdk-failures.ts";
import { MODEL, type SdkFixture, startSdkFixture, UUID } from "../support/sdk-fixture.ts";
import { FRAMES, UPSTREAM_HEADERS, UPSTREAM_KINDS, UPSTREAM_REQUEST_ID } from "../support/upstream-frames.ts";

let fixture: SdkFixture;

beforeAll(async () => {
  fixture = await startSdkFixture();
});

afterAll(() => fixture.close());

/**
 * What goes wrong, in the words of OpenAI and of Anthropic; the types by which callers are told; whether to try again.
 */
const FAILURES: readonly {
  readonly name: string;
  readonly openai: readonly [status: number, type: string, code: string | null];
  readonly anthropic: readonly [status: number, type: string];
  readonly types: Record<Format, string>;
  readonly retried: boolean;
  /** Words and status of the caller's error, where they are not the upstream's. */
  readonly told?: readonly [words: string, status?: number];
  /** Status of the caller's error in OpenAI's formats, whatever the upstream's. */
  readonly openaiStatus?: number;
}[] = [
  {
    name: "a rate limit",
    openai: [429, "requests", "rate_limit_exceeded"],
    anthropic: [429, "rate_limit_error"],
    types: { chat: "rate_limit_error", responses: "rate_limit_error", messages: "rate_limit_error" },
    retried: true,
  },
  {
    name: "a quota that is used up",
    openai: [429, "insufficient_quota", "insufficient_quota"],
    anthropic: [402, "billing_error"],
    types: { chat: "insufficient_quota", responses: "insufficient_quota", messages: "billing_error" },
    retried: false,
    told: ["this service's own account at the upstream is used up: "],
  },
  {
    name: "overload",
    openai: [503, "service_unavailable_error", "server_is_overloaded"],
    anthropic: [529, "overloaded_error"],
    types: {
      chat: "service_unavailable_error",
      responses: "service_unavailable_error",
      messages: "overloaded_error",
    },
    retried: true,
    // At 529 Codex asks 30 times, at this one 5.
    openaiStatus: 503,
  },
  {
    name: "a failure of the upstream itself",
    openai: [500, "server_error", null],
    anthropic: [500, "api_error"],
    types: { chat: "server_error", responses: "server_error", messages: "api_error" },
    retried: true,
  },
  {
    name: "a refusal of this service's own key",
    openai: [401, "invalid_request_error", "invalid_api_key"],
    anthropic: [401, "authentication_error"],
    types: { chat: "server_error", responses: "server_error", messages: "api_error" },
    retried: false,
    told: ["refused this service's own credentials", 502],
  },
  {
    name: "a request that is wrong",
    openai: [400, "invalid_request_error", "invalid_value"],
    anthropic: [400, "invalid_request_error"],
    types: { chat: "invalid_request_error", responses: "invalid_request_error", messages: "invalid_request_error" },
    retried: false,
  },
];

const ROUTES = FORMATS.flatMap((format) => UPSTREAM_KINDS.map((kind) => ({ format, kind })));

describe.each(ROUTES)("the SDK of $format, served by a $kind upstream", ({ format, kind }) => {
  const model = MODEL[kind];
  const modes = [false, true].flatMap((stream) => FAILURES.map((what) => ({ ...what, stream })));

  it.each(modes)("is told of $name in its own terms, streamed: $stream", async (what) => {
    const [status, type, code] = kind === "messages" ? [...what.anthropic, null] : what.openai;
    fixture.upstream.answer(failure(kind, { status, type, code, message: "the upstream's own words" }));
    const before = fixture.upstream.received.length;
    const client = { maxRetries: 2 };
    const thrown = await thrownBy(callSdk(fixture, { format, model, stream: what.stream, client }));
    const mapped = format === "messages" ? status : (what.openaiStatus ?? status);
    const [words, toldStatus = mapped] = what.told ?? ["the upstream's own words"];
    expect([thrown.status, typeOf(format, thrown)]).toEqual([toldStatus, what.types[format]]);
    expect(thrown.message).toContain(words);
    expect(fixture.upstream.received.length - before).toBe(what.retried ? 3 : 1);
    expect(Object.fromEntries(thrown.headers ?? [])).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "x-should-retry": String(what.retried),
      "retry-after": "1",
      "retry-after-ms": "5",
      "attune-served-by": kind,
      "attune-upstream-request-id": UPSTREAM_REQUEST_ID,
      "x-request-id": expect.stringMatching(UUID),
      "request-id": expect.stringMatching(UUID),
    });
  });

  it("throws from its accumulator where the upstream dies in the middle, after what it had said", async () => {
    const begun = FRAMES[kind].text.slice(0, kind === "chat" ? 2 : kind === "messages" ? 4 : 5);
    fixture.upstream.answer({ headers: UPSTREAM_HEADERS, steps: [...begun, { waitMs: 30 }, "die"] });
    const said: string[] = [];
    const thrown = await thrownBy(accumulate(format, model, said));
    expect(thrown.message).toContain("the upstream interrupted its answer");
    expect(said.join("")).toBe("Grüße 🌍");
  });
});

/** Reads a whole stream by the helper that each SDK has for it; the texts go to `said`. */
async function accumulate(format: Format, model: string, said: string[]): Promise<unknown> {
  const body = bodyOf(format, model) as never;
  if (format === "messages") {
    const stream = fixture.anthropic().messages.stream(body);
    return stream.on("text", (text) => said.push(text)).finalMessage();
  }
  const openai = fixture.openai();
  if (format === "chat") {
    const stream = openai.chat.completions.stream(body);
    return stream.on("content", (text) => said.push(text)).finalChatCompletion();
  }
  const stream = openai.responses.stream(body);
  return stream.on("response.output_text.delta", ({ delta }) => said.push(delta)).finalResponse();
}
