import type { FastifyReply, FastifyRequest } from "fastify";
import { ErrorReason, InferenceError } from "../inference/error.ts";
import { callOf } from "./admit-request.ts";
import type { RpcClients } from "./client/clients.ts";
import { encodeStored, encodeStoredInput } from "./responses/encode-stored.ts";
import { paginateItems } from "./responses/paginate-items.ts";

const JSON_TYPE = "application/json; charset=utf-8";

/** Creates the handler of GET /v1/responses/{id}: the answer as its client got it. */
export function createGetResponse({ inference }: RpcClients) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { id, query, call } = readRequest(request, reply);
    if (query.stream !== undefined && query.stream !== "false") {
      throw InferenceError.invalid("stream", "a stored response is given whole: leave it out, or send false");
    }
    const found = await inference.getInference({ id }, call);
    const text = found.inference && encodeStored(found.inference);
    if (text === undefined) throw notResponses(id);
    return reply.header("content-type", JSON_TYPE).send(text);
  };
}

/** Creates the handler of DELETE /v1/responses/{id}. */
export function createDeleteResponse({ inference }: RpcClients) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { id, call } = readRequest(request, reply);
    await inference.deleteInference({ id }, call);
    return reply.send({ id, object: "response", deleted: true });
  };
}

/** Creates the handler of GET /v1/responses/{id}/input_items: what the model was given, page by page. */
export function createListInputItems({ inference }: RpcClients) {
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
    call: callOf(request, reply),
  };
}

function notResponses(id: string): InferenceError {
  return new InferenceError(ErrorReason.NOT_FOUND, `'${id.slice(0, 64)}' is not a response: it came over RPC`);
}
