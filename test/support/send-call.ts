import type { GenerateEvent } from "../../gen/attune/inference/v1/inference_pb.ts";
import type { UpstreamCall } from "../../src/hub/upstream.ts";
import { iterate } from "../../src/lib/iterate.ts";

/** Sends a call and yields the batches of its answer; a reader who leaves aborts it. */
export function sendCall(call: UpstreamCall, signal = new AbortController().signal): AsyncGenerator<GenerateEvent[]> {
  return iterate((take, left) => call.send(take, AbortSignal.any([signal, left])));
}
