import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import type { CountTokensResponse } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { CountingCodec } from "../shared/codec.ts";
import { ownMembers } from "./answer/encode-answer-block.ts";
import { encodeError } from "./answer/encode-error.ts";
import { createEventEncoder } from "./answer/encode-events.ts";
import { encodeResponse } from "./answer/encode-response.ts";
import { formatFieldPath } from "./format-field-path.ts";
import { decodeCountRequest, decodeRequest } from "./request/decode-request.ts";

/** The Messages format. */
export const messagesCodec: CountingCodec = {
  dialect: Dialect.MESSAGES,
  decodeRequest,
  encodeResponse,
  createEventEncoder,
  count: { decodeRequest: decodeCountRequest, encodeResponse: encodeCount },
  encodeError,
  formatFieldPath,
};

/** Encodes the answer of POST /v1/messages/count_tokens. */
function encodeCount({ inputTokens, extension }: CountTokensResponse): object {
  return { ...ownMembers(extension), input_tokens: inputTokens };
}
