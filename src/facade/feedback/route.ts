import type { FastifyReply, FastifyRequest } from "fastify";
import type { FeedbackEvent } from "../../../gen/attune/feedback/v1/feedback_pb.ts";
import { isJsonObject } from "../../formats/shared/json.ts";
import { WireError } from "../../formats/shared/read.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import { mapBehindCalls } from "../../lib/behind-calls.ts";
import { mapInBatches } from "../../lib/map-in-batches.ts";
import { getCall } from "../admit-request.ts";
import type { RpcClients } from "../client/clients.ts";
import { FEEDBACK_EVENT } from "./decode-event.ts";
import { encodeFailure, encodeResult } from "./encode-results.ts";

/**
 * Creates the handler of POST /v1/feedback. An event that does not have the form of one fails here, at its place in the
 * answer; the others go to the service together. A single event needs no array, and its answer is an array anyway.
 */
export function createFeedbackHandler(clients: RpcClients) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const decoded = await mapBehindCalls(readEvents(request.body), tryDecode);
    const events = decoded.filter((outcome): outcome is FeedbackEvent => !(outcome instanceof InferenceError));
    const { results } = await clients.feedback.createFeedback({ events }, getCall(request, reply));
    const answers = (await mapInBatches(results, encodeResult)).values();
    const merged = decoded.map((outcome) =>
      outcome instanceof InferenceError ? encodeFailure(outcome) : (answers.next().value ?? encodeFailure(lost())),
    );
    return reply.send(merged);
  };
}

function readEvents(body: unknown): readonly unknown[] {
  if (Array.isArray(body)) return body;
  if (isJsonObject(body)) return [body];
  throw InferenceError.invalid("", "the body must be a feedback event, or an array of them");
}

function tryDecode(value: unknown, index: number): FeedbackEvent | InferenceError {
  try {
    return FEEDBACK_EVENT.read(value, `[${index}]`, undefined);
  } catch (thrown) {
    if (thrown instanceof WireError) return new InferenceError(ErrorReason.INVALID_REQUEST, thrown.message);
    throw thrown;
  }
}

/** The service owes one result per event; a missing one is told, not left out. */
function lost(): InferenceError {
  return new InferenceError(ErrorReason.INTERNAL, "the service didn't return a result for this event");
}
