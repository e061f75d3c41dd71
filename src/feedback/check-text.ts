import { InferenceError } from "../hub/error.ts";
import { HALF_CHARACTER, hiddenCharacterProblem } from "../lib/hidden-characters.ts";

/**
 * Checks that both database engines can hold a text as it is; `place` is asked for where it cannot. Throws
 * INVALID_REQUEST.
 */
export function checkText(text: string, place: () => string): string {
  if (text.includes("\0")) throw InferenceError.invalid(place(), "must not hold the character U+0000");
  if (!text.isWellFormed()) throw InferenceError.invalid(place(), HALF_CHARACTER);
  return text;
}

/**
 * Checks that a name can be held, and shows what it is; `place` is asked for where it does not. Throws INVALID_REQUEST.
 */
export function checkName(name: string, place: () => string): string {
  const problem = hiddenCharacterProblem(checkText(name, place));
  if (problem !== undefined) throw InferenceError.invalid(place(), problem);
  return name;
}
