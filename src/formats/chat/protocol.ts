import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import { decodeOpenAiError } from "../shared/decode-openai-error.ts";
import { OPENAI_FORWARDED_HEADERS } from "../shared/openai-headers.ts";
import type { UpstreamProtocol } from "../shared/protocol.ts";
import { createEventDecoder } from "./answer/decode-events.ts";
import { encodeRequest } from "./request/encode-request.ts";

/** Chat Completions, as OpenAI and most other servers speak it. */
export const openaiChatProtocol: UpstreamProtocol = {
  dialect: Dialect.CHAT,
  path: "/chat/completions",
  requestIdHeaders: ["x-request-id"],
  forwardedHeaders: OPENAI_FORWARDED_HEADERS,
  headers: (apiKey): Record<string, string> => (apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  encodeRequest,
  createEventDecoder,
  takesChoices: true,
  ownDialect: Dialect.CHAT,
  decodeError: decodeOpenAiError,
};
