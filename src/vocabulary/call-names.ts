import { hiddenCharacterProblem } from "../lib/hidden-characters.ts";

/** Most characters of the id of a session or of an end user. */
export const MAX_CALL_ID_LENGTH = 256;

const MAX_NAME_LENGTH = 64;
const MAX_VALUE_LENGTH = 200;

/** Returns why a call can have no such tag; undefined where it can. */
export function tagProblem(name: string, value: string): string | undefined {
  if (name === "" || name.length > MAX_NAME_LENGTH) return `must have a name of 1 to ${MAX_NAME_LENGTH} characters`;
  if (value === "" || value.length > MAX_VALUE_LENGTH)
    return `must have a value of 1 to ${MAX_VALUE_LENGTH} characters`;
  // An own member of this name cannot be set on a plain object by assignment.
  if (name === "__proto__") return "must not be named __proto__";
  return hiddenCharacterProblem(name) ?? hiddenCharacterProblem(value);
}
