import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import {
  CreateFeedbackRequestSchema,
  CreateFeedbackResponseSchema,
  type CreateMetricRequest,
  CreateMetricRequestSchema,
  CreateMetricResponseSchema,
  DeleteFeedbackRequestSchema,
  DeleteFeedbackResponseSchema,
  type FeedbackEvent,
  FeedbackEventSchema,
  FeedbackIdSchema,
  FeedbackIdsSchema,
  type FeedbackResult,
  FeedbackResultSchema,
  type FeedbackService as FeedbackRpc,
} from "../../gen/attune/feedback/v1/feedback_pb.ts";
import type { FeedbackOutcome, FeedbackService } from "../feedback/service.ts";
import { InferenceError } from "../hub/error.ts";
import type { SummarizedFeedback } from "../hub/request-summary.ts";
import type { KeyedCalls } from "../inference/idempotency/keyed-calls.ts";
import { createMessageValidator, createRecordValidator } from "../inference/run/validate.ts";
import { mapInBatches } from "../lib/map-in-batches.ts";
import type { ReadCaller } from "./caller.ts";
import { encodeErrors, encodeStatus } from "./encode-error.ts";
import { idempotencyPlace, readIdempotencyKey } from "./idempotency.ts";

/** Implements the RPCs that take feedback on the feedback service. */
export function createFeedbackRpc(
  service: FeedbackService,
  calls: Pick<KeyedCalls, "readOne">,
  callerOf: ReadCaller,
): Omit<ServiceImpl<typeof FeedbackRpc>, "createToken"> {
  const validate = createMessageValidator(CreateFeedbackRequestSchema);
  const validateDeletion = createRecordValidator(DeleteFeedbackRequestSchema);
  return {
    createFeedback: encodeErrors(async (request, context) => {
      const { principal, signal, summary } = await callerOf(context);
      validate(request);
      const key = readIdempotencyKey(CreateFeedbackRequestSchema, request, context);
      if (key !== undefined && principal.feedbackOn !== undefined) {
        throw InferenceError.invalid(idempotencyPlace(request), "is for API keys: send a feedback token without one");
      }
      const answer = async (callId?: string) => {
        const outcomes = await service.createFeedback(request.events, principal, callId);
        summary?.addFeedback(() => summarize(outcomes));
        const isKept = !outcomes.some((outcome) => outcome instanceof InferenceError && outcome.shouldRetry);
        const results = await mapInBatches(outcomes, toResult);
        return { item: create(CreateFeedbackResponseSchema, { results }), isKept };
      };
      if (key === undefined) return (await answer()).item;
      return await calls.readOne({ key, principal, schema: CreateFeedbackResponseSchema, answer }, signal);
    }),
    createMetric: encodeErrors(async (request, context) => {
      const { principal, signal, summary } = await callerOf(context);
      const key = readIdempotencyKey(CreateMetricRequestSchema, request, context);
      const answer = async (callId?: string) => {
        const [outcome] = await service.createFeedback([toEvent(request)], principal, callId);
        if (outcome instanceof InferenceError) throw outcome;
        summary?.addFeedback(() => summarize(outcome === undefined ? [] : [outcome]));
        return {
          item: create(CreateMetricResponseSchema, {
            id: outcome?.[0]?.id ?? "",
            warnings: outcome?.flatMap(({ warning }) => warning ?? []) ?? [],
          }),
          isKept: true,
        };
      };
      if (key === undefined) return (await answer()).item;
      return await calls.readOne({ key, principal, schema: CreateMetricResponseSchema, answer }, signal);
    }),
    deleteFeedback: encodeErrors(async (request, context) => {
      const { principal } = await callerOf(context);
      validateDeletion(request);
      await service.deleteFeedback(request.id, principal);
      return create(DeleteFeedbackResponseSchema);
    }),
  };
}

function summarize(outcomes: readonly FeedbackOutcome[]): SummarizedFeedback[] {
  const stored = outcomes.flatMap((outcome) => (outcome instanceof InferenceError ? [] : outcome));
  return stored.map(({ inferenceId, sessionId, name, content }) => {
    return { inferenceId, sessionId, name, value: content.kind === "note" ? undefined : content.value };
  });
}

function toEvent({ inferenceId, name, value, reason, tags, optimize }: CreateMetricRequest): FeedbackEvent {
  const entry = { name, value, ...(reason === undefined ? {} : { reason }) };
  return create(FeedbackEventSchema, { inferenceId, feedback: [entry], tags, optimize });
}

function toResult(outcome: FeedbackOutcome): FeedbackResult {
  if (outcome instanceof InferenceError) {
    return create(FeedbackResultSchema, { outcome: { case: "error", value: encodeStatus(outcome) } });
  }
  const ids = outcome.map(({ name, id }) => create(FeedbackIdSchema, { name, id }));
  const warnings = outcome.flatMap(({ warning }) => warning ?? []);
  const value = create(FeedbackIdsSchema, { ids, warnings });
  return create(FeedbackResultSchema, { outcome: { case: "stored", value } });
}
