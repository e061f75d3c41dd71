import { createHash } from "node:crypto";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import { hiddenCharacterProblem } from "../lib/hidden-characters.ts";
import { isUuid } from "../lib/ids.ts";

const MAX_NAME_LENGTH = 100;
const ETAG_LENGTH = 16;

/** Reads a name for people, without spaces at its ends. Throws INVALID_REQUEST. */
export function readName(text: string, place: string): string {
  const name = text.trim();
  if (name === "" || name.length > MAX_NAME_LENGTH) {
    throw InferenceError.invalid(place, `must have 1 to ${MAX_NAME_LENGTH} characters`);
  }
  const problem = hiddenCharacterProblem(name);
  if (problem !== undefined) throw InferenceError.invalid(place, problem);
  return name;
}

/** Reads the name of a project: one like an id would be looked for as that, and never found. Throws INVALID_REQUEST. */
export function readProjectName(text: string, place: string): string {
  const name = readName(text, place);
  if (isUuid(name)) throw InferenceError.invalid(place, "must not be an id, nor have the form of one: give a name");
  return name;
}

/** Returns a text that differs where any of some values differs. */
export function createEtag(values: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(values)).digest("base64url").slice(0, ETAG_LENGTH);
}

/** Throws CONFLICT where a caller has seen something else than what there is. */
export function checkEtag(seen: string, current: string): void {
  if (seen === "" || seen === current) return;
  throw conflict("etag", `is out of date: it is ${current} now; read it again before the change`);
}

/** The request contradicts what is stored. */
export function conflict(place: string, problem: string): InferenceError {
  return new InferenceError(ErrorReason.CONFLICT, `${place}: ${problem}`, { param: place });
}

/** A refusal: the thing to be created exists, and is not the same. */
export function alreadyExists(place: string, problem: string): InferenceError {
  return new InferenceError(ErrorReason.ALREADY_EXISTS, `${place}: ${problem}`, { param: place });
}

/** There is nothing of this name that the caller may see. */
export function notFound(place: string, what: string): InferenceError {
  return new InferenceError(ErrorReason.NOT_FOUND, `${place}: there is no such ${what}`, { param: place });
}
