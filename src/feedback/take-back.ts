import { ErrorReason, InferenceError } from "../hub/error.ts";
import type { Principal } from "../hub/principal.ts";
import type { EventDraft } from "./draft-event.ts";
import { failed } from "./failures.ts";
import { isWithin } from "./flatten.ts";
import type { FeedbackPorts } from "./ports.ts";

type TakeBackPorts = Pick<FeedbackPorts, "feedback" | "log">;

/** Most events of one batch that take something back: each waits for what came before it to be written. */
const MOST_EVENTS = 100;

/** Fails the events beyond a bound that take something back. */
export function boundTakenBack(drafts: readonly (EventDraft | InferenceError)[]) {
  let events = 0;
  return drafts.map((draft) => {
    if (draft instanceof InferenceError || draft.takenBack.length === 0) return draft;
    events += 1;
    if (events <= MOST_EVENTS) return draft;
    const problem = `is withdrawn by more than ${MOST_EVENTS} events of one batch: send several`;
    return InferenceError.invalid("feedback", problem);
  });
}

/** Takes back what an event says null of, on an answer of the caller's project. */
export async function takeBackNames(
  ports: TakeBackPorts,
  draft: EventDraft,
  principal: Principal,
): Promise<EventDraft | InferenceError> {
  const { takenBack } = draft;
  const isNamed = (name: string) => takenBack.some((group) => isWithin(name, group));
  const rater = principal.feedbackOn === undefined ? null : principal.feedbackOn.rater;
  // A token from an unknown address has sent nothing that could be told from the key's own.
  if (rater === undefined) return draft;
  const { projectId, keyId } = principal;
  try {
    const done = await ports.feedback.takeBack({ projectId, keyId, rater, target: draft, isNamed });
    return done === "late" ? notYetWritten() : draft;
  } catch (error) {
    ports.log?.error({ err: error }, "cannot withdraw feedback");
    return failed(error);
  }
}

/** Takes back one entry for the one who sent it. Rejects with NOT_FOUND and UNAVAILABLE. */
export async function deleteEntry({ feedback, log }: TakeBackPorts, id: string, principal: Principal): Promise<void> {
  const { projectId, keyId, feedbackOn } = principal;
  if (feedbackOn !== undefined && feedbackOn.rater === undefined) throw missingEntry(id);
  const metrics = feedbackOn?.metrics;
  const sentFeedback = {
    projectId,
    keyId,
    id: id.toLowerCase(),
    rater: feedbackOn?.rater ?? ("any" as const),
    ...(feedbackOn !== undefined && { target: feedbackOn }),
    ...(metrics !== undefined && { isNamed: (name: string) => Object.hasOwn(metrics, name) }),
  };
  const done = await feedback.takeBack(sentFeedback).catch((error: unknown) => {
    log?.error({ err: error }, "cannot withdraw feedback");
    throw failed(error);
  });
  if (done === "late") throw notYetWritten();
  if (done === "unknown") throw missingEntry(id);
}

/** Another's entry looks like none from outside. */
function missingEntry(id: string): InferenceError {
  const message = `id: there is no feedback '${id.slice(0, 64)}' that was sent with this key or token`;
  return new InferenceError(ErrorReason.NOT_FOUND, message, { param: "id" });
}

function notYetWritten(): InferenceError {
  return new InferenceError(
    ErrorReason.UNAVAILABLE,
    "the feedback may still be on its way to the database, and wasn't withdrawn: try again shortly",
  );
}
