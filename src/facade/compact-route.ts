import type { FastifyReply, FastifyRequest } from "fastify";
import { encodeInputItems } from "../formats/responses/answer/encode-input-items.ts";
import { encodeStoredInput } from "../formats/responses/answer/encode-stored.ts";
import { responsesCodec } from "../formats/responses/codec.ts";
import { decodeCompactRequest, encodeCompaction } from "../formats/responses/encode-compaction.ts";
import type { JsonObject } from "../formats/shared/json.ts";
import type { HubInput } from "../hub/input.ts";
import { addCallFacts, getCall } from "./admit-request.ts";
import { type AdmittedCall, callFor } from "./client/admitted-call.ts";
import type { RpcClients } from "./client/clients.ts";
import { failAtPlaces } from "./fail.ts";
import type { GenerateOptions } from "./generate-route.ts";
import { objectBody } from "./parse-body.ts";
import { readStored } from "./read-stored.ts";
import { readRequestHeaders } from "./request-headers.ts";
import { idHeader, servingHeaders, usageHeaders } from "./serving-headers.ts";

/** Creates the handler of POST /v1/responses/compact: a conversation made short, for the client to go on from. */
export function createCompactHandler({ clients, sessionHeaders }: Pick<GenerateOptions, "clients" | "sessionHeaders">) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const body = objectBody(request.body);
    const input = decodeCompactRequest(body);
    request.body = undefined;
    Object.assign(input, readRequestHeaders(request.headers));
    addCallFacts(input, { headers: request.headers, body }, sessionHeaders);
    const spell = (place: string): string => responsesCodec.formatFieldPath(place, input);
    const call = getCall(request, reply);
    await responsesCodec.resolveReferences?.(input, (id) => readStored(clients, id, call));
    const response = await clients.inference.generate({ input }, callFor(input, call)).catch(failAtPlaces(spell));
    const items = await readItems(clients, { input, id: response.id }, call);
    return reply
      .headers(idHeader(response.id))
      .headers(servingHeaders(response.serving, { request, spell }))
      .headers(usageHeaders(response.finished?.usage))
      .send(encodeCompaction(response, items));
  };
}

/** Reads the items of the conversation that is made short: those before its input, and its input. */
async function readItems(
  { inference }: RpcClients,
  { input, id }: { readonly input: HubInput; readonly id: string },
  call: AdmittedCall,
): Promise<JsonObject[]> {
  const own = encodeInputItems(input.messages, id);
  if (input.previousId === undefined) return own;
  const found = await inference.getInference({ id: input.previousId, withPrevious: true }, call);
  return found.inference === undefined ? own : [...encodeStoredInput(found.inference, found.previous), ...own];
}
