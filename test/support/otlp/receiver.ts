import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { loadSync, type ServiceDefinition } from "@grpc/proto-loader";
import { waitFor } from "../wait.ts";

type Values = Readonly<Record<string, unknown>>;

/** A span as a collector gets it; times are in nanoseconds since 1970. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly traceState: string;
  readonly name: string;
  readonly kind: number;
  readonly startNanos: bigint;
  readonly endNanos: bigint;
  readonly status: number;
  readonly attributes: Values;
  readonly resource: Values;
  readonly events: readonly { readonly name: string; readonly nanos: bigint; readonly attributes: Values }[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
}

/** A series of a histogram as a collector gets it. */
export interface ReceivedSeries {
  readonly name: string;
  readonly unit: string;
  readonly resource: Values;
  readonly attributes: Values;
  readonly count: number;
  readonly sum: number;
  readonly bounds: readonly number[];
  readonly counts: readonly number[];
}

/** A collector that takes OTLP and decodes it. */
export interface OtlpReceiver {
  readonly url: string;
  readonly spans: ReceivedSpan[];
  /** The latest of each export. */
  series: ReceivedSeries[];
  readonly requests: { readonly path: string; readonly headers: Values }[];
  /** The status that exports are answered with. */
  status: number;
  /** Returns the spans of the trace that has a span with this attribute, once as many are there, by their start. */
  waitForTrace(attribute: string, value: unknown, count: number): Promise<ReceivedSpan[]>;
  close(): Promise<void>;
}

const SERVICES = loadSync(["trace.proto", "metrics.proto"], {
  includeDirs: [join(import.meta.dirname)],
  longs: String,
  bytes: Buffer,
  arrays: true,
  oneofs: false,
});

/** The service of a signal, by OTLP's definition. */
export function otlpService(signal: "trace" | "metrics"): ServiceDefinition {
  const name = signal === "trace" ? "TraceService" : "MetricsService";
  return SERVICES[`opentelemetry.proto.collector.${signal}.v1.${name}`] as ServiceDefinition;
}

/** Starts a collector that takes OTLP over HTTP. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? "";
    receiver.requests.push({ path, headers: request.headers });
    if (receiver.status === 200) {
      const isJson = request.headers["content-type"] === "application/json";
      const sent = Buffer.concat(chunks);
      const body = request.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent;
      try {
        take(receiver, path.endsWith("/v1/metrics") ? "metrics" : "trace", body, isJson);
      } catch (thrown) {
        response.writeHead(400).end(String(thrown));
        return;
      }
    }
    response.writeHead(receiver.status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const receiver = createReceiver(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return receiver;
}

/** Creates a collector without a server: what it gets is handed to takeOtlp(). */
export function createReceiver(url: string, close: () => Promise<void>): OtlpReceiver {
  const spans: ReceivedSpan[] = [];
  return {
    url,
    spans,
    series: [],
    requests: [],
    status: 200,
    close,
    waitForTrace: (attribute, value, count) =>
      waitFor(() => {
        const traceId = spans.find(({ attributes }) => attributes[attribute] === value)?.traceId;
        const found = spans.filter((span) => span.traceId === traceId);
        if (traceId === undefined || found.length < count) throw new Error(`${found.length} of ${count} spans came`);
        return found.toSorted((one, other) => Number(one.startNanos - other.startNanos));
      }),
  };
}

function take(receiver: OtlpReceiver, signal: "trace" | "metrics", body: Buffer, isJson: boolean): void {
  const method = otlpService(signal)["Export"];
  const message = isJson ? JSON.parse(body.toString()) : method?.requestDeserialize(body);
  takeOtlp(receiver, message as Export);
}

/** Takes a decoded export, as the JSON protocol has it. */
export function takeOtlp(receiver: OtlpReceiver, message: Export): void {
  for (const { resource, scopeSpans } of message.resourceSpans ?? []) {
    const of = readValues(resource?.attributes);
    for (const span of scopeSpans.flatMap(({ spans }) => spans)) receiver.spans.push(readSpan(span, of));
  }
  if (message.resourceMetrics === undefined) return;
  receiver.series = message.resourceMetrics.flatMap(({ resource, scopeMetrics }) => {
    const of = readValues(resource?.attributes);
    return scopeMetrics.flatMap(({ metrics }) => metrics.flatMap((metric) => readSeries(metric, of)));
  });
}

type Any = { readonly [kind: string]: unknown };
type KeyValue = { readonly key: string; readonly value: Any };
type Id = string | Buffer;

interface WireSpan {
  readonly traceId: Id;
  readonly spanId: Id;
  readonly parentSpanId?: Id;
  readonly traceState?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status?: { readonly code?: number };
  readonly attributes?: readonly KeyValue[];
  readonly events?: readonly {
    readonly name: string;
    readonly timeUnixNano: string;
    readonly attributes?: KeyValue[];
  }[];
  readonly links?: readonly { readonly traceId: Id; readonly spanId: Id }[];
}

interface WireMetric {
  readonly name: string;
  readonly unit: string;
  readonly histogram?: {
    readonly dataPoints: readonly {
      readonly attributes?: KeyValue[];
      readonly count: string | number;
      readonly sum: number;
      readonly bucketCounts: readonly (string | number)[];
      readonly explicitBounds: readonly number[];
    }[];
  };
}

interface WireResource {
  readonly attributes?: readonly KeyValue[];
}

/** An export, as the JSON protocol has it. */
export interface Export {
  readonly resourceSpans?: readonly {
    readonly resource?: WireResource;
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
  readonly resourceMetrics?: readonly {
    readonly resource?: WireResource;
    readonly scopeMetrics: readonly { readonly metrics: readonly WireMetric[] }[];
  }[];
}

/** Protobuf has ids as bytes, JSON as hexadecimal digits. */
function readId(id: Id | undefined): string {
  return typeof id === "string" ? id : (id?.toString("hex") ?? "");
}

function readSpan(span: WireSpan, resource: Values): ReceivedSpan {
  return {
    traceId: readId(span.traceId),
    spanId: readId(span.spanId),
    parentSpanId: readId(span.parentSpanId),
    traceState: span.traceState ?? "",
    name: span.name,
    kind: span.kind,
    resource,
    startNanos: BigInt(span.startTimeUnixNano),
    endNanos: BigInt(span.endTimeUnixNano),
    status: span.status?.code ?? 0,
    attributes: readValues(span.attributes),
    events: (span.events ?? []).map(({ name, timeUnixNano, attributes }) => ({
      name,
      nanos: BigInt(timeUnixNano),
      attributes: readValues(attributes),
    })),
    links: (span.links ?? []).map(({ traceId, spanId }) => ({ traceId: readId(traceId), spanId: readId(spanId) })),
  };
}

function readSeries({ name, unit, histogram }: WireMetric, resource: Values): ReceivedSeries[] {
  return (histogram?.dataPoints ?? []).map(({ attributes, count, sum, bucketCounts, explicitBounds }) => ({
    name,
    unit,
    resource,
    sum,
    bounds: explicitBounds,
    attributes: readValues(attributes),
    count: Number(count),
    counts: bucketCounts.map(Number),
  }));
}

function readValues(list: readonly KeyValue[] = []): Values {
  return Object.fromEntries(list.map(({ key, value }) => [key, readValue(value)]));
}

function readValue(value: Any): unknown {
  const [[kind, content] = ["", undefined]] = Object.entries(value).filter(([name]) => name !== "value");
  if (kind === "arrayValue") return (content as { values: Any[] }).values.map(readValue);
  return kind === "intValue" ? readInt64(content as string | number) : content;
}

/** As collectors do, refuses what is no whole number of 64 bits. */
function readInt64(content: string | number): number {
  if (BigInt.asIntN(64, BigInt(content)) !== BigInt(content)) throw new Error(`intValue: ${content} is out of range`);
  return Number(content);
}
