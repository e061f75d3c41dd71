import type { FastifyReply, FastifyRequest } from "fastify";
import type { StoredInference } from "../../gen/attune/inference/v1/inference_pb.ts";
import { createStoredEncoder, encodeStored, encodeStoredInput } from "../formats/responses/answer/encode-stored.ts";
import { paginateItems } from "../formats/responses/answer/paginate-items.ts";
import { responsesCodec } from "../formats/responses/codec.ts";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import { errorFromDetail } from "../hub/error-detail.ts";
import { getCall } from "./admit-request.ts";
import { type AdmittedCall, callFor } from "./client/admitted-call.ts";
import type { AnswerInBackground, GenerateOptions } from "./generate-route.ts";
import { logFailure } from "./log-failure.ts";
import { sendStream } from "./send-stream.ts";
import { idHeader, usageHeaders } from "./serving-headers.ts";

const JSON_TYPE = "application/json; charset=utf-8";

type StoredOptions = Pick<GenerateOptions, "clients" | "heartbeatMs">;

/**
 * Creates the handler of GET /v1/responses/{id}: the answer as its client got it, whole or with `stream=true` as its
 * events.
 */
export function createGetResponse({ clients, heartbeatMs }: StoredOptions) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { id, query, call } = readRequest(request, reply);
    // The SDKs send it without a stream too, of which it says nothing.
    const after = readAfter(query.starting_after);
    if (readFlag(query.stream)) return await followResponse({ clients, heartbeatMs }, reply, { id, after, call });
    const { inference } = await clients.inference.getInference({ id }, call);
    return sendStored(reply, inference, id);
  };
}

/** Creates what begins a response in the background: answers with how it begins, or with its events as they come. */
export function createBackgroundAnswer({ clients, heartbeatMs }: StoredOptions): AnswerInBackground {
  return async (reply, { input, stream }, call) => {
    const { inference } = await clients.inference.beginInference({ input, streamed: stream }, callFor(input, call));
    const id = inference?.output?.id ?? "";
    if (stream) return await followResponse({ clients, heartbeatMs }, reply, { id, after: undefined, call });
    return sendStored(reply, inference, id);
  };
}

/** Creates the handler of POST /v1/responses/{id}/cancel: the response as it ended. */
export function createCancelResponse({ clients }: StoredOptions) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { id, call } = readRequest(request, reply);
    const { inference } = await clients.inference.cancelInference({ id }, call);
    return sendStored(reply, inference, id);
  };
}

function sendStored(reply: FastifyReply, inference: StoredInference | undefined, id: string): FastifyReply {
  const error = inference?.error && errorFromDetail(inference.errorMessage, inference.error);
  const text = inference && encodeStored(inference, error);
  if (text === undefined) throw notResponses(id);
  const usage = usageHeaders(inference?.output?.finished?.usage);
  return reply.headers(usage).headers(idHeader(inference?.output?.id)).header("content-type", JSON_TYPE).send(text);
}

interface Following {
  readonly id: string;
  /** Number of the last event that the client has. */
  readonly after: number | undefined;
  readonly call: AdmittedCall;
}

/** Gives a response as its events. */
async function followResponse(
  { clients, heartbeatMs }: StoredOptions,
  reply: FastifyReply,
  { id, after, call }: Following,
): Promise<FastifyReply> {
  const messages = clients.inference.followInference({ id }, call)[Symbol.asyncIterator]();
  const first = await messages.next();
  const inference = first.done === true ? undefined : first.value.inference;
  const input = inference?.input;
  const encoder = inference && createStoredEncoder(inference, after);
  if (input === undefined || encoder === undefined) throw notResponses(id);
  const { id: requestId, log } = reply.request;
  const failure = await sendStream({
    reply,
    encoder,
    async run(sink) {
      for (let next = await messages.next(); next.done !== true; next = await messages.next()) {
        await sink(next.value.events);
      }
    },
    headers: { "x-request-id": requestId, "request-id": requestId },
    heartbeatMs,
    spell: (place) => responsesCodec.formatFieldPath(place, input),
    tellsCancel: true,
  });
  if (failure !== undefined) logFailure(log, failure, "stream failed");
  return reply;
}

function readFlag(value: unknown): boolean {
  if (value === undefined || value === "false") return false;
  if (value === "true") return true;
  throw InferenceError.invalid("stream", "must be true or false");
}

function readAfter(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const after = Number(value === "" ? Number.NaN : value);
  if (Number.isSafeInteger(after) && after >= 0) return after;
  throw InferenceError.invalid("starting_after", "must be the sequence_number of an event: a whole number from 0");
}

/** Creates the handler of DELETE /v1/responses/{id}. */
export function createDeleteResponse({ clients: { inference } }: StoredOptions) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { id, call } = readRequest(request, reply);
    await inference.deleteInference({ id }, call);
    return reply.send({ id, object: "response", deleted: true });
  };
}

/** Creates the handler of GET /v1/responses/{id}/input_items: what the model was given, page by page. */
export function createListInputItems({ clients: { inference } }: StoredOptions) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { id, query, call } = readRequest(request, reply);
    const found = await inference.getInference({ id, withPrevious: true }, call);
    if (found.inference === undefined) throw notResponses(id);
    const items = encodeStoredInput(found.inference, found.previous);
    return reply.header("content-type", JSON_TYPE).send(JSON.stringify(paginateItems(items, query)));
  };
}

function readRequest(request: FastifyRequest, reply: FastifyReply) {
  const { id } = request.params as { id: string };
  return {
    id,
    query: request.query as Record<string, unknown>,
    call: getCall(request, reply),
  };
}

function notResponses(id: string): InferenceError {
  return new InferenceError(ErrorReason.NOT_FOUND, `'${id.slice(0, 64)}' is not a response: it came over RPC`);
}
