import type { FastifyReply, FastifyRequest } from "fastify";
import type { CountTokensResponse } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { callOf } from "../admit-request.ts";
import type { RpcClients } from "../client/clients.ts";
import { objectBody } from "../parse-body.ts";
import { readRequestHeaders } from "../request-headers.ts";
import { servingHeaders } from "../serving-headers.ts";
import { decodeCountRequest } from "./decode-request.ts";
import { ownMembers } from "./encode-block.ts";

/** Creates the handler of POST /v1/messages/count_tokens. */
export function createCountTokensHandler(clients: RpcClients) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const input = decodeCountRequest(objectBody(request.body), request.headers);
    Object.assign(input, readRequestHeaders(request.headers));
    const response = await clients.inference.countTokens({ input }, callOf(request, reply));
    return reply.headers(servingHeaders(response.serving, request)).send(encodeCount(response));
  };
}

function encodeCount({ inputTokens, extension }: CountTokensResponse): object {
  return { ...ownMembers(extension), input_tokens: inputTokens };
}
