import { ErrorReason, InferenceError } from "../hub/error.ts";
import { scanJson } from "../lib/scan-json.ts";

/** Most that an answer may have. */
export interface AnswerLimits {
  /** Bytes of one event, or of one of its lines; and of an answer that comes whole. */
  readonly eventBytes: number;
  /** Values of one event, or of an answer that comes whole: members of objects and items of arrays. */
  readonly eventValues: number;
  /** Bytes of a stream. */
  readonly answerBytes: number;
  /** The limit that an answer which comes whole is told to be beyond; eventBytes if absent. */
  readonly wholeLimit?: "answerBytes";
}

/** Levels of nested objects and arrays of one message. What reads them calls itself for each. */
const DEPTH = 1024;

/** A shorter message cannot be nested so deep, nor have too many values: nearly every one is, and is not looked at. */
const LOOKED_AT = 2 * DEPTH;

/**
 * Checks the JSON text of a message before anything reads it; `what` names it. Throws UPSTREAM_ERROR for one beyond a
 * limit.
 */
export function checkMessage(text: string, what: "an event" | "an answer", limits: AnswerLimits): void {
  if (text.length <= LOOKED_AT) return;
  const { eventBytes, eventValues, wholeLimit = "eventBytes" } = limits;
  if (text.length > eventBytes) throw tooMuch(what, `${eventBytes} bytes`, wholeLimit);
  const exceeded = scanJson(text, { jsonDepth: DEPTH, jsonValues: eventValues });
  if (exceeded === "jsonValues") throw tooMuch(what, `${eventValues} values`, "eventValues");
  if (exceeded === "jsonDepth") {
    const message = `the upstream sent ${what} that is nested deeper than ${DEPTH} levels`;
    throw new InferenceError(ErrorReason.UPSTREAM_ERROR, message);
  }
}

/** The error for `what` that has more than a limit allows. */
export function tooMuch(what: string, most: string, limit: Exclude<keyof AnswerLimits, "wholeLimit">): InferenceError {
  const message = `the upstream sent ${what} of more than ${most}, the maximum of its limits.${limit}`;
  return new InferenceError(ErrorReason.UPSTREAM_ERROR, message);
}
