import { create } from "@bufbuild/protobuf";
import { GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import type { RunFacts } from "../attempts/run-facts.ts";
import type { InferenceRecord } from "../ports.ts";
import { type RunOutcome, runRecord } from "./run-record.ts";

/**
 * Makes the record of an inference whose process dies now, while answers are kept back that are paid for: as one that
 * was broken off, with what each attempt has cost and said so far.
 */
export function provisionalRecord(facts: RunFacts, outcome: RunOutcome): InferenceRecord {
  const { source } = outcome;
  const error = (facts.background === true ? processGone() : cutOff()).with({ inferenceId: facts.id });
  const attempts = source.attempts.map((attempt) => attempt.recordIfCutOff);
  const record = runRecord(facts, { ...outcome, error });
  const last = attempts.at(-1);
  return {
    ...record,
    // The end of a process says nothing of whoever was chosen: a failure would be learned as theirs.
    decision: record.status === "failed" ? undefined : record.decision,
    attempts,
    usage: last?.usage,
    isEstimated: last?.usage?.estimated ?? false,
    ...source.costs(last?.usage, attempts),
    output: create(GenerateResponseSchema, { ...record.output, notChosen: source.keptBack }),
  };
}

/** Returns the error of a background inference whose process has ended. */
export function processGone(): InferenceError {
  const message = "the process that made the response in the background has ended: send the request again";
  return new InferenceError(ErrorReason.UNAVAILABLE, message);
}

function cutOff(): InferenceError {
  return new InferenceError(
    ErrorReason.CANCELED,
    "the process that asked for the answer has ended: send the request again",
  );
}
