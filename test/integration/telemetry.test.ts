import { once } from "node:events";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { Role } from "../../gen/attune/content/v1/content_pb.ts";
import { InferenceService } from "../../gen/attune/inference/v1/inference_pb.ts";
import { type OtlpReceiver, startOtlpReceiver } from "../support/otlp/receiver.ts";
import { readWhenWritten } from "../support/read-when-written.ts";
import { type ScriptedUpstream, startScriptedUpstream, wholeAnswer } from "../support/scripted-upstream.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { FRAMES, UPSTREAM_HEADERS } from "../support/upstream-frames.ts";
import { WHOLES } from "../support/upstream-wholes.ts";
import { waitFor } from "../support/wait.ts";

const SECRET_TEXT = "nobody may read this";

let collector: OtlpReceiver;
let upstream: ScriptedUpstream;
let service: TestService;

const yaml = (url: string, collectorUrl: string): string => `
telemetry:
  endpoint: ${collectorUrl}
  headers: { authorization: Bearer collector-secret }
  resourceAttributes: { deployment.environment.name: test }
  traces: { propagate: true }
routing: { failoverShare: 1 }
upstreams:
  first: { kind: openai-chat, baseUrl: "${url}/first/v1" }
  second: { kind: anthropic-messages, baseUrl: "${url}/second" }
models:
  - name: some-model
    family: messages
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
      name: "POST /v1/chat/completions",
      kind: 2,
      parentSpanId: "",
      status: 0,
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
      name: "chat first-model",
      kind: 3,
      parentSpanId: request?.spanId,
      status: 2,
      events: [],
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
      name: "chat second-model",
      kind: 3,
      parentSpanId: request?.spanId,
      status: 0,
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
        "gen_ai.usage.cache_write.input_tokens": 10,
        "gen_ai.response.id": row.id,
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

  it("is told to its upstreams, each the span of its call", () => {
    const [first, second] = collector.spans.filter(({ kind }) => kind === 3);
    expect(upstream.received.map(({ headers }) => headers["traceparent"])).toEqual([
      `00-${first?.traceId}-${first?.spanId}-03`,
      `00-${second?.traceId}-${second?.spanId}-03`,
    ]);
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
      ...place,
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "first-model",
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
      "http.request.method": "POST",
      "http.route": "/v1/chat/completions",
      "url.scheme": "http",
      "http.response.status_code": 200,
    });
    expect(http?.resource["service.instance.id"]).toBe(collector.spans[0]?.resource["service.instance.id"]);
  });
});

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";
const TRACED = { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: "vendor=1" };

/** Returns the spans of the request of an id, the first that began first. */
async function spansOf(requestId: string, count: number) {
  await service.flush();
  return collector.waitForTrace("attune.request.id", requestId, count);
}

describe("a request of a caller who traces", () => {
  const messages = [{ role: "user", content: "x" }];
  const model = "attune/some-model";

  beforeAll(() => {
    upstream.answerBy((path) =>
      path.startsWith("/first/") ? wholeAnswer(WHOLES.chat.text) : wholeAnswer(WHOLES.messages.text),
    );
  });

  it.each([
    ["/v1/chat/completions", { model, messages }],
    ["/v1/responses", { model, input: "x" }],
    ["/v1/messages", { model, messages, max_tokens: 10 }],
  ])("belongs to its trace: %s", async (path, body) => {
    const id = `traced${path.replaceAll("/", "-")}`;
    const headers = { ...service.headers, ...TRACED, "x-request-id": id };
    const response = await fetch(service.url + path, { method: "POST", headers, body: JSON.stringify(body) });
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
    await service.flush();
    const request = collector.spans.find(({ attributes }) => attributes["attune.request.id"] === id);
    expect(request).toMatchObject({
      traceId: TRACE,
      parentSpanId: PARENT,
      traceState: "vendor=1",
      name: `POST ${path}`,
    });
    expect(upstream.received.at(-1)?.headers).toMatchObject({
      traceparent: expect.stringMatching(`^00-${TRACE}-(?!${PARENT})`),
      tracestate: "vendor=1",
    });
  });

  it.each([
    ["Connect", createConnectTransport, "connectrpc"],
    ["gRPC", createGrpcTransport, "grpc"],
    ["gRPC-Web", createGrpcWebTransport, "grpc"],
  ])("belongs to its trace over %s", async (name, createTransport, system) => {
    const transport = createTransport({ baseUrl: service.url, httpVersion: "2" });
    const client = createClient(InferenceService, transport);
    const headers = { authorization: `Bearer ${service.key}`, ...TRACED, "x-request-id": `traced-${name}` };
    const text = { kind: { case: "text" as const, value: { text: "x" } } };
    await client.generate({ input: { model, messages: [{ role: Role.USER, content: [text] }] } }, { headers });
    await service.flush();
    const request = collector.spans.find(({ attributes }) => attributes["attune.request.id"] === `traced-${name}`);
    expect(request).toMatchObject({
      traceId: TRACE,
      parentSpanId: PARENT,
      name: "attune.inference.v1.InferenceService/Generate",
      attributes: { "rpc.system.name": system, "rpc.method": "attune.inference.v1.InferenceService/Generate" },
    });
  });

  it("belongs to its trace with each turn of a WebSocket connection", async () => {
    upstream.answerBy((path) => ({ steps: path.startsWith("/first/") ? FRAMES.chat.text : FRAMES.messages.text }));
    const headers = { authorization: `Bearer ${service.key}`, ...TRACED, "x-request-id": "traced-socket" };
    const socket = new WebSocket(`${service.url.replace("http", "ws")}/v1/responses`, { headers });
    await once(socket, "open");
    const frames: string[] = [];
    socket.on("message", (data) => frames.push(String(data)));
    for (let turn = 0; turn < 2; turn++) socket.send(JSON.stringify({ type: "response.create", model, input: "x" }));
    await waitFor(() => expect(frames.filter((frame) => frame.includes('"response.completed"'))).toHaveLength(2));
    socket.close();
    const spans = await waitFor(async () => {
      await service.flush();
      const found = collector.spans.filter(({ attributes }) => attributes["attune.request.id"] === "traced-socket");
      expect(found).toHaveLength(2);
      return found;
    });
    for (const span of spans) {
      expect(span).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, name: "WebSocket /v1/responses" });
    }
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(2);
  });

  it("has a span for its end in the background, within its own", async () => {
    upstream.answerBy((path) => wholeAnswer(path.startsWith("/first/") ? WHOLES.chat.text : WHOLES.messages.text));
    const headers = { ...service.headers, "x-request-id": "traced-background" };
    const body = JSON.stringify({ model, input: "x", background: true });
    await (await fetch(`${service.url}/v1/responses`, { method: "POST", headers, body })).text();
    const spans = await waitFor(async () => {
      await service.flush();
      const found = collector.spans.filter(({ attributes }) => attributes["attune.request.id"] === "traced-background");
      expect(found).toHaveLength(2);
      return found;
    });
    const request = spans.find(({ kind }) => kind === 2);
    const background = spans.find(({ kind }) => kind === 1);
    expect(background).toMatchObject({ name: "background POST /v1/responses", parentSpanId: request?.spanId });
    const attempt = collector.spans.find(({ parentSpanId }) => parentSpanId === background?.spanId);
    expect(attempt).toMatchObject({ kind: 3, traceId: request?.traceId });
  });
});

describe("a request that is refused", () => {
  it("has a span without an error", async () => {
    const headers = { "content-type": "application/json", "x-request-id": "refused-1" };
    const response = await fetch(`${service.url}/v1/messages`, { method: "POST", headers, body: "{}" });
    expect(response.status).toBe(401);
    const [request] = await spansOf("refused-1", 1);
    expect(request).toMatchObject({
      status: 0,
      name: "POST /v1/messages",
      attributes: { "attune.outcome": "refused", "attune.reason": "unauthenticated", "http.response.status_code": 401 },
    });
  });
});

describe("feedback on an inference", () => {
  it("is an event of its own request's span, which is linked to the inference's", async () => {
    const [inference] = collector.spans.filter(({ name }) => name === "POST /v1/chat/completions");
    const id = String(inference?.attributes["attune.inference.id"]);
    const headers = { ...service.headers, "x-request-id": "feedback-1" };
    const feedback = { helpful: true, quality: 0.8, note: SECRET_TEXT };
    const body = JSON.stringify([{ id, feedback }]);
    const response = await fetch(`${service.url}/v1/feedback`, { method: "POST", headers, body });
    expect(response.status).toBe(200);
    const [request] = await spansOf("feedback-1", 1);
    expect(request?.links).toEqual([{ traceId: inference?.traceId, spanId: inference?.spanId }]);
    const event = (members: object) => ({
      name: "gen_ai.evaluation.result",
      nanos: expect.any(BigInt),
      attributes: { "gen_ai.response.id": id, ...members },
    });
    expect(request?.events).toEqual([
      event({
        "gen_ai.evaluation.name": "helpful",
        "gen_ai.evaluation.score.value": 1,
        "gen_ai.evaluation.score.label": "true",
      }),
      event({ "gen_ai.evaluation.name": "quality", "gen_ai.evaluation.score.value": 0.8 }),
      event({ "gen_ai.evaluation.name": "note" }),
    ]);
  });
});
