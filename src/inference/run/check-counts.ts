import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError } from "../../hub/error.ts";

/** The limits on the parts of a request that cost time each. */
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

/** Throws where a count is above its limit. The text avoids both "message" and "item", which differ by format. */
function check(name: string, count: number, limit: number): void {
  if (count <= limit) return;
  throw InferenceError.invalid(name, `has ${count} entries, and this service takes at most ${limit}`);
}
