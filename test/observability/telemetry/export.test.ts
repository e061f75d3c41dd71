import { create } from "@bufbuild/protobuf";
import { status } from "@grpc/grpc-js";
import { afterEach, describe, expect, it, vi } from "vitest";
import { EmbeddingEncoding, EmbeddingOptionsSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { RequestSummary } from "../../../src/hub/request-summary.ts";
import { openTelemetry } from "../../../src/observability/telemetry/open-telemetry.ts";
import type { OtlpTarget, Telemetry } from "../../../src/observability/telemetry/telemetry.ts";
import { inferenceRecord } from "../../support/inference-record.ts";
import { startGrpcOtlpReceiver } from "../../support/otlp/grpc-receiver.ts";
import { type OtlpReceiver, startOtlpReceiver } from "../../support/otlp/receiver.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function open(receiver: OtlpReceiver, target: Partial<OtlpTarget> = {}) {
  closing.push(receiver.close);
  const protocol = target.protocol ?? "http/protobuf";
  const path = (signal: string): string => (protocol === "grpc" ? "" : `/v1/${signal}`);
  const common = { headers: { "x-tenant": "t" }, timeoutMs: 5000, compression: "none", ...target, protocol } as const;
  const warn = vi.fn();
  const telemetry = (await openTelemetry(
    {
      serviceName: "s",
      resourceAttributes: {},
      traces: { ...common, url: receiver.url + path("traces"), sampleRatio: 1, propagate: false, content: false },
      metrics: { ...common, url: receiver.url + path("metrics"), intervalMs: 60_000 },
    },
    {
      log: { warn },
      instanceId: "instance-1",
      urlScheme: "https",
      peerOf: () => ({ provider: "openai" }),
      contentOf: () => undefined,
      closeLimitMs: 200,
    },
  )) as Telemetry;
  closing.push(() => telemetry.close());
  return { telemetry, warn };
}

/** Reports a request that has ended. */
function report(telemetry: Telemetry, headers = {}, record = inferenceRecord()): RequestSummary {
  const trace = telemetry.openTrace?.(headers);
  const summary = new RequestSummary({ requestId: "r", route: "POST /v1/messages", trace }, telemetry.report);
  summary.begin(record.id);
  summary.addRecord(record);
  summary.end(200);
  return summary;
}

describe("an export", () => {
  it.each([
    ["http/protobuf", "none"],
    ["http/protobuf", "gzip"],
    ["http/json", "none"],
    ["grpc", "none"],
    ["grpc", "gzip"],
  ] as const)("arrives over %s, compression %s", async (protocol, compression) => {
    const receiver = await (protocol === "grpc" ? startGrpcOtlpReceiver() : startOtlpReceiver());
    const { telemetry, warn } = await open(receiver, { protocol, compression });
    report(telemetry);
    await telemetry.flush();
    const [request, ...attempts] = receiver.spans;
    expect(request).toMatchObject({
      name: "POST /v1/messages",
      kind: 2,
      resource: { "service.instance.id": "instance-1" },
    });
    expect(attempts.length).toBeGreaterThan(0);
    for (const attempt of attempts) expect(attempt).toMatchObject({ kind: 3, parentSpanId: request?.spanId });
    expect(receiver.series.map(({ name }) => name)).toContain("gen_ai.client.operation.duration");
    for (const { headers } of receiver.requests) expect(headers["x-tenant"]).toBe("t");
    expect(warn).not.toHaveBeenCalled();
  });

  it.each(["http/protobuf", "http/json", "grpc"] as const)("has ratings of any size over %s", async (protocol) => {
    const receiver = await (protocol === "grpc" ? startGrpcOtlpReceiver() : startOtlpReceiver());
    const { telemetry, warn } = await open(receiver, { protocol });
    const trace = telemetry.openTrace?.({});
    const summary = new RequestSummary({ requestId: "r", route: "POST /v1/feedback", trace }, telemetry.report);
    const values = [1e300, -1e21, 2 ** 63, 5e-324, 4, 0.5];
    summary.addFeedback(() =>
      values.map((value) => ({ inferenceId: "i", sessionId: null, name: '"intValue":1e9', value })),
    );
    summary.end(200);
    await telemetry.flush();
    const scores = receiver.spans[0]?.events.map(({ attributes }) => attributes["gen_ai.evaluation.score.value"]);
    expect(scores?.map(Number)).toEqual(values);
    expect(receiver.spans[0]?.events[0]?.attributes["gen_ai.evaluation.name"]).toBe('"intValue":1e9');
    expect(warn).not.toHaveBeenCalled();
  });

  it("has the calls that are made after a request, within its span", async () => {
    const receiver = await startOtlpReceiver();
    const { telemetry } = await open(receiver);
    const { trace } = report(telemetry);
    const place = { upstream: "up", upstreamModel: "other-model", streamed: false, inferenceId: "i" };
    trace?.addCall({ purpose: "trial", ...place, startedAt: new Date(), latencyMs: 5, costNanos: 7 });
    await telemetry.flush();
    const [call] = receiver.spans.filter(({ name }) => name === "chat other-model");
    expect(call).toMatchObject({
      kind: 3,
      traceId: trace?.traceId,
      parentSpanId: trace?.spanId,
      status: 0,
      attributes: {
        "gen_ai.provider.name": "openai",
        "attune.attempt.role": "trial",
        "attune.cost.nano_usd": 7,
        "attune.inference.id": "i",
      },
    });
  });

  it("calls embeddings what they are, with input tokens alone", async () => {
    const receiver = await startOtlpReceiver();
    const { telemetry } = await open(receiver);
    const { input, attempts } = inferenceRecord();
    const embedding = create(EmbeddingOptionsSchema, { dimensions: 256, encoding: EmbeddingEncoding.BASE64 });
    report(telemetry, {}, inferenceRecord({ input: { ...input, embedding }, attempts: attempts.slice(0, 1) }));
    await telemetry.flush();
    const attempt = receiver.spans.find(({ kind }) => kind === 3);
    expect(attempt?.name).toBe(`embeddings ${attempts[0]?.upstreamModel}`);
    expect(attempt?.attributes).toMatchObject({
      "gen_ai.operation.name": "embeddings",
      "gen_ai.embeddings.dimension.count": 256,
      "gen_ai.request.encoding_formats": ["base64"],
    });
    expect(attempt?.attributes).not.toHaveProperty("gen_ai.request.stream");
    const ofModels = receiver.series.filter(({ name }) => name.startsWith("gen_ai."));
    expect(ofModels.map(({ attributes }) => attributes["gen_ai.operation.name"])).toEqual(
      ofModels.map(() => "embeddings"),
    );
    const tokens = ofModels.filter(({ name }) => name === "gen_ai.client.token.usage");
    expect(tokens.map(({ attributes }) => attributes["gen_ai.token.type"])).toEqual(["input"]);
  });

  it("has the scheme of the port that requests come to", async () => {
    const receiver = await startOtlpReceiver();
    const { telemetry } = await open(receiver);
    report(telemetry);
    await telemetry.flush();
    const http = receiver.series.find(({ name }) => name === "http.server.request.duration");
    expect(http?.attributes["url.scheme"]).toBe("https");
  });

  it("is tried again over gRPC where the collector is not there for a moment", async () => {
    const receiver = await startGrpcOtlpReceiver([status.UNAVAILABLE]);
    const { telemetry, warn } = await open(receiver, { protocol: "grpc" });
    report(telemetry);
    await telemetry.flush();
    expect(receiver.spans.length).toBeGreaterThan(1);
    expect(warn).not.toHaveBeenCalled();
  });

  it("that is refused is told once a minute, and nobody waits for it", async () => {
    const receiver = await startOtlpReceiver();
    receiver.status = 400;
    const { telemetry, warn } = await open(receiver);
    for (let turn = 0; turn < 3; turn++) {
      report(telemetry);
      await telemetry.flush();
    }
    // One for each signal.
    expect(warn.mock.calls.map(([{ signal }]) => signal).toSorted()).toEqual(["metrics", "traces"]);
  });

  it("of what cannot be described is told, and the request ends as it would", async () => {
    const receiver = await startOtlpReceiver();
    const { telemetry, warn } = await open(receiver);
    const summary = new RequestSummary({ requestId: "r", route: "POST /v1/messages" }, telemetry.report);
    const error = new Error("broken");
    summary.addRecord(
      Object.defineProperty(inferenceRecord(), "attempts", {
        get: () => {
          throw error;
        },
      }),
    );
    expect(() => summary.end(200)).not.toThrow();
    expect(warn).toHaveBeenCalledExactlyOnceWith({ signal: "requests", failures: 1, err: error }, expect.any(String));
  });

  it("does not keep a process from its end", async () => {
    const receiver = await startOtlpReceiver();
    receiver.status = 503;
    const { telemetry } = await open(receiver, { timeoutMs: 60_000 });
    report(telemetry);
    // It would be tried again for a minute.
    await telemetry.close();
    expect(receiver.requests.length).toBeGreaterThan(0);
  });
});

describe("the place of a request in a trace", () => {
  const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  const PARENT = "00f067aa0ba902b7";

  it.each([
    [`00-${TRACE}-${PARENT}-01`, true],
    [`00-${TRACE}-${PARENT}-00`, false],
  ])("is that of its caller, who has decided: %s", async (traceparent, isSampled) => {
    const receiver = await startOtlpReceiver();
    const { telemetry } = await open(receiver);
    const { trace } = report(telemetry, { traceparent, tracestate: "vendor=1" });
    expect(trace).toMatchObject({ traceId: TRACE, isSampled });
    await telemetry.flush();
    const [request] = receiver.spans;
    if (isSampled) {
      expect(request).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, traceState: "vendor=1" });
    } else expect(request).toBeUndefined();
  });

  it.each(["", "00-0-0-01", `00-${"0".repeat(32)}-${PARENT}-01`, `ff-${TRACE}-${PARENT}-01`, `00-${TRACE}`])(
    "is a new one for what is no traceparent: %j",
    async (traceparent) => {
      const receiver = await startOtlpReceiver();
      const { telemetry } = await open(receiver);
      expect(telemetry.openTrace?.({ traceparent }).traceId).toMatch(/^(?!4bf9|0{32})[0-9a-f]{32}$/);
    },
  );
});
