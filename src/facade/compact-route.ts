import type { FastifyReply, FastifyRequest } from "fastify";
import { responsesCodec } from "../formats/responses/codec.ts";
import { decodeCompactRequest, encodeCompaction } from "../formats/responses/encode-compaction.ts";
import { addCallFacts, callOf } from "./admit-request.ts";
import { callFor } from "./client/admitted-call.ts";
import { failAtPlaces } from "./fail.ts";
import type { GenerateOptions } from "./generate-route.ts";
import { objectBody } from "./parse-body.ts";
import { readStored } from "./read-stored.ts";
import { readRequestHeaders } from "./request-headers.ts";
import { servingHeaders, usageHeaders } from "./serving-headers.ts";

/** Creates the handler of POST /v1/responses/compact: a conversation made short, for the client to go on from. */
export function createCompactHandler({ clients, sessionHeaders }: Pick<GenerateOptions, "clients" | "sessionHeaders">) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const body = objectBody(request.body);
    const input = decodeCompactRequest(body);
    request.body = undefined;
    Object.assign(input, readRequestHeaders(request.headers));
    addCallFacts(input, { headers: request.headers, body }, sessionHeaders);
    const spell = (place: string): string => responsesCodec.formatFieldPath(place, input);
    const call = callOf(request, reply);
    await responsesCodec.resolveReferences?.(input, (id) => readStored(clients, id, call));
    const response = await clients.inference.generate({ input }, callFor(input, call)).catch(failAtPlaces(spell));
    return reply
      .headers(servingHeaders(response.serving, { request, spell }))
      .headers(usageHeaders(response.finished?.usage))
      .send(encodeCompaction(response, input));
  };
}
