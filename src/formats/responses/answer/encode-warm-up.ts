import type { DecodedRequest } from "../../shared/codec.ts";
import { encodeItems } from "./encode-item.ts";
import { echoMembers, encodeResource, type Outcome } from "./encode-resource.ts";
import { Frames } from "./frames.ts";

/**
 * Encodes the events of a request that wants no answer yet: a Response without output, whose id the client goes on
 * with. Each repeats the request, and is made when it is asked for.
 */
export function* encodeWarmUp(id: string, { input, body }: DecodedRequest, nowSeconds: number): Generator<string> {
  const frames = new Frames();
  const echo = echoMembers(body) ?? {};
  const response = (status: Outcome["status"], completedAt: number | null): string => {
    const outcome: Outcome = {
      status,
      completedAt,
      error: null,
      incompleteDetails: null,
      output: encodeItems([], "completed"),
      usage: completedAt === null ? null : NO_USAGE,
    };
    const identity = { id, model: input.model, createdAt: nowSeconds };
    return `"response":${JSON.stringify(encodeResource(echo, identity, outcome))}`;
  };
  yield frames.event("response.created", `"id":${JSON.stringify(id)},${response("in_progress", null)}`);
  yield frames.event("response.in_progress", response("in_progress", null));
  yield frames.event("response.completed", response("completed", nowSeconds));
}

/** No model was asked. */
const NO_USAGE = {
  input_tokens: 0,
  input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
  output_tokens: 0,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 0,
};
