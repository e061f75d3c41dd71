import { isUuid } from "../lib/ids.ts";
import { unwrapAnswerId } from "./wrapped-ids.ts";

/** An answer that feedback may be on: the one that was given, or with `attempt` that of a candidate which was not. */
export interface AnswerId {
  readonly inferenceId: string;
  /** Position of the attempt whose answer it is; null for the answer that was given. */
  readonly attempt: number | null;
}

/** The target of feedback: an answer, or a session, whose inference is then still to be found and has no id so far. */
export interface FeedbackTarget extends AnswerId {
  /** Null for an answer. */
  readonly sessionId: string | null;
}

const CANDIDATE = /^([^.]*)\.(0|[1-9]\d{0,2})$/;

/**
 * Writes the id of an answer: that of its inference, and of a candidate that was not given also its position, after a
 * dot.
 */
export function writeAnswerId({ inferenceId, attempt }: AnswerId): string {
  return attempt === null ? inferenceId : `${inferenceId}.${attempt}`;
}

/**
 * Reads the id of an answer, in either case, also in the forms that clients make of it; undefined for what has not the
 * form of one.
 */
export function readAnswerId(said: string): AnswerId | undefined {
  const text = unwrapAnswerId(said);
  const [, inferenceId = text, position] = CANDIDATE.exec(text) ?? [];
  if (!isUuid(inferenceId)) return undefined;
  return { inferenceId: inferenceId.toLowerCase(), attempt: position === undefined ? null : Number(position) };
}
