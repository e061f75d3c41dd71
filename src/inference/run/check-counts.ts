import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError } from "../../hub/error.ts";

/** How much a request may have of what costs time for each piece. */
interface CountLimits {
  readonly messages: number;
  readonly tools: number;
}

/** Creates a check of how many messages and tools a request has. It throws INVALID_REQUEST that names the limit. */
export function createCountCheck(limits: CountLimits): (input: InferenceInput) => void {
  return ({ messages, tools }) => {
    check("messages", messages.length, limits.messages);
    check("tools", tools.length, limits.tools);
  };
}

/** What one format calls a message another calls an item, so that the text calls it neither. */
function check(name: string, count: number, limit: number): void {
  if (count <= limit) return;
  throw InferenceError.invalid(name, `has ${count} entries, and this service takes at most ${limit}`);
}
