import { Buffer } from "node:buffer";
import { type ExportResult, ExportResultCode } from "@opentelemetry/core";
import {
  createOtlpNetworkExportDelegate,
  ExporterMetrics,
  type IOtlpExportDelegate,
  OTLPExporterBase,
} from "@opentelemetry/otlp-exporter-base";
import { createOtlpHttpExportDelegate, httpAgentFactoryFromOptions } from "@opentelemetry/otlp-exporter-base/node-http";
import type { IExporterMetricsHelper, ISerializer } from "@opentelemetry/otlp-transformer";
import type { OtlpTarget, TelemetryPorts } from "../telemetry.ts";
import { createFailureLog } from "./failure-log.ts";
import { createGrpcExporterTransport } from "./grpc-transport.ts";

/** The encoding of a signal. */
export interface SignalCodec<Items, Response> {
  readonly name: "traces" | "metrics";
  readonly protobuf: ISerializer<Items, Response>;
  readonly json: ISerializer<Items, Response>;
  readonly helper: IExporterMetricsHelper<Items>;
}

/** Exports that are under way at once; what comes beyond them is dropped. */
const CONCURRENCY = 4;

/** Creates the exporter of a signal, which tells of failures at most once a minute. */
export function createOtlpExporter<Items, Response>(
  target: OtlpTarget,
  codec: SignalCodec<Items, Response>,
  log: TelemetryPorts["log"],
): OTLPExporterBase<Items> {
  return new WatchedExporter(
    createDelegate(target, codec),
    createFailureLog(log, { signal: codec.name, url: target.url }),
  );
}

function createDelegate<Items, Response>(
  target: OtlpTarget,
  { name, protobuf, json, helper }: SignalCodec<Items, Response>,
): IOtlpExportDelegate<Items> {
  const { url, protocol, headers, timeoutMs, compression } = target;
  const shared = { compression, timeoutMillis: timeoutMs, concurrencyLimit: CONCURRENCY };
  const component = `otlp_${name}_exporter`;
  if (protocol === "grpc") {
    const metrics = new ExporterMetrics({
      componentType: component,
      metricsHelper: helper,
      url,
      meterProvider: undefined,
      responseAttributesFromError: () => ({}),
    });
    return createOtlpNetworkExportDelegate(shared, protobuf, metrics, createGrpcExporterTransport(target, name));
  }
  const isJson = protocol === "http/json";
  const contentType = isJson ? "application/json" : "application/x-protobuf";
  const options = {
    ...shared,
    url,
    headers: async () => ({ ...headers, "content-type": contentType }),
    agentFactory: httpAgentFactoryFromOptions({ keepAlive: true }),
  };
  return createOtlpHttpExportDelegate(options, isJson ? withDoubles(json) : protobuf, component, helper, undefined);
}

/**
 * A whole number that no int64 holds, or that has more digits than a double: in JSON only numbers are without quotes.
 */
const WIDE_INT = /"intValue":(?=-?(?:\d{17,}|[\d.]+e))/g;

/**
 * Writes large whole numbers, such as a rating of 1e300, as doubles: OpenTelemetry's package calls all whole numbers
 * integers, and readers refuse the whole export for one that is none.
 */
function withDoubles<Items, Response>(serializer: ISerializer<Items, Response>): ISerializer<Items, Response> {
  return {
    ...serializer,
    deserializeResponse: (bytes) => serializer.deserializeResponse(bytes),
    serializeRequest(items) {
      const bytes = serializer.serializeRequest(items);
      if (bytes === undefined) return undefined;
      const text = Buffer.from(bytes).toString("utf8");
      const written = text.replace(WIDE_INT, '"doubleValue":');
      return written === text ? bytes : Buffer.from(written, "utf8");
    },
  };
}

class WatchedExporter<Items> extends OTLPExporterBase<Items> {
  readonly #onFailure: (error: unknown) => void;

  constructor(delegate: IOtlpExportDelegate<Items>, onFailure: (error: unknown) => void) {
    super(delegate);
    this.#onFailure = onFailure;
  }

  override export(items: Items, done: (result: ExportResult) => void): void {
    super.export(items, (result) => {
      if (result.code === ExportResultCode.FAILED) this.#onFailure(result.error);
      done(result);
    });
  }
}
