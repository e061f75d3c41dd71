import { ErrorReason, InferenceError } from "../../hub/error.ts";
import { isJsonObject } from "./json.ts";

/** The error for an answer that is not as its format says. Another upstream may answer well. */
export function brokenAnswer(problem: string, cause?: unknown): InferenceError {
  return new InferenceError(ErrorReason.STREAM_INTERRUPTED, `the upstream's answer is broken: ${problem}`, { cause });
}

/**
 * Returns a text of an answer; "" where it says nothing: null, or an empty list. Throws STREAM_INTERRUPTED for what is
 * no text: to leave it out would hand on an answer that lacks a part.
 */
export function textAt(value: unknown, place: string): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return "";
  throw brokenAnswer(`${place} must be text`);
}

/** Returns the arguments of a call as text: some servers send an object in its place. */
export function argumentsAt(value: unknown): string {
  return isJsonObject(value) ? JSON.stringify(value) : textAt(value, "the arguments of a tool call");
}

/** Returns the name of a called tool. Throws STREAM_INTERRUPTED where there is none: nobody could run it. */
export function calledName(name: unknown): string {
  if (typeof name === "string" && name !== "") return name;
  throw brokenAnswer("a tool call has no name");
}
