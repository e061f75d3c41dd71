import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OtlpReceiver, startOtlpReceiver } from "../support/otlp/receiver.ts";
import { readWhenWritten } from "../support/read-when-written.ts";
import { type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { FRAMES, UPSTREAM_HEADERS } from "../support/upstream-frames.ts";

const SECRET_TEXT = "nobody may read this";

let collector: OtlpReceiver;
let upstream: ScriptedUpstream;
let service: TestService;

const yaml = (url: string, collectorUrl: string): string => `
telemetry:
  endpoint: ${collectorUrl}
  headers: { authorization: Bearer collector-secret }
  resourceAttributes: { deployment.environment.name: test }
routing: { failoverShare: 1 }
upstreams:
  first: { kind: openai-chat, baseUrl: "${url}/first/v1" }
  second: { kind: anthropic-messages, baseUrl: "${url}/second" }
models:
  - name: some-model
    family: chat
    purpose: tests
    contextWindow: 200000
    maxOutputTokens: 64000
    minCacheableTokens: 1024
    price: { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 }
    deployments: [ { upstream: first, model: first-model }, { upstream: second, model: second-model } ]
`;

beforeAll(async () => {
  [collector, upstream] = await Promise.all([startOtlpReceiver(), startScriptedUpstream()]);
  upstream.answerBy((path) =>
    path.startsWith("/first/")
      ? { status: 503, steps: ['{"error":{"message":"overloaded"}}'] }
      : { headers: UPSTREAM_HEADERS, steps: FRAMES.messages.calls },
  );
  service = await startTestService({ yaml: yaml(upstream.url, collector.url) });
});

afterAll(async () => {
  await service.close();
  await Promise.all([collector.close(), upstream.close()]);
});

describe("the trace of a streamed tool call that failed over", () => {
  it("has its attempts within its request, with tokens and cost as in the record", async () => {
    const response = await fetch(`${service.url}/v1/chat/completions`, {
      method: "POST",
      headers: { ...service.headers, "x-request-id": "traced-1", "attune-session": "session-7" },
      body: JSON.stringify({
        model: "attune/some-model",
        stream: true,
        messages: [{ role: "user", content: SECRET_TEXT }],
        tools: [{ type: "function", function: { name: "get_weather", parameters: { type: "object" } } }],
      }),
    });
    expect(response.status).toBe(200);
    await response.text();
    await service.flush();
    const [request, first, second, ...others] = await collector.waitForTrace("attune.request.id", "traced-1", 3);
    expect(others).toEqual([]);
    const { row } = await readWhenWritten(service.store, String(request?.attributes["attune.inference.id"]));
    expect(request).toMatchObject({
      ...{ name: "POST /v1/chat/completions", kind: 2, parentSpanId: "", status: 0 },
      attributes: {
        "http.request.method": "POST",
        "http.route": "/v1/chat/completions",
        "http.response.status_code": 200,
        "gen_ai.conversation.id": "session-7",
        "attune.outcome": "completed",
        "attune.attempts": 2,
        "attune.losses": 0,
        "attune.cost.nano_usd": row.costNanos,
      },
      resource: { "service.name": "attune", "deployment.environment.name": "test" },
    });
    expect(request?.resource["service.instance.id"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(first).toMatchObject({
      ...{ name: "chat first-model", kind: 3, parentSpanId: request?.spanId, status: 2, events: [] },
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "first-model",
        "server.address": "127.0.0.1",
        "server.port": Number(new URL(upstream.url).port),
        "error.type": "upstream_overloaded",
        "http.response.status_code": 503,
        "attune.attempt.role": "primary",
        "attune.attempt.outcome": "failed",
      },
    });
    // 20 uncached, 90 read from a cache and 10 written to it.
    const usage = { "gen_ai.usage.input_tokens": 120, "gen_ai.usage.output_tokens": 15 };
    expect(second).toMatchObject({
      ...{ name: "chat second-model", kind: 3, parentSpanId: request?.spanId, status: 0 },
      events: [{ name: "first token" }],
      attributes: {
        "gen_ai.provider.name": "anthropic",
        "gen_ai.request.stream": true,
        "gen_ai.request.model": "second-model",
        "gen_ai.response.finish_reasons": ["tool_use"],
        "gen_ai.response.time_to_first_chunk": expect.any(Number),
        ...usage,
        "gen_ai.usage.cache_read.input_tokens": 90,
        "gen_ai.usage.cache_creation.input_tokens": 10,
        "gen_ai.conversation.id": "session-7",
        "attune.attempt.role": "failover",
        "attune.attempt.chosen": true,
        "attune.cost.nano_usd": row.costNanos,
      },
    });
    expect(row).toMatchObject({ inputTokens: 20, cacheReadTokens: 90, cacheWriteTokens: 10, outputTokens: 15 });
    const [atStart, atEnd] = [first?.startNanos ?? 0n, second?.endNanos ?? 0n];
    expect(atStart).toBeGreaterThanOrEqual(request?.startNanos ?? 0n);
    expect(first?.endNanos).toBeLessThanOrEqual(second?.startNanos ?? 0n);
    expect(atEnd).toBeLessThanOrEqual(request?.endNanos ?? 0n);
  });

  it("has no content and no secret, and is exported with the configured headers", () => {
    const text = JSON.stringify(collector.spans, (_, value) => (typeof value === "bigint" ? String(value) : value));
    expect(text).not.toContain(SECRET_TEXT);
    expect(text).not.toContain(service.key);
    expect(text).not.toContain("collector-secret");
    const [{ path, headers } = { path: "", headers: {} }] = collector.requests;
    expect(path).toBe("/v1/traces");
    expect(headers).toMatchObject({
      authorization: "Bearer collector-secret",
      "content-type": "application/x-protobuf",
    });
  });
});

describe("the metrics of that call", () => {
  it("are those of the conventions, from the same record", async () => {
    await service.flush();
    const seriesOf = (name: string) => collector.series.filter((series) => series.name === name);
    const place = { "gen_ai.operation.name": "chat", "server.address": "127.0.0.1", "server.port": expect.any(Number) };
    const [failed, completed, ...others] = seriesOf("gen_ai.client.operation.duration");
    expect(others).toEqual([]);
    expect(failed).toMatchObject({ unit: "s", count: 1 });
    expect(failed?.attributes).toEqual({
      ...{ ...place, "gen_ai.provider.name": "openai", "gen_ai.request.model": "first-model" },
      "error.type": "upstream_overloaded",
    });
    const answered = { ...place, "gen_ai.provider.name": "anthropic", "gen_ai.request.model": "second-model" };
    expect(completed?.attributes).toEqual(answered);
    expect(completed?.counts.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(completed?.counts).toHaveLength((completed?.bounds.length ?? 0) + 1);
    expect(seriesOf("gen_ai.client.token.usage")).toMatchObject([
      { unit: "{token}", sum: 120, attributes: { ...answered, "gen_ai.token.type": "input" } },
      { unit: "{token}", sum: 15, attributes: { ...answered, "gen_ai.token.type": "output" } },
    ]);
    expect(seriesOf("gen_ai.client.operation.time_to_first_chunk")).toMatchObject([{ count: 1, attributes: answered }]);
    const asked = {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "attune",
      "gen_ai.request.model": "some-model",
    };
    for (const name of ["gen_ai.server.request.duration", "gen_ai.server.time_to_first_token"]) {
      expect(seriesOf(name)).toMatchObject([{ unit: "s", count: 1, attributes: asked }]);
    }
    const [http] = seriesOf("http.server.request.duration");
    expect(http?.attributes).toEqual({
      ...{ "http.request.method": "POST", "http.route": "/v1/chat/completions", "url.scheme": "http" },
      "http.response.status_code": 200,
    });
    expect(http?.resource["service.instance.id"]).toBe(collector.spans[0]?.resource["service.instance.id"]);
  });
});
