import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import type { DialectCodec } from "../codec.ts";
import { encodeOpenAiError } from "../openai-error.ts";
import { decodeRequest } from "./decode-request.ts";
import { createEventEncoder } from "./encode-events.ts";
import { encodeResponse } from "./encode-response.ts";
import { spellPlace } from "./spell-place.ts";

/** Chat Completions. */
export const chatCodec: DialectCodec = {
  dialect: Dialect.CHAT,
  decodeRequest,
  encodeResponse,
  createEventEncoder,
  encodeError: encodeOpenAiError,
  spellPlace,
};
