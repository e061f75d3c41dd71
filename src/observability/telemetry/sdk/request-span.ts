import { type Attributes, type SpanContext, SpanKind } from "@opentelemetry/api";
import { ErrorReasonSchema } from "../../../../gen/attune/error/v1/error_pb.ts";
import type { RequestSummary, SummarizedFeedback } from "../../../hub/request-summary.ts";
import { enumName } from "../../../lib/protobuf/enum-name.ts";
import type { Content } from "../telemetry.ts";
import { contentAttributes } from "./content-attributes.ts";
import * as names from "./names.ts";
import type { EndedSpan } from "./span-writer.ts";
import type { TracePlace } from "./trace-context.ts";

/** The place of a request in its trace, and the spans within its own. */
interface Surroundings {
  readonly place: TracePlace;
  readonly attempts: readonly EndedSpan[];
  /** Texts of prompt and answer; undefined for none. */
  readonly content: Content | undefined;
  /** Returns the span of the request that an inference was for; undefined where it is not known here. */
  readonly spanOf: (inferenceId: string) => SpanContext | undefined;
}

/**
 * Makes the span of a request, of whatever transport. Its attempts lie within it: the times of an inference are known
 * to the millisecond.
 */
export function requestSpan(summary: RequestSummary, { place, attempts, content, spanOf }: Surroundings): EndedSpan {
  const { route, isBackground, outcome, durationMs, feedback } = summary;
  const beganMs = Date.now() - (performance.now() - summary.startMs);
  const inferences = [...new Set(feedback.map(({ inferenceId }) => inferenceId))];
  return {
    name: isBackground ? `background ${route}` : route,
    kind: isBackground ? SpanKind.INTERNAL : SpanKind.SERVER,
    context: place.context,
    parent: place.parent,
    startMs: Math.min(beganMs, ...attempts.map(({ startMs }) => startMs)),
    endMs: Math.max(beganMs + durationMs, ...attempts.map(({ endMs }) => endMs)),
    attributes: {
      ...transportAttributes(summary, place),
      ...outcomeAttributes(summary),
      // Readers such as MLflow show of a trace what its root has.
      ...(content && contentAttributes(content)),
    },
    events: feedback.map((value) => evaluationEvent(value, beganMs + durationMs)),
    links: inferences.flatMap((id) => {
      const context = spanOf(id);
      return context === undefined ? [] : [{ context, attributes: { "attune.inference.id": id } }];
    }),
    isError: outcome === "failed",
  };
}

/** A note is told of without its text. */
function evaluationEvent({ inferenceId, sessionId, name, value }: SummarizedFeedback, atMs: number) {
  const attributes: Attributes = {
    [names.EVALUATION_NAME]: name,
    [names.EVALUATION_VALUE]: value === undefined ? undefined : Number(value),
    [names.EVALUATION_LABEL]: typeof value === "boolean" ? String(value) : undefined,
    [names.RESPONSE_ID]: inferenceId,
    [names.CONVERSATION]: sessionId ?? undefined,
  };
  return { name: names.EVALUATION, atMs, attributes };
}

function transportAttributes({ route, status }: RequestSummary, { rpcSystem }: TracePlace): Attributes {
  if (route.startsWith("attune.")) return { [names.RPC_SYSTEM]: rpcSystem, [names.RPC_METHOD]: route };
  const [method = "", path] = route.split(" ");
  // A turn of a WebSocket connection is no request of HTTP.
  if (method === "WebSocket") return { "network.protocol.name": "websocket", [names.HTTP_ROUTE]: path };
  return {
    [names.HTTP_METHOD]: path === undefined ? undefined : method,
    [names.HTTP_ROUTE]: path,
    [names.HTTP_STATUS]: status,
  };
}

function outcomeAttributes(summary: RequestSummary): Attributes {
  const { requestId, inferenceId, principal, inference, error, outcome } = summary;
  const owner = error?.facts.rejectedKey?.owner ?? principal;
  const reason = error && enumName(ErrorReasonSchema, error.reason);
  return {
    [names.ERROR_TYPE]: outcome === "failed" ? reason : undefined,
    [names.CONVERSATION]: inference?.facts?.sessionId || undefined,
    "attune.request.id": requestId,
    "attune.inference.id": inferenceId,
    "attune.outcome": outcome,
    "attune.reason": reason,
    "attune.project.id": owner?.projectId,
    "attune.key.id": owner?.keyId,
    "attune.model": inference?.model ?? summary.model,
    "attune.model.served": inference?.servedModel,
    "attune.upstream": inference?.upstream || undefined,
    "attune.attempts": inference?.attempts.length,
    "attune.losses": inference && (inference.output.serving?.translationLosses.length ?? 0),
    "attune.cost.nano_usd": inference?.costNanos,
    "attune.cost.gaps": inference?.costGaps?.join("; "),
  };
}
