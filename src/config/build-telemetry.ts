import type { OtlpTarget, TelemetryConfig } from "./config.ts";
import type { ParsedConfig } from "./schema.ts";

type Parsed = ParsedConfig["telemetry"];

/** Builds what is exported of telemetry: a signal without an address is undefined. */
export function buildTelemetry(parsed: Parsed): TelemetryConfig {
  const { serviceName, resourceAttributes, traces, metrics } = parsed;
  const { sampleRatio, propagate, content } = traces;
  const [traceTarget, metricTarget] = [buildTarget(parsed, "traces"), buildTarget(parsed, "metrics")];
  return {
    serviceName: serviceName ?? resourceAttributes["service.name"] ?? "attune",
    resourceAttributes,
    traces: traceTarget && { ...traceTarget, sampleRatio, propagate, content },
    metrics: metricTarget && { ...metricTarget, intervalMs: metrics.intervalMs },
  };
}

function buildTarget(parsed: Parsed, signal: "traces" | "metrics"): OtlpTarget | undefined {
  const { enabled, endpoint } = parsed[signal];
  const protocol = parsed[signal].protocol ?? parsed.protocol;
  const url = endpoint ?? (parsed.endpoint && addPath(parsed.endpoint, protocol, signal));
  if (!parsed.enabled || !enabled || url === undefined) return undefined;
  const { timeoutMs, compression } = parsed;
  return { url, protocol, headers: parsed[signal].headers ?? parsed.headers, timeoutMs, compression };
}

/** Over gRPC the method names the signal. */
function addPath(endpoint: string, protocol: OtlpTarget["protocol"], signal: string): string {
  if (protocol === "grpc") return endpoint;
  return `${endpoint.endsWith("/") ? endpoint.slice(0, -1) : endpoint}/v1/${signal}`;
}
