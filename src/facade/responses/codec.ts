import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import type { CountingCodec } from "../codec.ts";
import { decodeRequest } from "./decode-request.ts";
import { encodeCount } from "./encode-count.ts";
import { encodeError } from "./encode-error.ts";
import { createEventEncoder } from "./encode-events.ts";
import { echoMembers } from "./encode-resource.ts";
import { encodeResponse } from "./encode-response.ts";
import { resolveReferences } from "./resolve-references.ts";
import { spellPlace } from "./spell-place.ts";

/** Creates the codec of the Responses format. `now` tells the time in milliseconds since 1970. */
export function createResponsesCodec(now: () => number): CountingCodec {
  const nowSeconds = (): number => Math.floor(now() / 1000);
  return {
    dialect: Dialect.RESPONSES,
    decodeRequest,
    resolveReferences,
    echo: echoMembers,
    encodeResponse: (response, request) => encodeResponse(response, request, nowSeconds()),
    createEventEncoder: (request) => createEventEncoder(request, nowSeconds),
    count: { decodeRequest: (body) => decodeRequest(body).input, encodeResponse: encodeCount },
    encodeError,
    spellPlace,
  };
}

/** The Responses format. */
export const responsesCodec: CountingCodec = createResponsesCodec(Date.now);
