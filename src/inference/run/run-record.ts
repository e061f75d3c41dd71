import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Usage } from "../../../gen/attune/content/v1/content_pb.ts";
import { FinishReason, type GenerateResponse, type Serving } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, type InferenceError } from "../../hub/error.ts";
import type { HubInput } from "../../hub/input.ts";
import { isStored } from "../../hub/request-traits.ts";
import { attemptsToMessages } from "../attempts/attempt-message.ts";
import type { RunFacts } from "../attempts/run-facts.ts";
import { estimateUsage } from "../checks/estimate-usage.ts";
import type { PieceRecorder } from "../checks/piece-recorder.ts";
import type { ResponseFold } from "../checks/response-fold.ts";
import type { AttemptRecord, InferenceRecord, InferenceStatus, Plan } from "../ports.ts";
import type { AnswerSource } from "./answer-source.ts";
import { factsWithSession } from "./plan-inference.ts";

/** The outcome of an inference. */
export interface RunOutcome {
  readonly startedAt: Date;
  readonly latencyMs: number;
  readonly timeToFirstTokenMs: number | undefined;
  readonly source: AnswerSource;
  /** The answer, as far as it came. */
  readonly fold: ResponseFold;
  /** The pieces in which the answer came; undefined where its stream cannot be replayed. */
  readonly pieces: PieceRecorder | undefined;
  readonly error: InferenceError | undefined;
}

/** Makes the record of an inference. One that neither finished nor failed was left by its caller. */
export function runRecord(facts: RunFacts, outcome: RunOutcome): InferenceRecord {
  const { plan, input, prompt, principal, background = false } = facts;
  const { source, fold, error, startedAt } = outcome;
  const { given, shown } = source;
  const attempts = source.records;
  const last = shown && (attempts[source.attempts.indexOf(shown)] ?? shown.record);
  const cached = given?.kind === "responseCache" ? given.kept.serving : undefined;
  const status = getStatus(outcome);
  const isCutShort = fold.isStarted && status === "canceled";
  const usage = given === undefined ? source.totalUsage(last?.usage) : reusedUsage(facts, fold, isCutShort);
  const mayBeGivenAgain = given === undefined && source.isUnfailedBase && status === "completed" && isWhole(fold);
  return {
    id: facts.id,
    requestId: facts.summary?.requestId,
    projectId: principal.projectId,
    keyId: principal.keyId,
    dialect: input.dialect,
    streamed: facts.streamed,
    model: plan.model.name,
    servedModel: (shown?.begun.planned.model ?? plan.model).name,
    upstream: last?.upstream ?? cached?.upstream ?? "",
    upstreamModel: last?.upstreamModel ?? (cached && cachedModel(cached, plan)) ?? "",
    upstreamRequestId: last?.upstreamRequestId ?? cached?.upstreamRequestId ?? "",
    workload: input.workload,
    facts: factsWithSession(input, prompt),
    decision: plan.decision,
    status,
    error,
    startedAt,
    latencyMs: outcome.latencyMs,
    timeToFirstTokenMs: outcome.timeToFirstTokenMs,
    usage,
    isEstimated: usage?.estimated === true || attempts.some(({ isEstimated }) => isEstimated),
    coalescingKey: mayBeGivenAgain ? facts.responseCacheKey : undefined,
    ...source.costs(usage, attempts),
    input: recordedInput(input),
    previousId: prompt.previousId,
    stored: (fold.isFinished || background) && isStored(input),
    output: getOutput(facts, outcome, attempts),
    attempts,
  };
}

/** Leaves out tokens to embed, which nobody could read. */
function recordedInput(input: HubInput): HubInput {
  const { embedding } = input;
  if (embedding === undefined || embedding.tokenInputs.length === 0) return input;
  return { ...input, embedding: { ...embedding, tokenInputs: [] } };
}

/** The answer with what is known of it only now. */
function getOutput(
  { id, input, background }: RunFacts,
  { fold, source, startedAt, pieces }: RunOutcome,
  records: readonly AttemptRecord[],
): GenerateResponse {
  const { response } = fold;
  if (response.serving !== undefined) {
    const attempts = attemptsToMessages(id, source.attempts, records);
    response.serving = { ...response.serving, attempts };
  }
  if (background && response.id === "") {
    // Nothing came of an answer; its caller knows it by its id all the same.
    response.id = id;
    response.model = input.model;
    response.createdAt = timestampFromDate(startedAt);
  }
  if (pieces !== undefined) response.pieces = pieces.message;
  const { notChosen } = source;
  const { serving, finished } = response;
  const hasVectors = finished !== undefined && finished.embeddings.length > 0;
  if (notChosen.length === 0 && (serving?.quotas.length ?? 0) === 0 && !hasVectors) return response;
  // The answer itself is what its caller gets: without what was not chosen, and with what is left of limits now.
  return {
    ...response,
    notChosen,
    ...(serving !== undefined && { serving: { ...serving, quotas: [] } }),
    ...(hasVectors && { finished: { ...finished, embeddings: [] } }),
  };
}

function getStatus({ fold, error }: RunOutcome): InferenceStatus {
  if (fold.isFinished && error === undefined) return "completed";
  return error === undefined || error.reason === ErrorReason.CANCELED ? "canceled" : "failed";
}

/** Tokens of another inference's answer, as far as it came; undefined if nothing of it did. */
function reusedUsage({ prompt }: RunFacts, fold: ResponseFold, isCutShort: boolean): Usage | undefined {
  return isCutShort ? estimateUsage(fold.usage, { input: prompt.input, content: fold.response.content }) : fold.usage;
}

/** Returns the name of the model that gave a cached answer; upstreams may use other names. */
function cachedModel({ upstream, upstreamModel }: Serving, { model }: Plan): string {
  return model.deployments.find((deployment) => deployment.upstream === upstream)?.model ?? upstreamModel;
}

/** Why an answer ended that is all that the model had to say. */
const WHOLE: ReadonlySet<FinishReason> = new Set([
  FinishReason.STOP,
  FinishReason.STOP_SEQUENCE,
  FinishReason.TOOL_USE,
]);

/** Returns whether an answer ended of the model's own accord. */
function isWhole({ response: { finished } }: ResponseFold): boolean {
  return finished !== undefined && WHOLE.has(finished.reason);
}
