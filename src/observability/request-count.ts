import { Counter, Histogram, type Registry } from "prom-client";
import { ErrorReasonSchema } from "../../gen/attune/error/v1/error_pb.ts";
import type { RequestSummary } from "../hub/request-summary.ts";
import { enumName } from "../lib/protobuf/enum-name.ts";
import { SECONDS } from "./record-count.ts";

/** Registers the metrics that requests are counted in; no label has anything that a caller chose. */
export function createRequestCount(registry: Registry): (summary: RequestSummary) => void {
  const registers = [registry];
  const requests = new Counter({
    registers,
    name: "attune_requests_total",
    help: "Requests over HTTP and RPC, and turns of WebSocket connections, that ended; status none: no answer went out",
    labelNames: ["route", "status", "outcome", "reason"],
  });
  const duration = new Histogram({
    registers,
    name: "attune_request_duration_seconds",
    help: "From the head of a request to the end of its answer",
    labelNames: ["route"],
    buckets: SECONDS,
  });
  return ({ isBackground, route, status = "none", outcome, error, durationMs }) => {
    // The request that began it was counted.
    if (isBackground) return;
    requests.inc({
      route,
      status,
      outcome,
      reason: error === undefined ? "" : enumName(ErrorReasonSchema, error.reason),
    });
    duration.observe({ route }, durationMs / 1000);
  };
}
