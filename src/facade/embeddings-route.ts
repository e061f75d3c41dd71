import type { FastifyReply, FastifyRequest } from "fastify";
import { Dialect } from "../../gen/attune/content/v1/content_pb.ts";
import type { CreateEmbeddingsRequest } from "../../gen/attune/inference/v1/inference_pb.ts";
import { readCallFacts } from "../admission/call-facts.ts";
import { encodeResponse } from "../formats/embeddings/answer/encode-response.ts";
import { formatFieldPath } from "../formats/embeddings/format-field-path.ts";
import { decodeRequest } from "../formats/embeddings/request/decode-request.ts";
import { isJsonObject, type JsonObject } from "../formats/shared/json.ts";
import { headerError } from "../hub/header-error.ts";
import { yieldIfLarge } from "../lib/event-loop-budget.ts";
import { getCall } from "./admit-request.ts";
import { callFor } from "./client/admitted-call.ts";
import { failAtPlaces } from "./fail.ts";
import type { GenerateOptions } from "./generate-route.ts";
import { objectBody } from "./parse-body.ts";
import { announcedBytes, readRequestHeaders } from "./request-headers.ts";
import { idHeader, servingHeaders, usageHeaders } from "./serving-headers.ts";

/** Creates the handler of POST /v1/embeddings. */
export function createEmbeddingsHandler({ clients, sessionHeaders }: Omit<GenerateOptions, "heartbeatMs">) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const body = objectBody(request.body);
    const message = withHeaders(decodeRequest(body), { body, request, sessionHeaders });
    request.body = undefined;
    await yieldIfLarge(announcedBytes(request.headers));
    const { encoding } = message;
    const call = callFor({ dialect: Dialect.EMBEDDINGS }, getCall(request, reply));
    const response = await clients.inference.createEmbeddings(message, call).catch(failAtPlaces(formatFieldPath));
    return reply
      .headers(idHeader(response.id))
      .headers(servingHeaders(response.serving, { request, spell: formatFieldPath }))
      .headers(usageHeaders(response.usage))
      .send(encodeResponse(response, encoding));
  };
}

/** Adds what the headers say. Throws INVALID_REQUEST. */
function withHeaders(
  message: CreateEmbeddingsRequest,
  from: {
    readonly body: JsonObject;
    readonly request: FastifyRequest;
    readonly sessionHeaders: readonly string[];
  },
): CreateEmbeddingsRequest {
  const { body, sessionHeaders } = from;
  const { headers } = from.request;
  const { workload, maxCostNanos, noTexts, plain, candidates = 1 } = readRequestHeaders(headers);
  if (candidates > 1) throw headerError("attune-candidates", "is not for embeddings: leave it out");
  const facts = readCallFacts({
    get: (name) => headers[name]?.toString(),
    sessionHeaders,
    metadata: isJsonObject(body.metadata) ? body.metadata : undefined,
    endUsers: [message.endUserId],
    promptCacheKey: undefined,
  });
  return Object.assign(
    message,
    workload !== undefined && { workload },
    maxCostNanos !== undefined && { maxCostNanos },
    noTexts !== undefined && { noTexts },
    plain !== undefined && { plain },
    facts !== undefined && { facts },
  );
}
