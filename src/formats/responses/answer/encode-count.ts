import type { CountTokensResponse } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { readResponsesJson } from "../../shared/responses-json.ts";

/** Encodes the answer of POST /v1/responses/input_tokens. */
export function encodeCount({ inputTokens, extension }: CountTokensResponse): object {
  return { ...readResponsesJson(extension), object: "response.input_tokens", input_tokens: inputTokens };
}
