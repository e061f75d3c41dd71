import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import type { CountingCodec } from "../codec.ts";
import { decodeCountRequest, decodeRequest } from "./decode-request.ts";
import { encodeCount } from "./encode-count.ts";
import { encodeError } from "./encode-error.ts";
import { createEventEncoder } from "./encode-events.ts";
import { encodeResponse } from "./encode-response.ts";
import { spellPlace } from "./spell-place.ts";

/** The Messages format. */
export const messagesCodec: CountingCodec = {
  dialect: Dialect.MESSAGES,
  decodeRequest,
  encodeResponse,
  createEventEncoder,
  count: { decodeRequest: decodeCountRequest, encodeResponse: encodeCount },
  encodeError,
  spellPlace,
};
