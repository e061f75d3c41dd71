import { type Finished, FinishReason } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { mapFinishReason } from "../../wire/messages/stop-reason.ts";

/** Encodes why an answer ended. Other formats tell a refusal by its block; here it is text, and only the reason tells. */
export function encodeStopReason({ reason, rawReason }: Finished, hasRefusal: boolean): string {
  return mapFinishReason(hasRefusal && reason === FinishReason.STOP ? FinishReason.REFUSAL : reason, rawReason);
}
