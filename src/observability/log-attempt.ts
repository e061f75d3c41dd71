import { ErrorReasonSchema } from "../../gen/attune/error/v1/error_pb.ts";
import type { AttemptRecord } from "../inference/ports.ts";
import { enumName } from "../lib/protobuf/enum-name.ts";

/** Where failures of upstreams are told. */
export interface AttemptLog {
  warn(facts: object, message: string): void;
}

/** Tells which place failed, also where another one answered. What a caller breaks off is no failure. */
export function logAttempt(log: AttemptLog, attempt: AttemptRecord, inferenceId: string): void {
  const { outcome, error, upstream, upstreamModel, role, latencyMs } = attempt;
  if (error === undefined) return;
  const { upstreamStatus, upstreamRequestId } = error.facts;
  const facts = { inferenceId, upstream, upstreamModel, role, outcome, latencyMs: Math.round(latencyMs) };
  const why = { reason: enumName(ErrorReasonSchema, error.reason), upstreamStatus, upstreamRequestId };
  log.warn({ ...facts, ...why, err: error }, `an attempt ${outcome === "refused" ? "was refused" : "failed"}`);
}
