import type { ServiceImpl } from "@connectrpc/connect";
import {
  CreateFeedbackRequestSchema,
  type FeedbackService as FeedbackRpc,
} from "../../gen/attune/feedback/v1/feedback_pb.ts";
import type { FeedbackService } from "../feedback/service.ts";
import { createMessageValidator } from "../inference/validate.ts";
import type { ReadCaller } from "./caller.ts";
import { encodeError } from "./encode-error.ts";

/** Implements the RPC service on the feedback service. */
export function createFeedbackRpc(service: FeedbackService, callerOf: ReadCaller): ServiceImpl<typeof FeedbackRpc> {
  const validate = createMessageValidator(CreateFeedbackRequestSchema);
  return {
    async createFeedback(request, context) {
      try {
        const { principal } = await callerOf(context);
        validate(request);
        return await service.createFeedback(request, principal);
      } catch (thrown) {
        throw encodeError(thrown);
      }
    },
  };
}
