import { setTimeout as delay } from "node:timers/promises";
import { create, createFileRegistry, type DescMethod, type DescMethodUnary, fromBinary } from "@bufbuild/protobuf";
import { EmptySchema, FileDescriptorProtoSchema, file_google_protobuf_empty } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { compressionGzip, createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import type { ExportResponse, IExporterTransport } from "@opentelemetry/otlp-exporter-base";
import type { OtlpTarget } from "../telemetry.ts";

/** The status after which OTLP has an export tried again. */
const RETRYABLE: ReadonlySet<Code> = new Set([
  Code.Canceled,
  Code.DeadlineExceeded,
  Code.Aborted,
  Code.OutOfRange,
  Code.Unavailable,
  Code.DataLoss,
]);

/** The wait before an export is tried again, which doubles up to the longest. */
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5000;

/**
 * Creates the way of exports over gRPC, by the package that serves gRPC here: OpenTelemetry's own needs @grpc/grpc-js,
 * which with what it needs is 11 MB.
 */
export function createGrpcExporterTransport(
  { url, headers, compression }: OtlpTarget,
  signal: "traces" | "metrics",
): IExporterTransport {
  const sessionManager = new Http2SessionManager(url);
  const compressed = compression === "gzip" ? { sendCompression: compressionGzip } : {};
  const transport = createGrpcTransport({ baseUrl: url, sessionManager, ...compressed });
  const method = exportMethod(signal === "traces" ? "trace" : "metrics");
  const call = async (data: Uint8Array, timeoutMs: number): Promise<ExportResponse> => {
    try {
      // The fields of the export are unknown ones of an empty message, which are sent as they are.
      const message = fromBinary(EmptySchema, data);
      await transport.unary(method, undefined, timeoutMs, headers, message);
      return { status: "success" };
    } catch (thrown) {
      const error = ConnectError.from(thrown);
      return { status: RETRYABLE.has(error.code) ? "retryable" : "failure", error };
    }
  };
  return {
    async send(data, timeoutMs) {
      const deadlineMs = performance.now() + timeoutMs;
      for (let waitMs = FIRST_RETRY_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_RETRY_MS)) {
        // A fraction is malformed in grpc-timeout, and grpc-go answers it with 400.
        const response = await call(data, Math.max(1, Math.ceil(deadlineMs - performance.now())));
        if (response.status !== "retryable" || performance.now() + waitMs >= deadlineMs) return response;
        await delay(waitMs, undefined, { ref: false });
      }
    },
    shutdown: () => sessionManager.abort(),
  };
}

/** Returns the method Export of OTLP's service of a signal; its messages are encoded already. */
function exportMethod(signal: "trace" | "metrics"): DescMethodUnary<typeof EmptySchema, typeof EmptySchema> {
  const name = signal === "trace" ? "TraceService" : "MetricsService";
  const empty = ".google.protobuf.Empty";
  const file = create(FileDescriptorProtoSchema, {
    name: `${signal}_service.proto`,
    package: `opentelemetry.proto.collector.${signal}.v1`,
    dependency: [file_google_protobuf_empty.proto.name],
    syntax: "proto3",
    service: [{ name, method: [{ name: "Export", inputType: empty, outputType: empty }] }],
  });
  const registry = createFileRegistry(file, () => file_google_protobuf_empty);
  const method: DescMethod | undefined = registry.getService(`${file.package}.${name}`)?.method["export"];
  if (!isExport(method)) throw new Error(`${name} has no method Export`);
  return method;
}

function isExport(method: DescMethod | undefined): method is DescMethodUnary<typeof EmptySchema, typeof EmptySchema> {
  return method?.methodKind === "unary" && method.input.typeName === EmptySchema.typeName;
}
