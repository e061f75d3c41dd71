import { hiddenCharacterProblem } from "../lib/hidden-characters.ts";
import { MAX_CALL_ID_LENGTH, tagProblem } from "../vocabulary/call-names.ts";

/** Returns why no call can have an end user of this id; undefined where one can. */
export function endUserProblem(id: string): string | undefined {
  if (id === "" || id.length > MAX_CALL_ID_LENGTH) return `must have 1 to ${MAX_CALL_ID_LENGTH} characters`;
  return hiddenCharacterProblem(id);
}

/** Returns why no call can have a tag that is written like this, as `team=search`; undefined where one can. */
export function writtenTagProblem(tag: string): string | undefined {
  const at = tag.indexOf("=");
  if (at === -1) return "must be a name and a value, such as team=search";
  return tagProblem(tag.slice(0, at), tag.slice(at + 1));
}
