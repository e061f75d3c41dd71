import { type MeterProvider, type SpanContext, SpanKind } from "@opentelemetry/api";
import {
  JsonTraceSerializer,
  ProtobufTraceSerializer,
  TraceExporterMetricsHelper,
} from "@opentelemetry/otlp-transformer";
import type { Resource } from "@opentelemetry/resources";
import { BatchSpanProcessor, type ReadableSpan } from "@opentelemetry/sdk-trace";
import { LRUCache } from "lru-cache";
import { ErrorReasonSchema } from "../../../../gen/attune/error/v1/error_pb.ts";
import type { RequestSummary } from "../../../hub/request-summary.ts";
import type { TracedCall } from "../../../hub/request-trace.ts";
import { enumName } from "../../../lib/protobuf/enum-name.ts";
import type { Peer, TelemetryPorts, TelemetrySettings } from "../telemetry.ts";
import { attemptSpan, peerAttributes, usageAttributes } from "./attempt-span.ts";
import * as names from "./names.ts";
import { createOtlpExporter, type SignalCodec } from "./otlp-exporter.ts";
import { requestSpan } from "./request-span.ts";
import { type EndedSpan, SpanWriter } from "./span-writer.ts";
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

/** Makes the span of a call that was made after a request, for nobody who waits. Embeddings have no such calls. */
function backgroundSpan(call: TracedCall, place: TracePlace, peer: Peer): EndedSpan {
  const { upstreamModel, startedAt, latencyMs, error } = call;
  return {
    name: `${names.CHAT} ${upstreamModel}`,
    kind: SpanKind.CLIENT,
    context: place.child().context,
    parent: place.context,
    startMs: startedAt.getTime(),
    endMs: startedAt.getTime() + latencyMs,
    attributes: {
      [names.OPERATION]: names.CHAT,
      ...peerAttributes(peer),
      ...usageAttributes(call.usage),
      [names.REQUEST_MODEL]: upstreamModel,
      [names.REQUEST_STREAM]: call.streamed,
      [names.ERROR_TYPE]: error && enumName(ErrorReasonSchema, error.reason),
      [names.HTTP_STATUS]: error?.facts.upstreamStatus,
      "attune.inference.id": call.inferenceId,
      "attune.upstream": call.upstream,
      "attune.attempt.role": call.purpose,
      "attune.attempt.outcome": error === undefined ? "completed" : "failed",
      "attune.attempt.chosen": false,
      "attune.cost.nano_usd": call.costNanos,
    },
    isError: error !== undefined,
  };
}
