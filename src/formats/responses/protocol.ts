import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import { unknownMembers } from "../shared/json.ts";
import { OPENAI_FORWARDED_HEADERS } from "../shared/openai-headers.ts";
import type { DecodedCount, UpstreamProtocol } from "../shared/protocol.ts";
import { readCount } from "../shared/read-count.ts";
import { responsesJson } from "../shared/responses-json.ts";
import { decodeError } from "./answer/decode-error.ts";
import { createEventDecoder } from "./answer/decode-events.ts";
import { createCompactionDecoder, encodeCompactionRequest } from "./request/compaction.ts";
import { encodeCountRequest, encodeRequest } from "./request/encode-request.ts";

/** The Responses API of OpenAI and of services that speak it. */
export const openaiResponsesProtocol: UpstreamProtocol = {
  dialect: Dialect.RESPONSES,
  path: "/responses",
  requestIdHeaders: ["x-request-id"],
  forwardedHeaders: OPENAI_FORWARDED_HEADERS,
  headers(apiKey): Record<string, string> {
    return apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  },
  encodeRequest,
  count: { path: "/responses/input_tokens", encodeRequest: encodeCountRequest, decodeCount },
  compaction: {
    path: "/responses/compact",
    encodeRequest: encodeCompactionRequest,
    createEventDecoder: createCompactionDecoder,
  },
  createEventDecoder,
  decodeError,
};

const KNOWN = new Set(["object", "input_tokens"]);

/** Decodes the answer of POST /responses/input_tokens. Throws UPSTREAM_ERROR. */
function decodeCount(body: string): DecodedCount {
  const { inputTokens, json } = readCount(body);
  return { inputTokens, extension: responsesJson(unknownMembers(json, KNOWN)) };
}
