import type { FeedbackTarget } from "../hub/answer-ids.ts";
import { ErrorReason, InferenceError } from "../hub/error.ts";

/** Most events of one batch that a feedback token sends. */
const MAX_TOKEN_EVENTS = 20;

/** Checks the size of a batch that a feedback token sends. Throws INVALID_REQUEST. */
export function checkTokenBatch(events: number): void {
  if (events <= MAX_TOKEN_EVENTS) return;
  const problem = `must be at most ${MAX_TOKEN_EVENTS} where a feedback token sends them, not ${events}`;
  throw InferenceError.invalid("events", problem);
}

/** Checks that an event is on what a feedback token is for. Throws PERMISSION_DENIED. */
export function checkTokenTarget(allowed: FeedbackTarget, { inferenceId, attempt, sessionId }: FeedbackTarget): void {
  const isSame = inferenceId === allowed.inferenceId && attempt === allowed.attempt && sessionId === allowed.sessionId;
  if (isSame) return;
  const param = sessionId === null ? "inference_id" : "session_id";
  const message = `${param}: is not what this feedback token is for: send feedback on that alone`;
  throw new InferenceError(ErrorReason.PERMISSION_DENIED, message, { param });
}
