import { Dialect, type Message, Role } from "../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../gen/attune/inference/v1/inference_pb.ts";

/** Items of the Responses format that bring tools into a conversation, and those that ask for them. */
const BRINGING = /"(?:additional_tools|tool_search_output|tool_search_call)"/;

/** Tells whether a message may be an item that brings tools, or asks for them. */
export function bringsTools({ role, content: [block] }: Message): boolean {
  if (role !== Role.UNSPECIFIED || block?.kind.case !== "opaque") return false;
  const { dialect, json } = block.kind.value;
  return dialect === Dialect.RESPONSES && BRINGING.test(json);
}

/** Tells whether a model may call tools, wherever in the request they stand. */
export function offersTools({ tools, messages }: InferenceInput): boolean {
  return tools.length > 0 || messages.some(bringsTools);
}
