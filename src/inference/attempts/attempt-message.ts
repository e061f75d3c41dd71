import { create } from "@bufbuild/protobuf";
import type { Duration } from "@bufbuild/protobuf/wkt";
import { ErrorReason } from "../../../gen/attune/error/v1/error_pb.ts";
import {
  type Attempt as AttemptMessage,
  AttemptOutcome,
  AttemptRole,
  CandidateReason,
  CandidateSignalsSchema,
  FailedCheck,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import { type AnswerId, writeAnswerId } from "../../hub/answer-ids.ts";
import type { CandidateReason as CandidateReasonName } from "../../hub/candidate-reasons.ts";
import type { CandidateRanking } from "../../hub/candidate-signals.ts";
import type { FailedCheck as FailedCheckName } from "../../hub/failed-checks.ts";
import type { AttemptRecord } from "../ports.ts";
import type { AttemptProgress } from "./attempt-progress.ts";

const ROLE: Record<AttemptRecord["role"], AttemptRole> = {
  primary: AttemptRole.PRIMARY,
  failover: AttemptRole.FAILOVER,
  hedge: AttemptRole.HEDGE,
  retry: AttemptRole.RETRY,
  candidate: AttemptRole.CANDIDATE,
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
  webhook_rejected: FailedCheck.WEBHOOK_REJECTED,
};

const REASON: Record<CandidateReasonName, CandidateReason> = {
  first_to_pass: CandidateReason.FIRST_TO_PASS,
  majority: CandidateReason.MAJORITY,
  highest_score: CandidateReason.HIGHEST_SCORE,
  first_of_equals: CandidateReason.FIRST_OF_EQUALS,
  only_answer: CandidateReason.ONLY_ANSWER,
  lower_score: CandidateReason.LOWER_SCORE,
  later: CandidateReason.LATER,
  not_awaited: CandidateReason.NOT_AWAITED,
  learned: CandidateReason.LEARNED,
  random: CandidateReason.RANDOM,
  lower_rank: CandidateReason.LOWER_RANK,
  not_drawn: CandidateReason.NOT_DRAWN,
};

/** Turns the attempts of an inference, whose records are made for it unless they are at hand, into messages. */
export function attemptsToMessages(
  inferenceId: string,
  attempts: readonly AttemptProgress[],
  records: readonly AttemptRecord[] = [],
): AttemptMessage[] {
  return attempts.map((attempt, position) => {
    const record = records[position] ?? attempt.record;
    return attemptToMessage(record, attempt.isEnded, { inferenceId, attempt: position });
  });
}

function attemptToMessage(record: AttemptRecord, isEnded: boolean, answer: AnswerId): AttemptMessage {
  const { error, firstEventMs, latencyMs, costNanos } = record;
  // A literal: each inference has two of these, and create() takes a multiple of its time for so many members.
  return {
    $typeName: "attune.inference.v1.Attempt",
    upstream: record.upstream,
    upstreamModel: record.upstreamModel,
    role: ROLE[record.role],
    outcome: isEnded ? OUTCOME[record.outcome] : AttemptOutcome.UNSPECIFIED,
    errorReason: error?.reason ?? ErrorReason.UNSPECIFIED,
    upstreamStatus: error?.facts.upstreamStatus ?? 0,
    upstreamRequestId: record.upstreamRequestId,
    startedAfter: toDuration(record.startedAfterMs),
    firstEventAfter: firstEventMs === undefined ? undefined : toDuration(firstEventMs),
    duration: isEnded ? toDuration(latencyMs) : undefined,
    costNanos: isEnded && costNanos !== undefined ? BigInt(Math.round(costNanos)) : undefined,
    propensity: record.propensity,
    failedChecks: (record.failedChecks ?? []).map((check) => FAILED[check]),
    score: record.score,
    candidateReason:
      record.candidateReason === undefined ? CandidateReason.UNSPECIFIED : REASON[record.candidateReason],
    ...(record.ranking !== undefined && rankingMembers(record.ranking)),
    answerId: record.isWinner ? answer.inferenceId : record.score === undefined ? "" : writeAnswerId(answer),
  };
}

function rankingMembers({ signals, chance, expectedReward }: CandidateRanking) {
  return {
    signals: create(CandidateSignalsSchema, signals),
    chance,
    ...(expectedReward !== undefined && { expectedReward }),
  };
}

/** Whole milliseconds. */
function toDuration(ms: number): Duration {
  const whole = Math.round(ms);
  const nanos = (whole % 1000) * 1_000_000;
  return { $typeName: "google.protobuf.Duration", seconds: BigInt(Math.trunc(whole / 1000)), nanos };
}
