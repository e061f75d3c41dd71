import { create } from "@bufbuild/protobuf";
import { type Duration, durationFromMs } from "@bufbuild/protobuf/wkt";
import { ErrorReason } from "../../gen/attune/error/v1/error_pb.ts";
import {
  type Attempt as AttemptMessage,
  AttemptOutcome,
  AttemptRole,
  AttemptSchema,
  FailedCheck,
} from "../../gen/attune/inference/v1/inference_pb.ts";
import type { FailedCheck as FailedCheckName } from "../lib/failed-checks.ts";
import type { Attempt } from "./attempt.ts";
import type { AttemptRecord } from "./ports.ts";

const ROLE: Record<AttemptRecord["role"], AttemptRole> = {
  primary: AttemptRole.PRIMARY,
  failover: AttemptRole.FAILOVER,
  hedge: AttemptRole.HEDGE,
  retry: AttemptRole.RETRY,
};

const OUTCOME: Record<AttemptRecord["outcome"], AttemptOutcome> = {
  completed: AttemptOutcome.COMPLETED,
  failed: AttemptOutcome.FAILED,
  canceled: AttemptOutcome.CANCELED,
  refused: AttemptOutcome.REFUSED,
};

const FAILED: Record<FailedCheckName, FailedCheck> = {
  cut: FailedCheck.CUT,
  refused: FailedCheck.REFUSED,
  empty: FailedCheck.EMPTY,
  invalid_json: FailedCheck.INVALID_JSON,
  schema_mismatch: FailedCheck.SCHEMA_MISMATCH,
  unknown_tool: FailedCheck.UNKNOWN_TOOL,
  invalid_arguments: FailedCheck.INVALID_ARGUMENTS,
  arguments_mismatch: FailedCheck.ARGUMENTS_MISMATCH,
  pattern_mismatch: FailedCheck.PATTERN_MISMATCH,
};

/** Turns an attempt into the message that lists it. */
export function attemptToMessage({ record, isEnded }: Attempt): AttemptMessage {
  const { error, firstEventMs, latencyMs, costNanos } = record;
  return create(AttemptSchema, {
    upstream: record.upstream,
    upstreamModel: record.upstreamModel,
    role: ROLE[record.role],
    outcome: isEnded ? OUTCOME[record.outcome] : AttemptOutcome.UNSPECIFIED,
    errorReason: error?.reason ?? ErrorReason.UNSPECIFIED,
    upstreamStatus: error?.facts.upstreamStatus ?? 0,
    upstreamRequestId: record.upstreamRequestId,
    startedAfter: toDuration(record.startedAfterMs),
    ...(firstEventMs !== undefined && { firstEventAfter: toDuration(firstEventMs) }),
    ...(isEnded && { duration: toDuration(latencyMs) }),
    ...(isEnded && costNanos !== undefined && { costNanos: BigInt(Math.round(costNanos)) }),
    propensity: record.propensity,
    failedChecks: (record.failedChecks ?? []).map((check) => FAILED[check]),
  });
}

/** Whole milliseconds. */
function toDuration(ms: number): Duration {
  return durationFromMs(Math.round(ms));
}
