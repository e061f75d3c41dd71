import { ErrorReason, type InferenceErrorFacts } from "../../../hub/error.ts";
import { redactKeys } from "../../../lib/redact-keys.ts";

/** Longest part of an upstream's message that is repeated. */
const MESSAGE_CHARACTERS = 2000;

/** The values that pydantic repeats of a request, where its problems come as one text. */
const REPEATED_INPUT = /,? ?(?:['"]input['"]: |input_value=)[\s\S]*?(?=, ?['"]?(?:ctx|url|input_type)\b|$)/g;

/** Returns an upstream's words without keys and repeated values, as long as they may be. */
export function cleanMessage(message: string): string {
  const short = message.length > MESSAGE_CHARACTERS ? `${message.slice(0, MESSAGE_CHARACTERS)}...` : message;
  return redactKeys(short.replace(REPEATED_INPUT, ""));
}

/** Returns the message for the caller, who is told whose account it is, and never an upstream's words about its key. */
export function messageFor(reason: ErrorReason, words: string): string {
  if (reason === ErrorReason.UPSTREAM_UNAUTHENTICATED) return "the upstream refused this service's own credentials";
  return reason === ErrorReason.QUOTA_EXCEEDED
    ? `this service's own account at the upstream is used up: ${words}`
    : words;
}

/** Returns the upstream's words for the log, where callers do not get them. */
export function causeFor(reason: ErrorReason, words: string): Pick<InferenceErrorFacts, "cause"> {
  return reason === ErrorReason.UPSTREAM_UNAUTHENTICATED ? { cause: new Error(words) } : {};
}
