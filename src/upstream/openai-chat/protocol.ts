import { decodeOpenAiError } from "../openai-error.ts";
import type { UpstreamProtocol } from "../protocol.ts";
import { createEventDecoder } from "./decode-events.ts";
import { encodeRequest } from "./encode-request.ts";

/** Chat Completions, as OpenAI and most other servers speak it. */
export const openaiChatProtocol: UpstreamProtocol = {
  path: "/chat/completions",
  requestIdHeaders: ["x-request-id"],
  headers: (apiKey): Record<string, string> => (apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  encodeRequest,
  createEventDecoder,
  decodeError: decodeOpenAiError,
};
