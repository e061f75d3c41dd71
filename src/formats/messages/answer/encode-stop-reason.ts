import { type Finished, FinishReason } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { mapFinishReason } from "../stop-reason.ts";
import { ownMembers } from "./encode-answer-block.ts";

/**
 * Encodes why an answer ended. A word that only this format knows stays what it is. Other formats tell a refusal by its
 * block; here it is text, and only the reason tells.
 */
export function encodeStopReason({ reason, extension }: Finished, hasRefusal: boolean): string {
  const own = reason === FinishReason.UNSPECIFIED ? ownMembers(extension)?.["stop_reason"] : undefined;
  if (typeof own === "string") return own;
  return mapFinishReason(hasRefusal && reason === FinishReason.STOP ? FinishReason.REFUSAL : reason);
}
