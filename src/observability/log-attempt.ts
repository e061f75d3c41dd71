import { ErrorReasonSchema } from "../../gen/attune/error/v1/error_pb.ts";
import type { AttemptRecord, InferenceFacts } from "../inference/ports.ts";
import { enumName } from "../lib/protobuf/enum-name.ts";

/** The log for failures of upstreams. */
interface AttemptLog {
  warn(facts: object, message: string): void;
  info(facts: object, message: string): void;
}

/** The interval of warnings about a deployment that fails for the same reason. */
const PERIOD_MS = 60_000;

/**
 * Creates a log that tells which place failed, also where another one answered. What a caller breaks off is no failure.
 * It warns of a place and a reason once a minute, with the number of failures since: a caller can have an upstream fail
 * as often as it likes. The others are told beside that, as is what an upstream refused.
 */
export function createAttemptLog(log: AttemptLog, now = (): number => performance.now()) {
  const warned = new Map<string, { readonly atMs: number; failures: number }>();
  return (attempt: AttemptRecord, inference: Pick<InferenceFacts, "id" | "requestId" | "traceId">): void => {
    const { id: inferenceId, requestId, traceId } = inference;
    const { outcome, error, upstream, upstreamModel, role, latencyMs } = attempt;
    if (error === undefined) return;
    const { upstreamStatus, upstreamRequestId } = error.facts;
    const reason = enumName(ErrorReasonSchema, error.reason);
    const facts = {
      requestId,
      traceId,
      inferenceId,
      upstream,
      upstreamModel,
      role,
      outcome,
      latencyMs: Math.round(latencyMs),
      reason,
      upstreamStatus,
      upstreamRequestId,
      err: error,
    };
    if (outcome === "refused") {
      log.info(facts, "an attempt was refused");
      return;
    }
    const key = `${upstream} ${upstreamModel} ${reason}`;
    const last = warned.get(key);
    if (last !== undefined && now() - last.atMs < PERIOD_MS) {
      last.failures += 1;
      log.info(facts, "an attempt failed");
      return;
    }
    warned.set(key, { atMs: now(), failures: 0 });
    log.warn({ ...facts, failures: 1 + (last?.failures ?? 0) }, "an attempt failed");
  };
}
