import { ErrorReason, InferenceError } from "../../hub/error.ts";
import { shortPlaces } from "../../hub/places.ts";
import type { EventSink, UpstreamCall, UpstreamTarget } from "../../hub/upstream.ts";
import { checkStrict } from "../checks/answer-losses.ts";
import { prepareInput } from "../history/compaction.ts";
import { prepareAtPlaces } from "../history/history-places.ts";
import { holdsOwnState } from "../history/open-input.ts";
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
  const { signal } = progress.begun;
  try {
    await prepareCall(run, progress).send(sink, signal);
  } catch (thrown) {
    if (!isOtherAccounts(run, progress, thrown)) throw thrown;
    await prepareCall(run, progress, true).send(sink, signal);
  }
}

/**
 * The words by which services refuse an item, or sealed reasoning, that another account made: OpenAI, Azure, xAI,
 * Anthropic and Gemini.
 */
const UNKNOWN_STATE =
  /^item with id\b.{0,300}\bnot found|\bencrypted[ _]content\b.{0,300}\b(?:could not|cannot|failed|invalid)|\b(?:decrypt|decode)\b.{0,80}\bencrypted[ _]content|invalid `?signature`? in `?thinking|thought signature is not valid|corrupted thought signature/i;

/**
 * Tells whether the upstream has refused what it is recorded to have made: one of its keys is another account's, or its
 * account has changed. Without that the same request may go on there.
 */
function isOtherAccounts(run: AttemptHost, progress: AttemptProgress, thrown: unknown): boolean {
  if (!(thrown instanceof InferenceError) || progress.hasBegun) return false;
  const { reason, facts, message } = thrown;
  if (reason !== ErrorReason.INVALID_REQUEST && reason !== ErrorReason.NOT_FOUND) return false;
  if (facts.upstreamCode !== "invalid_encrypted_content" && !UNKNOWN_STATE.test(message.slice(0, 2000))) return false;
  const { upstream, deployment } = progress.begun.planned;
  return holdsOwnState(run.prompt, { upstream, deployment });
}

/** Puts the request in the format of the upstream, and notes what that loses. */
function prepareCall(run: AttemptHost, progress: AttemptProgress, isAnotherAccount = false): UpstreamCall {
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
    const place = { upstream, deployment, isAnotherAccount };
    const call = prepareAtPlaces(run.prompt, place, (opened) => prepareInput(upstream, opened, target));
    const losses = shortPlaces(call.losses);
    progress.request = losses === call.losses ? call : { ...call, losses };
    checkStrict(run.input, losses, upstream.name);
    return call;
  });
}
