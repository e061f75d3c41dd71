import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import type { CountTokensResponse } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { CountingCodec } from "../shared/codec.ts";
import { readResponsesJson } from "../shared/responses-json.ts";
import { encodeError } from "./answer/encode-error.ts";
import { createEventEncoder } from "./answer/encode-events.ts";
import { echoMembers } from "./answer/encode-resource.ts";
import { encodeResponse } from "./answer/encode-response.ts";
import { formatFieldPath } from "./format-field-path.ts";
import { decodeRequest } from "./request/decode-request.ts";
import { resolveReferences } from "./request/resolve-references.ts";

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
    formatFieldPath,
  };
}

/** The Responses format. */
export const responsesCodec: CountingCodec = createResponsesCodec(Date.now);

/** Encodes the answer of POST /v1/responses/input_tokens. */
function encodeCount({ inputTokens, extension }: CountTokensResponse): object {
  return { ...readResponsesJson(extension), object: "response.input_tokens", input_tokens: inputTokens };
}
