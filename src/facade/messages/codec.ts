import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import type { DialectCodec } from "../codec.ts";
import { decodeRequest } from "./decode-request.ts";
import { encodeError } from "./encode-error.ts";
import { createEventEncoder } from "./encode-events.ts";
import { encodeResponse } from "./encode-response.ts";
import { spellPlace } from "./spell-place.ts";

/** The Messages format. */
export const messagesCodec: DialectCodec = {
  dialect: Dialect.MESSAGES,
  decodeRequest,
  encodeResponse,
  createEventEncoder,
  encodeError,
  spellPlace,
};
