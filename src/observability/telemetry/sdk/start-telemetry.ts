import {
  JsonTraceSerializer,
  ProtobufTraceSerializer,
  TraceExporterMetricsHelper,
} from "@opentelemetry/otlp-transformer";
import { type Resource, resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor } from "@opentelemetry/sdk-trace";
import type { RequestSummary } from "../../../hub/request-summary.ts";
import { readVersion } from "../../../lib/version.ts";
import type { Telemetry, TelemetryPorts, TelemetrySettings } from "../telemetry.ts";
import { attemptSpan } from "./attempt-span.ts";
import { createOtlpExporter, type SignalCodec } from "./otlp-exporter.ts";
import { requestSpan } from "./request-span.ts";
import { SpanWriter } from "./span-writer.ts";
import { createOpenTrace, TracePlace } from "./trace-context.ts";

/** Spans that wait for an export; more are dropped. */
const QUEUED_SPANS = 8192;

const CLOSE_LIMIT_MS = 2000;

/** Starts the export of what is configured. */
export function startTelemetry(settings: TelemetrySettings, ports: TelemetryPorts): Telemetry {
  const resource = createResource(settings, ports.instanceId);
  const traces = settings.traces && startTraces(settings.traces, resource, ports);
  return {
    openTrace: traces?.openTrace,
    report: (summary) => traces?.report(summary),
    async flush() {
      await Promise.allSettled([traces?.flush()]);
    },
    async close() {
      await settledWithin(CLOSE_LIMIT_MS, [traces?.close()]);
    },
  };
}

function createResource({ serviceName, resourceAttributes }: TelemetrySettings, instanceId: string): Resource {
  return resourceFromAttributes({
    "service.version": readVersion(),
    ...resourceAttributes,
    "service.name": serviceName,
    // Each process counts for itself.
    "service.instance.id": instanceId,
  });
}

const TRACES: SignalCodec<Parameters<typeof ProtobufTraceSerializer.serializeRequest>[0], unknown> = {
  name: "traces",
  protobuf: ProtobufTraceSerializer,
  json: JsonTraceSerializer,
  helper: TraceExporterMetricsHelper,
};

function startTraces(
  settings: NonNullable<TelemetrySettings["traces"]>,
  resource: Resource,
  { log, peerOf }: TelemetryPorts,
) {
  const exporter = createOtlpExporter(settings, TRACES, log);
  const processor = new BatchSpanProcessor({ exporter, maxQueueSize: QUEUED_SPANS });
  const writer = new SpanWriter(resource, processor);
  return {
    openTrace: createOpenTrace(settings),
    report(summary: RequestSummary): void {
      const { trace: place, inference } = summary;
      if (!(place instanceof TracePlace) || !place.isSampled) return;
      const attempts =
        inference?.attempts.map((attempt, position) =>
          attemptSpan({ inference, attempt, position }, place, peerOf(attempt.upstream)),
        ) ?? [];
      writer.write(requestSpan(summary, { place, attempts }));
      for (const span of attempts) writer.write(span);
    },
    flush: () => processor.forceFlush(),
    close: () => processor.shutdown(),
  };
}

/** Resolves when all have ended, however, or when the time is over. */
async function settledWithin(limitMs: number, closing: readonly (Promise<void> | undefined)[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, limitMs);
  await Promise.race([Promise.allSettled(closing), promise]);
  clearTimeout(timer);
}
