import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SdkFixture, startSdkFixture } from "../support/sdk-fixture.ts";
import { FRAMES, UPSTREAM_HEADERS, UPSTREAM_KINDS, type UpstreamKind } from "../support/upstream-frames.ts";

let fixture: SdkFixture;

beforeAll(async () => {
  fixture = await startSdkFixture();
});

afterAll(() => fixture.close());

const OPENAI = {
  "x-ratelimit-limit-requests": "60",
  "x-ratelimit-remaining-tokens": "149984",
  "x-ratelimit-reset-tokens": "6m0s",
  "openai-processing-ms": "1234",
};
const ANTHROPIC = {
  "anthropic-ratelimit-requests-limit": "1000",
  "anthropic-ratelimit-input-tokens-remaining": "49000",
  "anthropic-ratelimit-tokens-reset": "2026-11-21T12:00:00Z",
};
const OTHER = { "set-cookie": "a=b", "openai-organization": "org-secret", server: "cloud" };

const FORMATS = [
  { path: "/v1/chat/completions", kinds: ["chat", "responses"], own: OPENAI, list: "messages" },
  { path: "/v1/responses", kinds: ["chat", "responses"], own: OPENAI, list: "input" },
  { path: "/v1/messages", kinds: ["messages"], own: ANTHROPIC, list: "messages" },
] as const;
const MODELS: Record<UpstreamKind, string> = {
  chat: "attune/chatty",
  responses: "attune/responder",
  messages: "attune/messenger",
};
const HEADERS: Record<UpstreamKind, Record<string, string>> = { chat: OPENAI, responses: OPENAI, messages: ANTHROPIC };

describe.each(FORMATS)("an upstream's headers at $path", ({ path, kinds, own, list }) => {
  const post = (kind: UpstreamKind, stream: boolean) =>
    fetch(fixture.service.url + path, {
      method: "POST",
      headers: fixture.service.headers,
      body: JSON.stringify({
        model: MODELS[kind],
        max_tokens: 50,
        stream,
        [list]: [{ role: "user", content: "x" }],
      }),
    });

  /** The headers that tell of limits and work, whoever they are from. */
  const toldOf = async (response: Response) => {
    await response.text();
    const names = /^(x-ratelimit|anthropic-ratelimit|openai-|set-cookie|server)/;
    return Object.fromEntries([...response.headers].filter(([name]) => names.test(name)));
  };

  const isOwn = (kind: UpstreamKind): boolean => (kinds as readonly UpstreamKind[]).includes(kind);

  it.each(UPSTREAM_KINDS.flatMap((kind) => [[kind, false] as const, [kind, true] as const]))(
    "reach the caller from an upstream of the kind %s if it is of the format, streaming: %s",
    async (kind, stream) => {
      const headers = { ...UPSTREAM_HEADERS, ...HEADERS[kind], ...OTHER };
      fixture.upstream.answer({ headers, steps: FRAMES[kind].text });
      const response = await post(kind, stream);
      expect(response.status).toBe(200);
      expect(await toldOf(response)).toEqual(isOwn(kind) ? own : {});
    },
  );

  it.each(UPSTREAM_KINDS)("reach the caller with an error of the kind %s", async (kind) => {
    const headers = { "content-type": "application/json", ...HEADERS[kind], ...OTHER, "x-should-retry": "false" };
    fixture.upstream.answer({ status: 429, headers, steps: ['{"error":{"type":"rate_limit_error","message":"no"}}'] });
    const response = await post(kind, false);
    expect(response.status).toBe(429);
    expect(response.headers.get("x-should-retry")).toBe("false");
    expect(await toldOf(response)).toEqual(isOwn(kind) ? own : {});
  });

  it("say in their own name whether to try again", async () => {
    const headers = { "content-type": "application/json", "x-should-retry": "true" };
    fixture.upstream.answer({ status: 400, headers, steps: ['{"error":{"message":"no"}}'] });
    const response = await post(kinds[0], false);
    expect(response.status).toBe(400);
    expect(response.headers.get("x-should-retry")).toBe("true");
  });
});
