import { SpanKind } from "@opentelemetry/api";
import { ErrorReasonSchema } from "../../../../gen/attune/error/v1/error_pb.ts";
import type { TracedCall } from "../../../hub/request-trace.ts";
import { enumName } from "../../../lib/protobuf/enum-name.ts";
import type { Peer } from "../telemetry.ts";
import { peerAttributes, usageAttributes } from "./attempt-span.ts";
import * as names from "./names.ts";
import type { EndedSpan } from "./span-writer.ts";
import type { TracePlace } from "./trace-context.ts";

/** Makes the span of a call that was made after a request, for nobody who waits. Embeddings have no such calls. */
export function backgroundSpan(call: TracedCall, place: TracePlace, peer: Peer): EndedSpan {
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
