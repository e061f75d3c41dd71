import { type Finished, FinishReason } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { mapFinishReason } from "../stop-reason.ts";
import { ownMembers } from "./encode-answer-block.ts";

/** What an answer has that its reason has to tell. */
interface Said {
  readonly hasRefusal: boolean;
  readonly hasCalls: boolean;
}

/**
 * Encodes why an answer ended. A word that only this format knows stays what it is. Other formats tell a refusal by its
 * block; here it is text, and only the reason tells. Of calls beside a reason that nobody knows, clients make none.
 */
export function encodeStopReason({ reason, extension }: Finished, { hasRefusal, hasCalls }: Said): string {
  const own = reason === FinishReason.UNSPECIFIED ? ownMembers(extension)?.["stop_reason"] : undefined;
  if (typeof own === "string") return own;
  if (hasCalls && reason === FinishReason.UNSPECIFIED) return mapFinishReason(FinishReason.TOOL_USE);
  return mapFinishReason(hasRefusal && reason === FinishReason.STOP ? FinishReason.REFUSAL : reason);
}
