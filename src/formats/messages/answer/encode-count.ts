import type { CountTokensResponse } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { ownMembers } from "./encode-answer-block.ts";

/** Encodes the answer of POST /v1/messages/count_tokens. */
export function encodeCount({ inputTokens, extension }: CountTokensResponse): object {
  return { ...ownMembers(extension), input_tokens: inputTokens };
}
