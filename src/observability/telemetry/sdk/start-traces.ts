import type { MeterProvider, SpanContext } from "@opentelemetry/api";
import {
  JsonTraceSerializer,
  ProtobufTraceSerializer,
  TraceExporterMetricsHelper,
} from "@opentelemetry/otlp-transformer";
import type { Resource } from "@opentelemetry/resources";
import { BatchSpanProcessor, type ReadableSpan } from "@opentelemetry/sdk-trace";
import { LRUCache } from "lru-cache";
import type { RequestSummary } from "../../../hub/request-summary.ts";
import type { TelemetryPorts, TelemetrySettings } from "../telemetry.ts";
import { attemptSpan } from "./attempt-span.ts";
import { backgroundSpan } from "./background-span.ts";
import { createOtlpExporter, type SignalCodec } from "./otlp-exporter.ts";
import { requestSpan } from "./request-span.ts";
import { SpanWriter } from "./span-writer.ts";
import { createOpenTrace, TracePlace } from "./trace-context.ts";

/** Spans that wait for an export; more are dropped. */
const QUEUED_SPANS = 8192;

/** Inferences whose spans are known, for the links of feedback. */
const KNOWN_INFERENCES = 20_000;

const TRACES: SignalCodec<ReadableSpan[], unknown> = {
  name: "traces",
  protobuf: ProtobufTraceSerializer,
  json: JsonTraceSerializer,
  helper: TraceExporterMetricsHelper,
};

/** The parts that traces share with metrics. */
interface TraceParts {
  readonly resource: Resource;
  /** Counts what becomes of spans; undefined where no metrics are exported. */
  readonly meters: MeterProvider | undefined;
}

/** Starts the export of traces. */
export function startTraces(
  settings: NonNullable<TelemetrySettings["traces"]>,
  { resource, meters }: TraceParts,
  { log, peerOf, contentOf }: Pick<TelemetryPorts, "log" | "peerOf" | "contentOf">,
) {
  const exporter = createOtlpExporter(settings, TRACES, log);
  const processor = new BatchSpanProcessor({
    exporter,
    maxQueueSize: QUEUED_SPANS,
    ...(meters && { selfObsMeterProvider: meters }),
  });
  const writer = new SpanWriter(resource, processor);
  const spans = new LRUCache<string, SpanContext>({ max: KNOWN_INFERENCES });
  return {
    openTrace: createOpenTrace({
      ...settings,
      addCall: (call, place) => writer.write(backgroundSpan(call, place, peerOf(call.upstream))),
    }),
    report(summary: RequestSummary): void {
      const { trace: place, inference } = summary;
      if (!(place instanceof TracePlace) || !place.isSampled) return;
      const content = settings.content && inference !== undefined ? contentOf(inference) : undefined;
      const attempts =
        inference?.attempts.map((attempt, position) => {
          // Others had the same prompt.
          const own = attempt.isWinner ? content : undefined;
          return attemptSpan({ inference, attempt, position, content: own }, place, peerOf(attempt.upstream));
        }) ?? [];
      if (inference !== undefined) spans.set(inference.id, place.context);
      writer.write(requestSpan(summary, { place, attempts, content, spanOf: (id) => spans.get(id) }));
      for (const span of attempts) writer.write(span);
    },
    flush: () => processor.forceFlush(),
    close: () => processor.shutdown(),
  };
}
