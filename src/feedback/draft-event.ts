import { type FeedbackEvent, Optimize } from "../../gen/attune/feedback/v1/feedback_pb.ts";
import { type FeedbackTarget, readAnswerId } from "../hub/answer-ids.ts";
import { InferenceError } from "../hub/error.ts";
import { checkName, checkText } from "./check-text.ts";
import { type FlatValue, flattenFeedback } from "./flatten.ts";
import type { NewFeedbackEntry } from "./ports.ts";

/** An event that is right in itself; whether its inference exists is still to be seen. */
export interface EventDraft extends FeedbackTarget {
  readonly values: readonly FlatValue[];
  /** Names of values, or of groups of them, that are taken back. */
  readonly takenBack: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
  readonly optimize: NewFeedbackEntry["optimize"];
}

/** Most tags of one event, and most characters of them all: they are kept with each of its values. */
const MAX_TAGS = 50;
const MAX_TAG_CHARACTERS = 4096;

/** Checks an event and flattens its feedback. Throws INVALID_REQUEST. */
export function draftEvent(event: FeedbackEvent): EventDraft {
  checkOneTarget(event);
  const { values, takenBack } = flattenFeedback(event.feedback);
  checkTags(event.tags);
  const optimize = optimizeOf(event.optimize);
  return { ...toTarget(event), values, takenBack, tags: event.tags, optimize };
}

/** The fields that say what feedback is on: exactly one of the two is set. */
type TargetFields = Pick<FeedbackEvent, "inferenceId" | "sessionId">;

/** Reads what feedback is on. Throws INVALID_REQUEST. */
export function readTarget(fields: TargetFields): FeedbackTarget {
  checkOneTarget(fields);
  return toTarget(fields);
}

function checkOneTarget({ inferenceId, sessionId }: TargetFields): void {
  if (inferenceId === "" && sessionId === "") {
    throw InferenceError.invalid("inference_id", "is required: the id of the inference, or a session instead");
  }
  if (inferenceId !== "" && sessionId !== "") {
    throw InferenceError.invalid("session_id", "cannot be combined with the id of an inference: send one of the two");
  }
}

function toTarget({ inferenceId, sessionId }: TargetFields): FeedbackTarget {
  if (sessionId !== "") return { inferenceId: "", attempt: null, sessionId: checkSession(sessionId) };
  const answer = readAnswerId(inferenceId);
  if (answer === undefined) throw missingInference(inferenceId);
  return { ...answer, sessionId: null };
}

const MAX_SESSION_CHARACTERS = 256;

function checkSession(sessionId: string): string {
  if (sessionId.length <= MAX_SESSION_CHARACTERS) return checkText(sessionId, () => "session_id");
  throw InferenceError.invalid("session_id", `must have at most ${MAX_SESSION_CHARACTERS} characters`);
}

function checkTags(tags: Readonly<Record<string, string>>): void {
  const names = Object.keys(tags);
  if (names.length > MAX_TAGS) throw InferenceError.invalid("tags", `must be at most ${MAX_TAGS}, not ${names.length}`);
  let characters = 0;
  for (const [name, tag] of Object.entries(tags)) {
    checkName(name, () => "tags");
    checkText(tag, () => `tags.${name}`);
    characters += name.length + tag.length;
  }
  if (characters <= MAX_TAG_CHARACTERS) return;
  throw InferenceError.invalid(
    "tags",
    `have more than ${MAX_TAG_CHARACTERS} characters in all: send longer texts as feedback`,
  );
}

/**
 * The inference is unknown, or belongs to another project, or has no such candidate: all look the same from outside. A
 * batch may have thousands, so that none records where it was made, which takes as long as all else about it.
 */
export function missingInference(id: string): InferenceError {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return InferenceError.invalid("inference_id", `the inference '${id.slice(0, 64)}' does not exist`);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function optimizeOf(optimize: Optimize): EventDraft["optimize"] {
  switch (optimize) {
    case Optimize.UNSPECIFIED:
      return undefined;
    case Optimize.MAX:
      return "max";
    case Optimize.MIN:
      return "min";
    default:
      throw InferenceError.invalid("optimize", `must be OPTIMIZE_MAX or OPTIMIZE_MIN, not ${String(optimize)}`);
  }
}
