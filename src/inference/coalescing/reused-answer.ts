import { create } from "@bufbuild/protobuf";
import type { Usage } from "../../../gen/attune/content/v1/content_pb.ts";
import {
  type Finished,
  type GenerateEvent,
  type GenerateResponse,
  type Serving,
  ServingSchema,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { QuotaState } from "../../../gen/attune/quota/v1/quota_pb.ts";
import type { AttemptHost } from "../attempts/attempt-host.ts";
import type { AttemptProgress } from "../attempts/attempt-progress.ts";
import { ownFinished, ownStarted } from "../attempts/own-events.ts";

/**
 * An answer that was made for another inference: one under way, whose call is shared, or one of before that was kept.
 */
export type ReusedAnswer =
  | { readonly kind: "coalescing"; readonly leader: { readonly winner: AttemptProgress | undefined } }
  | { readonly kind: "responseCache"; readonly kept: GenerateResponse };

/** An inference that is given such an answer. */
export interface ReuseTarget extends Pick<AttemptHost, "id" | "input" | "startedAt" | "answerLosses" | "savings"> {
  readonly given: ReusedAnswer | undefined;
  /** Tokens of the answer, as far as they are known. */
  readonly usage: Usage | undefined;
  /** Returns the limits that it is counted in. */
  quotas(): QuotaState[];
}

/**
 * Returns an event of another inference's answer as the own one of that which it is given to: all but the first and the
 * last are the same.
 */
export function rewriteEvent(event: GenerateEvent, run: ReuseTarget): GenerateEvent {
  const { case: kind, value } = event.event;
  if (kind === "started")
    return ownStarted(
      value,
      run,
      value.serving && { ...reusedServing(value.serving, run.given), quotas: run.quotas() },
    );
  if (kind !== "finished") return event;
  const translationLosses = run.answerLosses(value);
  return ownFinished(value, { translationLosses, savings: run.savings(value.usage ?? run.usage) });
}

function reusedServing(serving: Serving, given: ReusedAnswer | undefined): Serving {
  return given?.kind === "responseCache" ? cachedServing(serving, given.kept.finished) : sharedServing(serving);
}

/** Returns who served a cached answer. The upstream's limits are outdated, and losses of the answer come at its end. */
function cachedServing(serving: Serving, finished: Finished | undefined): Serving {
  const all = serving.translationLosses;
  const translationLosses = all.slice(0, all.length - (finished?.translationLosses.length ?? 0));
  const optimizations = ["response-cache"];
  return create(ServingSchema, { ...serving, optimizations, upstreamHeaders: {}, attempts: [], translationLosses });
}

/** Returns who serves a shared answer: its call was made for another inference. */
function sharedServing(serving: Serving): Serving {
  const optimizations = [...serving.optimizations, "coalesced"];
  return create(ServingSchema, { ...serving, optimizations, attempts: [] });
}
