import { z } from "zod";
import { anyText, baseUrl, boolean, headers, integer, keys, share } from "./fields.ts";

const DAY_MS = 86_400_000;

/** The protocols of OTLP, by the names that OpenTelemetry has for them. */
const PROTOCOLS = ["http/protobuf", "http/json", "grpc"] as const;

const protocol = () => z.enum(PROTOCOLS, { error: `must be ${PROTOCOLS.join(", ")}` });

/** Ends of the address of one signal, which are added to the address of all of them. */
const SIGNAL_PATH = /\/v1\/(?:traces|metrics|logs)\/*$/;

/** An address that the path of a signal is added to. */
function collectorUrl() {
  return baseUrl().refine((value) => !SIGNAL_PATH.test(value), {
    error: ({ input }) => `must end before '${SIGNAL_PATH.exec(String(input))?.[0]}', which is added to it`,
  });
}

/** The members that a signal may have of its own, in place of those of all signals. */
const own = {
  enabled: boolean().default(true).describe("Export this signal, if there is an endpoint"),
  endpoint: baseUrl()
    .optional()
    .describe("Address for this signal, used unchanged; of traces: http://127.0.0.1:4318/v1/traces"),
  protocol: protocol().optional().describe("Protocol for this signal"),
  headers: headers().optional().describe("Headers for this signal, instead of telemetry.headers"),
};

/** The export to OpenTelemetry, and its targets. */
export const telemetry = keys({
  enabled: boolean().default(true).describe("Export traces and metrics, if there is an endpoint"),
  endpoint: collectorUrl()
    .optional()
    .describe("Address of an OTLP collector: http://127.0.0.1:4318, or :4317 for grpc; off if absent"),
  protocol: protocol().default("http/protobuf").describe("The collector's protocol"),
  headers: headers().default({}).describe("Headers of each export, such as authorization; values may be secrets"),
  timeoutMs: integer(100, 60_000).default(10_000).describe("Time limit of an export with its retries"),
  compression: z
    .enum(["none", "gzip"], { error: "must be none or gzip" })
    .default("none")
    .describe("Compression of exports over HTTP"),
  serviceName: anyText().optional().describe("Name of this service in traces and metrics; attune if absent"),
  resourceAttributes: z
    .record(anyText(), z.string({ error: "must be a text" }), { error: "must be a map of names to texts" })
    .default({})
    .describe("Further attributes of this service: { deployment.environment.name: production }"),
  traces: keys({
    ...own,
    sampleRatio: share().default(1).describe("Share of requests to trace, unless the caller has decided: 0.01"),
    propagate: boolean().default(false).describe("Send traceparent and tracestate to upstreams"),
    content: boolean()
      .default(false)
      .describe("Add prompts and answers to spans, if the project keeps them in its records"),
  })
    .prefault({})
    .describe("Spans of requests and upstream calls"),
  metrics: keys({
    ...own,
    intervalMs: integer(1000, DAY_MS).default(60_000).describe("How often metrics are exported"),
  })
    .prefault({})
    .describe("Metrics by OpenTelemetry's conventions"),
});
