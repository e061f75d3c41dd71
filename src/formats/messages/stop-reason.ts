import { type Finished, FinishReason } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ownMembers } from "./answer/encode-answer-block.ts";

/**
 * Word of the Messages format for each reason. A filter's cut is told as a refusal: the format has no word of its own.
 * A word that nobody knows is no natural end: the answer is told as one that was cut.
 */
const WORD: Record<FinishReason, string> = {
  [FinishReason.UNSPECIFIED]: "max_tokens",
  [FinishReason.STOP]: "end_turn",
  [FinishReason.STOP_SEQUENCE]: "stop_sequence",
  [FinishReason.LENGTH]: "max_tokens",
  [FinishReason.CONTEXT_WINDOW]: "model_context_window_exceeded",
  [FinishReason.TOOL_USE]: "tool_use",
  [FinishReason.CONTENT_FILTER]: "refusal",
  [FinishReason.REFUSAL]: "refusal",
  [FinishReason.PAUSE]: "pause_turn",
};

/** Maps a reason to `stop_reason`. */
export function mapFinishReason(reason: FinishReason): string {
  return WORD[reason] ?? "max_tokens";
}

/** The facts of an answer that its reason depends on. */
interface AnswerFacts {
  readonly hasRefusal: boolean;
  readonly hasCalls: boolean;
}

/**
 * Encodes why an answer ended. A word that only this format knows stays what it is. Other formats tell a refusal by its
 * block; here it is text, and only the reason tells. Of calls beside a reason that nobody knows, clients make none.
 */
export function encodeStopReason({ reason, extension }: Finished, { hasRefusal, hasCalls }: AnswerFacts): string {
  const own = reason === FinishReason.UNSPECIFIED ? ownMembers(extension)?.["stop_reason"] : undefined;
  if (typeof own === "string") return own;
  if (hasCalls && reason === FinishReason.UNSPECIFIED) return mapFinishReason(FinishReason.TOOL_USE);
  return mapFinishReason(hasRefusal && reason === FinishReason.STOP ? FinishReason.REFUSAL : reason);
}
