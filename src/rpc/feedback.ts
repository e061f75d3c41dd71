import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import {
  CreateFeedbackRequestSchema,
  CreateFeedbackResponseSchema,
  type CreateMetricRequest,
  CreateMetricResponseSchema,
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
import { createMessageValidator } from "../inference/run/validate.ts";
import { mapInBatches } from "../lib/map-in-batches.ts";
import type { ReadCaller } from "./caller.ts";
import { encodeError, encodeStatus } from "./encode-error.ts";

/** Implements the RPC service on the feedback service. */
export function createFeedbackRpc(service: FeedbackService, callerOf: ReadCaller): ServiceImpl<typeof FeedbackRpc> {
  const validate = createMessageValidator(CreateFeedbackRequestSchema);
  return {
    async createFeedback(request, context) {
      try {
        const { principal } = await callerOf(context);
        validate(request);
        const outcomes = await service.createFeedback(request.events, principal);
        return create(CreateFeedbackResponseSchema, { results: await mapInBatches(outcomes, toResult) });
      } catch (thrown) {
        throw encodeError(thrown);
      }
    },
    async createMetric(request, context) {
      try {
        const { principal } = await callerOf(context);
        const [outcome] = await service.createFeedback([toEvent(request)], principal);
        if (outcome instanceof InferenceError) throw outcome;
        return create(CreateMetricResponseSchema, { id: outcome?.[0]?.id ?? "" });
      } catch (thrown) {
        throw encodeError(thrown);
      }
    },
  };
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
  return create(FeedbackResultSchema, { outcome: { case: "stored", value: create(FeedbackIdsSchema, { ids }) } });
}
