import { describe, expect, it } from "vitest";
import { bodyOf, callSdk, FORMATS, type Format, PATH } from "../../support/sdk-calls.ts";
import { failure, thrownBy } from "../../support/sdk-failures.ts";
import { MODEL } from "../../support/sdk-fixture.ts";
import type { UpstreamKind } from "../../support/upstream-frames.ts";
import { SANDBOX, useHardCases } from "./hard-case.ts";

const cases = useHardCases();

interface Sent {
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

async function send(format: Format, { body, headers = {} }: Sent) {
  const response = await fetch(cases().service.url + PATH[format], {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: body ?? JSON.stringify(bodyOf(format, SANDBOX)),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as unknown };
}

/** What an error of a status looks like in a format. */
function envelope(format: Format, openai: object, anthropicType: string): object {
  const error = { message: expect.any(String) };
  if (format !== "messages") return { error: { ...error, ...openai } };
  return { type: "error", error: { ...error, type: anthropicType }, request_id: expect.any(String) };
}

describe.each(FORMATS)("keys at %s", (format) => {
  const other = "sk-attune-another-key-0123456789abcdef";

  it("case 10: are taken from authorization, from x-api-key, and from both if they are equal", async () => {
    const { key } = cases().service;
    const ways = [
      { authorization: `Bearer ${key}` },
      { "x-api-key": key },
      { authorization: `Bearer ${key}`, "x-api-key": key },
    ];
    for (const headers of ways)
      expect((await send(format, { headers: headers as Record<string, string> })).status).toBe(200);
  });

  it("case 10: are refused in the format's own words if there is none, or two that differ; none is repeated", async () => {
    const { key } = cases().service;
    const ways: Record<string, string>[] = [
      {},
      { authorization: `Bearer ${key}`, "x-api-key": other },
      { "x-api-key": other },
    ];
    for (const headers of ways) {
      const { status, body, text } = await send(format, { headers });
      expect(status).toBe(401);
      const openai = { type: "invalid_request_error", code: "invalid_api_key" };
      expect(body).toEqual(envelope(format, { ...openai, param: null }, "authentication_error"));
      expect(text).not.toContain(key);
      expect(text).not.toContain(other);
    }
  });
});

describe("versions of the Messages API", () => {
  it.each<[string, object, Record<string, string>, number]>([
    ["temperature in 2026-10-21", { temperature: 0.5 }, { "anthropic-version": "2026-10-21" }, 400],
    ["top_k in 2026-10-21", { top_k: 5 }, { "anthropic-version": "2026-10-21" }, 400],
    ["nothing of the kind in 2026-10-21", {}, { "anthropic-version": "2026-10-21" }, 200],
    ["temperature in 2023-06-01", { temperature: 0.5 }, { "anthropic-version": "2023-06-01" }, 200],
    ["temperature without a version", { temperature: 0.5 }, {}, 200],
    ["an unknown version", {}, { "anthropic-version": "2022-01-01" }, 400],
    ["an unknown beta", {}, { "anthropic-beta": "nobody-knows-2030-01-01" }, 200],
  ])("case 24: %s", async (_what, members, headers, status) => {
    const answer = await cases().post("messages", members, headers);
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.json()).toMatchObject({ error: { type: "invalid_request_error" } });
  });
});

describe.each(FORMATS)("requests at %s that are wrong", (format) => {
  const auth = () => ({ authorization: `Bearer ${cases().service.key}` });

  it.each([false, true])("case 25: an unknown model is a 404 in JSON, with stream: %s", async (stream) => {
    const answer = await cases().post(format, { model: "attune/nothing", stream });
    expect(answer.status).toBe(404);
    expect(answer.headers.get("content-type")).toContain("application/json");
    const openai = { type: "invalid_request_error", code: "model_not_found", param: "model" };
    expect(answer.json()).toEqual(envelope(format, openai, "not_found_error"));
  });

  it.each<[string, Sent, number]>([
    ["malformed JSON", { body: '{"model": }' }, 400],
    ["an array", { body: "[]" }, 400],
    ["10,000 levels", { body: `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}` }, 400],
    ["a body that is compressed", { headers: { "content-encoding": "gzip" } }, 400],
    ["another content type", { headers: { "content-type": "text/plain" } }, 415],
    ["33 MB", { body: Buffer.alloc(33 * 2 ** 20, 0x20) }, 413],
  ])("case 26: %s are refused in the format's own words", async (_what, sent, status) => {
    const answer = await send(format, { ...sent, headers: { ...auth(), ...sent.headers } });
    expect(answer.status).toBe(status);
    const type = status === 413 ? "request_too_large" : "invalid_request_error";
    expect(answer.body).toMatchObject(envelope(format, { type: expect.any(String) }, type));
    expect((await send(format, { headers: auth() })).status).toBe(200);
  });
});

describe.each(FORMATS)("an upstream that is overloaded, asked in %s", (format) => {
  const FAILURES: readonly (readonly [status: number, kind: UpstreamKind, type: string, attempts: number])[] = [
    [429, "chat", "rate_limit_error", 3],
    [503, "responses", "service_unavailable_error", 3],
    [529, "messages", "overloaded_error", 3],
    [400, "chat", "invalid_request_error", 1],
  ];

  it.each(FAILURES)(
    "case 27: status %d of a %s upstream is told on, and tried again only where it helps",
    async (status, kind, type, attempts) => {
      cases().upstream.answer(failure(kind, { status, type, message: "not now" }));
      const before = cases().upstream.received.length;
      const thrown = await thrownBy(callSdk(cases(), { format, model: MODEL[kind], client: { maxRetries: 2 } }));
      // OpenAI's formats have no 529, at which Codex asks 30 times.
      expect(thrown.status).toBe(status === 529 && format !== "messages" ? 503 : status);
      expect(thrown.headers?.get("x-should-retry")).toBe(attempts === 1 ? "false" : "true");
      expect(thrown.headers?.get("retry-after-ms")).toBe("5");
      expect(cases().upstream.received.length - before).toBe(attempts);
    },
  );
});
