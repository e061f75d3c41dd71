import { create } from "@bufbuild/protobuf";
import type { FastifyReply, FastifyRequest } from "fastify";
import {
  FeedbackErrorSchema,
  type FeedbackEvent,
  type FeedbackResult,
  FeedbackResultSchema,
} from "../../../gen/attune/feedback/v1/feedback_pb.ts";
import { InferenceError } from "../../inference/error.ts";
import { takeTurns } from "../../lib/take-turns.ts";
import { WireError } from "../../wire/read.ts";
import { callOf } from "../admit-request.ts";
import type { RpcClients } from "../client/clients.ts";
import { announcedBytes } from "../request-headers.ts";
import { decodeFeedbackEvent } from "./decode-event.ts";
import { encodeResults } from "./encode-results.ts";

/**
 * Creates the handler of POST /v1/feedback. An event that does not have the form of one fails here, at its place in the
 * answer; the others go to the service together.
 */
export function createFeedbackHandler(clients: RpcClients) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (!Array.isArray(request.body)) {
      throw InferenceError.invalid("", "the body must be a JSON array of feedback events, also for a single one");
    }
    const decoded = request.body.map(tryDecode);
    await takeTurns(announcedBytes(request.headers));
    const events = decoded.filter((outcome) => outcome.event !== undefined).map(({ event }) => event as FeedbackEvent);
    const { results } = await clients.feedback.createFeedback({ events }, callOf(request, reply));
    const answers = results.values();
    const merged = decoded.map(({ failure }) => failure ?? answers.next().value ?? lost());
    return reply.send(encodeResults(merged));
  };
}

interface Decoded {
  readonly event?: FeedbackEvent;
  readonly failure?: FeedbackResult;
}

function tryDecode(value: unknown, index: number): Decoded {
  try {
    return { event: decodeFeedbackEvent(value, index) };
  } catch (thrown) {
    if (thrown instanceof WireError) return { failure: failure(400, thrown.message) };
    throw thrown;
  }
}

function failure(statusCode: number, message: string): FeedbackResult {
  const value = create(FeedbackErrorSchema, { statusCode, message });
  return create(FeedbackResultSchema, { outcome: { case: "error", value } });
}

/** The service owes one result per event; a missing one is told, not left out. */
function lost(): FeedbackResult {
  return failure(500, "the service gave no result for this event");
}
