import { hrTime } from "@opentelemetry/core";
import {
  JsonMetricsSerializer,
  MetricsExporterMetricsHelper,
  ProtobufMetricsSerializer,
} from "@opentelemetry/otlp-transformer";
import type { Resource } from "@opentelemetry/resources";
import {
  MeterProvider,
  type MetricProducer,
  PeriodicExportingMetricReader,
  type ResourceMetrics,
} from "@opentelemetry/sdk-metrics";
import { readVersion } from "../../../lib/version.ts";
import type { TelemetryPorts, TelemetrySettings } from "../telemetry.ts";
import { createOtlpExporter, type SignalCodec } from "./otlp-exporter.ts";
import { RequestMetrics } from "./request-metrics.ts";

const METRICS: SignalCodec<ResourceMetrics, unknown> = {
  name: "metrics",
  protobuf: ProtobufMetricsSerializer,
  json: JsonMetricsSerializer,
  helper: MetricsExporterMetricsHelper,
};

/** Starts the export of metrics. */
export function startMetrics(
  settings: NonNullable<TelemetrySettings["metrics"]>,
  resource: Resource,
  ports: Pick<TelemetryPorts, "log" | "peerOf" | "urlScheme">,
) {
  const metrics = new RequestMetrics(ports);
  const exporter = createOtlpExporter(settings, METRICS, ports.log);
  const { intervalMs, timeoutMs } = settings;
  const reader = new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: intervalMs,
    exportTimeoutMillis: Math.min(timeoutMs, intervalMs),
    metricProducers: [createProducer(metrics, resource)],
  });
  // It counts what becomes of spans, those that are dropped too.
  const provider = new MeterProvider({ resource, readers: [reader] });
  return {
    provider,
    count: metrics.count.bind(metrics),
    flush: () => provider.forceFlush(),
    close: () => provider.shutdown(),
  };
}

function createProducer(metrics: RequestMetrics, resource: Resource): MetricProducer {
  const start = hrTime();
  const scope = { name: "attune", version: readVersion() };
  return {
    async collect() {
      const collected = metrics.collect(start, hrTime());
      const scopeMetrics = collected.length === 0 ? [] : [{ scope, metrics: collected }];
      return { resourceMetrics: { resource, scopeMetrics }, errors: [] };
    },
  };
}
