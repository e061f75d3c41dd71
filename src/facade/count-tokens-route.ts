import type { FastifyReply, FastifyRequest } from "fastify";
import type { CountingCodec } from "../formats/shared/codec.ts";
import { callOf } from "./admit-request.ts";
import { callFor } from "./client/admitted-call.ts";
import type { RpcClients } from "./client/clients.ts";
import { failAtPlaces } from "./fail.ts";
import { objectBody } from "./parse-body.ts";
import { readStored } from "./read-stored.ts";
import { readRequestHeaders } from "./request-headers.ts";
import { servingHeaders } from "./serving-headers.ts";

/** Creates the handler of the route on which a format asks for the tokens of a prompt. */
export function createCountTokensHandler(codec: CountingCodec, clients: RpcClients) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const input = codec.count.decodeRequest(objectBody(request.body), request.headers);
    Object.assign(input, readRequestHeaders(request.headers));
    const spell = (place: string): string => codec.formatFieldPath(place, input);
    const call = callOf(request, reply);
    await codec.resolveReferences?.(input, (id) => readStored(clients, id, call));
    const response = await clients.inference.countTokens({ input }, callFor(input, call)).catch(failAtPlaces(spell));
    return reply
      .headers(servingHeaders(response.serving, { request, spell }))
      .header("attune-token-count", response.estimated ? "estimated" : "exact")
      .send(codec.count.encodeResponse(response));
  };
}
