import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import type { DialectCodec } from "../codec.ts";
import { decodeRequest } from "./decode-request.ts";
import { encodeError } from "./encode-error.ts";
import { createEventEncoder } from "./encode-events.ts";
import { encodeResponse } from "./encode-response.ts";
import { resolveReferences } from "./resolve-references.ts";
import { spellPlace } from "./spell-place.ts";

/** Creates the codec of the Responses format. `now` tells the time in milliseconds since 1970. */
export function createResponsesCodec(now: () => number): DialectCodec {
  const nowSeconds = (): number => Math.floor(now() / 1000);
  return {
    dialect: Dialect.RESPONSES,
    decodeRequest,
    resolveReferences,
    encodeResponse: (response, request) => encodeResponse(response, request, nowSeconds()),
    createEventEncoder: (request) => createEventEncoder(request, nowSeconds),
    encodeError,
    spellPlace,
  };
}

/** The Responses format. */
export const responsesCodec: DialectCodec = createResponsesCodec(Date.now);
