import { Dialect } from "../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError } from "./error.ts";

/** How much a request may have of what costs time for each piece. */
export interface CountLimits {
  readonly messages: number;
  readonly tools: number;
}

/** Creates a check of how many messages and tools a request has. It throws INVALID_REQUEST that names the limit. */
export function createCountCheck(limits: CountLimits): (input: InferenceInput) => void {
  return ({ dialect, messages, tools }) => {
    const isResponses = dialect === Dialect.RESPONSES;
    const name = isResponses ? "input" : "messages";
    check({ name, what: isResponses ? "items" : "messages", count: messages.length, limit: limits.messages });
    check({ name: "tools", what: "tools", count: tools.length, limit: limits.tools });
  };
}

interface Counted {
  readonly name: string;
  readonly what: string;
  readonly count: number;
  readonly limit: number;
}

function check({ name, what, count, limit }: Counted): void {
  if (count <= limit) return;
  throw InferenceError.invalid(name, `has ${count} ${what}, and this service takes at most ${limit}`);
}
