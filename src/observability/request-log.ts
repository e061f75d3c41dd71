import { ErrorReasonSchema } from "../../gen/attune/error/v1/error_pb.ts";
import type { RequestSummary, SummarizedInference } from "../hub/request-summary.ts";
import { enumName } from "../lib/protobuf/enum-name.ts";
import { formatName } from "./format-name.ts";
import type { LineLog } from "./line-log.ts";

/** The settings of the lines of requests. */
interface RequestLogSettings {
  readonly level: "off" | "debug" | "info";
  /** The part of the completed requests that have a line, from 0 to 1. */
  readonly sample: number;
}

/** The ports of the log of requests. */
interface RequestLogPorts {
  readonly log: LineLog;
  readonly settings: () => RequestLogSettings;
  /** Returns a random number from 0 to 1. */
  readonly random?: () => number;
}

/** Creates a log that has one line for each request. Only completed ones are sampled. */
export function createRequestLog({ log, settings, random = Math.random }: RequestLogPorts) {
  return (summary: RequestSummary): void => {
    const { level, sample } = settings();
    if (level === "off") return;
    if (sample < 1 && summary.outcome === "completed" && random() >= sample) return;
    log[level](describe(summary), "request");
  };
}

/** The members of the line, in their order, and what they say; the reference of the log is made from it. */
export const LINE_MEMBERS: Readonly<Record<keyof ReturnType<typeof describe>, string>> = {
  requestId: "Id of the request, also in the response headers `x-request-id` and `request-id`",
  traceId: "Id of its [trace](../telemetry.md), if traces are exported",
  inferenceId: "Id of the answer, for the history and for feedback",
  route: "Method and route, `WebSocket /v1/responses`, or the name of the RPC; `none` for an unknown path",
  format: "`chat`, `responses`, `messages`, `embeddings` or `rpc`",
  model: "Requested model",
  servedModel: "Model that answered, if it's another one",
  upstream: "Upstream that answered",
  deployment: "Its name for the model",
  project: "Project of the key",
  key: "Public id of the key, even if it's revoked or expired",
  session: "Session",
  status: "HTTP status; absent if the caller disconnected first. 200 over gRPC, and for streams that fail later",
  outcome: "`completed`, `failed`, `canceled`, or `refused` if nothing was started",
  reason: "[Reason](errors.md) of the failure",
  inputTokens: "Prompt tokens",
  outputTokens: "Answer tokens",
  costNanoUsd: "Cost in billionths of a USD",
  costGaps: "Parts without a known price, if any; the actual cost is higher",
  durationMs: "Milliseconds until the end of the answer",
  firstTokenMs: "Milliseconds until its first content",
  losses: "Parts that a format couldn't carry",
  background: "True at the end of a background response",
};

/** Returns the members of the line; the log leaves out those that are undefined. */
function describe(summary: RequestSummary) {
  const { route, principal, inference, error } = summary;
  const owner = error?.facts.rejectedKey?.owner ?? principal;
  const usage = inference?.usage;
  // One literal: an object that is put together of several takes three times as long.
  return {
    requestId: summary.requestId,
    traceId: summary.trace?.traceId,
    inferenceId: summary.inferenceId,
    route,
    format: getFormat(route, inference),
    model: inference?.model ?? summary.model,
    servedModel: inference?.servedModel === inference?.model ? undefined : inference?.servedModel,
    upstream: inference?.upstream || undefined,
    deployment: inference?.upstreamModel || undefined,
    project: owner?.projectId,
    key: owner?.keyId,
    session: inference?.facts?.sessionId || undefined,
    status: summary.status,
    outcome: summary.outcome,
    reason: error && enumName(ErrorReasonSchema, error.reason),
    inputTokens: usage && usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens,
    outputTokens: usage?.outputTokens,
    costNanoUsd: inference?.costNanos,
    costGaps: inference?.costGaps,
    durationMs: round(summary.isBackground ? inference?.latencyMs : summary.durationMs),
    firstTokenMs: round(inference?.timeToFirstTokenMs),
    losses: inference && (inference.output.serving?.translationLosses.length ?? 0),
    background: summary.isBackground || undefined,
  };
}

const ROUTE_FORMAT = /\/v1\/(chat|responses|messages|embeddings)\b/;

/** Returns the format of a request; that of its route where no inference was begun. */
function getFormat(route: string, inference: SummarizedInference | undefined): string | undefined {
  if (inference !== undefined) return formatName(inference.dialect);
  return route.startsWith("attune.") ? "rpc" : ROUTE_FORMAT.exec(route)?.[1];
}

function round(ms: number | undefined): number | undefined {
  return ms && Math.round(ms * 10) / 10;
}
