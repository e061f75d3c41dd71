import { create } from "@bufbuild/protobuf";
import {
  type Finished,
  FinishReason,
  type GenerateResponse,
  type Serving,
  ServingSchema,
} from "../../gen/attune/inference/v1/inference_pb.ts";

/** Why an answer ended that is all that the model had to say. */
const WHOLE: ReadonlySet<FinishReason> = new Set([
  FinishReason.STOP,
  FinishReason.STOP_SEQUENCE,
  FinishReason.TOOL_USE,
]);

/** Who serves an answer of before. What the upstream said of its limits is over, and losses of the answer are told at its end. */
export function keptServing({ serving, finished }: GenerateResponse): Serving {
  const all = serving?.translationLosses ?? [];
  const translationLosses = all.slice(0, all.length - (finished?.translationLosses.length ?? 0));
  const own = { optimizations: ["replayed"], upstreamHeaders: {}, attempts: [], translationLosses };
  return create(ServingSchema, serving === undefined ? own : { ...serving, ...own });
}

/** Who serves a shared answer: its call was made for another inference. */
export function sharedServing(serving: Serving): Serving {
  const optimizations = [...serving.optimizations, "coalesced"];
  return create(ServingSchema, { ...serving, optimizations, attempts: [] });
}

/** Whether an answer ended of the model's own accord. */
export function isWhole(finished: Finished | undefined): boolean {
  return finished !== undefined && WHOLE.has(finished.reason);
}
