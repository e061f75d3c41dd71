import type { FastifyReply, FastifyRequest } from "fastify";
import type { CountTokensResponse } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { callOf } from "../admit-request.ts";
import type { RpcClients } from "../client/clients.ts";
import { toInferenceError } from "../fail.ts";
import { objectBody } from "../parse-body.ts";
import { readRequestHeaders } from "../request-headers.ts";
import { servingHeaders } from "../serving-headers.ts";
import { decodeCountRequest } from "./decode-request.ts";
import { ownMembers } from "./encode-block.ts";
import { spellPlace } from "./spell-place.ts";

/** Creates the handler of POST /v1/messages/count_tokens. */
export function createCountTokensHandler(clients: RpcClients) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const input = decodeCountRequest(objectBody(request.body), request.headers);
    Object.assign(input, readRequestHeaders(request.headers));
    const spell = (place: string): string => spellPlace(place, input);
    const call = callOf(request, reply);
    const response = await clients.inference.countTokens({ input }, call).catch((thrown: unknown) => {
      throw toInferenceError(thrown).atPlaces(spell);
    });
    return reply.headers(servingHeaders(response.serving, { request, spell })).send(encodeCount(response));
  };
}

function encodeCount({ inputTokens, extension }: CountTokensResponse): object {
  return { ...ownMembers(extension), input_tokens: inputTokens };
}
