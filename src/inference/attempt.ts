import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  Deviation,
  type Finished,
  type GenerateEvent,
  ServingSchema,
  type Started,
} from "../../gen/attune/inference/v1/inference_pb.ts";
import { checkStrict } from "./attempts.ts";
import { createOrderCheck } from "./check-order.ts";
import { createSizeCheck } from "./check-size.ts";
import { ErrorReason, InferenceError } from "./error.ts";
import { prepareAtPlaces } from "./history-places.ts";
import { openInput } from "./open-input.ts";
import type { Attempt, UpstreamCall } from "./ports.ts";
import type { InferenceRun } from "./run.ts";
import type { Origin } from "./seal.ts";
import { sealEvent } from "./seal-events.ts";

/** One call of one upstream for an inference. */
export interface RunningAttempt {
  /** The request, translated and not yet sent. */
  readonly call: UpstreamCall;
  /** Checks, completes and takes note of what the upstream sent, before it is handed on. */
  take(events: readonly GenerateEvent[]): void;
  /** The upstream's stream has ended. Throws STREAM_INTERRUPTED if its end event is missing. */
  end(): void;
}

/** Translates the inference for the deployment. Throws what the translation refuses. */
export function beginAttempt(run: InferenceRun, target: Attempt): RunningAttempt {
  const origin = { upstream: target.upstream.name, model: target.deployment.model };
  const call = prepare(run, target, origin);
  run.tryAttempt(target, call.losses);
  const checkOrder = createOrderCheck();
  const checkSize = createSizeCheck(maxTokensOf(run));
  const take = (event: GenerateEvent): void => {
    checkOrder(event);
    checkSize(event);
    sealEvent(event, origin);
    if (event.event.case === "started") fillStarted(event.event.value, run);
    if (event.event.case === "finished") fillFinished(event.event.value, run);
    run.add(event);
  };
  return {
    call,
    take(events) {
      try {
        for (const event of events) take(event);
      } catch (thrown) {
        throw InferenceError.fromUpstream(thrown);
      }
    },
    end() {
      if (run.finished) return;
      throw new InferenceError(ErrorReason.STREAM_INTERRUPTED, "the upstream's stream ended without an end event");
    },
  };
}

/** Most tokens that the answer may have. */
function maxTokensOf({ input, plan }: InferenceRun): number {
  return Math.min(input.maxOutputTokens ?? Number.POSITIVE_INFINITY, plan.model.maxOutputTokens);
}

function prepare(run: InferenceRun, { upstream, deployment }: Attempt, origin: Origin): UpstreamCall {
  const target = {
    model: run.plan.model,
    deployment,
    streamed: run.streamed,
    inferenceId: run.id,
    projectId: run.principal.projectId,
  };
  const call = prepareAtPlaces(run.prompt, () => {
    const { input, own } = openInput(run.prompt.input, origin);
    return upstream.prepare(input, { ...target, ownReasoning: own });
  });
  checkStrict(run.input, call.losses, upstream.name);
  return call;
}

function fillStarted(started: Started, run: InferenceRun): void {
  started.id = run.id;
  started.model = run.input.model;
  started.createdAt = timestampFromDate(run.startedAt);
  started.serving = create(ServingSchema, {
    upstream: run.upstream,
    upstreamModel: started.serving?.upstreamModel || run.upstreamModel,
    upstreamRequestId: started.serving?.upstreamRequestId ?? "",
    upstreamHeaders: started.serving?.upstreamHeaders ?? {},
    optimizations: [...run.optimizations],
    deviation: Deviation.NONE,
    translationLosses: [...run.losses],
  });
}

function fillFinished(finished: Finished, run: InferenceRun): void {
  finished.completedAt = timestampFromDate(new Date());
  finished.translationLosses = run.answerLosses(finished);
}
