import { shortPlaces } from "../../hub/places.ts";
import type { EventSink, UpstreamCall, UpstreamTarget } from "../../hub/upstream.ts";
import { checkStrict } from "../checks/answer-losses.ts";
import { prepareAsked } from "../history/compaction.ts";
import { prepareAtPlaces } from "../history/history-places.ts";
import type { AttemptHost } from "./attempt-host.ts";
import type { AttemptProgress } from "./attempt-progress.ts";
import { refusing, reserving } from "./refused-attempt.ts";

/**
 * Asks the upstream of an attempt, once there is room in the limits of the caller. Throws RefusedAttempt or
 * InferenceError.
 */
export async function askUpstream(run: AttemptHost, progress: AttemptProgress, sink: EventSink): Promise<void> {
  const reserved = reserving(() => run.reserve(progress.begun.planned));
  const quota = reserved instanceof Promise ? await reserved : reserved;
  // It may have been broken off meanwhile, and nobody settles it then.
  if (progress.isEnded) quota?.settle({});
  progress.quota = quota;
  await prepareCall(run, progress).send(sink, progress.begun.signal);
}

/** Puts the request in the format of the upstream, and notes what that loses. */
function prepareCall(run: AttemptHost, progress: AttemptProgress): UpstreamCall {
  const { model, upstream, deployment } = progress.begun.planned;
  const { cachedParts, cacheKey, prefixKey } = run.plan;
  const target: UpstreamTarget = {
    model,
    deployment,
    cachedParts,
    cacheKey,
    prefixKey,
    streamed: run.streamed,
    inferenceId: run.id,
    projectId: run.principal.projectId,
    choices: run.choicesPerCall,
    traceHeaders: run.traceHeaders(progress),
    onSent: progress.sent,
  };
  return refusing(() => {
    const place = { upstream, deployment };
    const call = prepareAtPlaces(run.prompt, place, (opened) => prepareAsked(upstream, opened, target));
    const losses = shortPlaces(call.losses);
    progress.request = losses === call.losses ? call : { ...call, losses };
    checkStrict(run.input, losses, upstream.name);
    return call;
  });
}
