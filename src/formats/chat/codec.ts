import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import type { DialectCodec } from "../shared/codec.ts";
import { encodeOpenAiError } from "../shared/encode-openai-error.ts";
import { createEventEncoder } from "./answer/encode-events.ts";
import { encodeResponse } from "./answer/encode-response.ts";
import { formatFieldPath } from "./format-field-path.ts";
import { usesFunctions } from "./request/decode-functions.ts";
import { decodeRequest } from "./request/decode-request.ts";

/** Chat Completions. */
export const chatCodec: DialectCodec = {
  dialect: Dialect.CHAT,
  decodeRequest,
  echo: (body) => (usesFunctions(body) ? { functions: [] } : undefined),
  encodeResponse,
  createEventEncoder,
  encodeError: encodeOpenAiError,
  formatFieldPath,
};
