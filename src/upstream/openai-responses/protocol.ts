import { OPENAI_FORWARDED_HEADERS } from "../openai-headers.ts";
import type { UpstreamProtocol } from "../protocol.ts";
import { createCompactionDecoder, encodeCompactionRequest } from "./compaction.ts";
import { decodeCount } from "./decode-count.ts";
import { decodeError } from "./decode-error.ts";
import { createEventDecoder } from "./decode-events.ts";
import { encodeCountRequest, encodeRequest } from "./encode-request.ts";

/** The Responses API of OpenAI and of services that speak it. */
export const openaiResponsesProtocol: UpstreamProtocol = {
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
