import { Role } from "../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";

/** Characters that are enough for whoever groups prompts. */
const ENOUGH = 4096;

/**
 * Returns what a conversation began with: the texts of the first message of its user, or no more of them than are
 * looked at. All turns of a conversation have it in common, so they are of one cluster.
 */
export function readPromptText({ messages }: InferenceInput): string {
  const first = messages.find(({ role }) => role === Role.USER);
  let text = "";
  for (const { kind } of first?.content ?? []) {
    if (kind.case !== "text") continue;
    text += text === "" ? kind.value.text : `\n${kind.value.text}`;
    if (text.length >= ENOUGH) break;
  }
  return text;
}
