import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import { unknownMembers } from "../shared/json.ts";
import type { DecodedCount, UpstreamProtocol } from "../shared/protocol.ts";
import { readCount } from "../shared/read-count.ts";
import { decodeError } from "./answer/decode-error.ts";
import { createEventDecoder } from "./answer/decode-events.ts";
import { messagesJson } from "./raw-json.ts";
import { encodeCountRequest, encodeRequest } from "./request/encode-request.ts";

/** Version of the API whose forms this folder reads and writes. */
const VERSION = "2023-06-01";

/** The Messages API of Anthropic and of services that speak it. */
export const anthropicMessagesProtocol: UpstreamProtocol = {
  dialect: Dialect.MESSAGES,
  path: "/v1/messages",
  requestIdHeaders: ["request-id"],
  forwardedHeaders: ["anthropic-ratelimit-"],
  headers(apiKey) {
    const headers: Record<string, string> = { "anthropic-version": VERSION };
    if (apiKey !== undefined) headers["x-api-key"] = apiKey;
    return headers;
  },
  encodeRequest,
  createEventDecoder,
  ownDialect: Dialect.MESSAGES,
  takesCacheMarks: true,
  count: { path: "/v1/messages/count_tokens", encodeRequest: encodeCountRequest, decodeCount },
  decodeError,
};

const KNOWN = new Set(["input_tokens"]);

/** Decodes the answer of POST /v1/messages/count_tokens. Throws UPSTREAM_ERROR. */
export function decodeCount(body: string): DecodedCount {
  const { inputTokens, json } = readCount(body);
  return { inputTokens, extension: messagesJson(unknownMembers(json, KNOWN)) };
}
