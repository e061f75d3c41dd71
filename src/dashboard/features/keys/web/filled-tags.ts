import { findTagProblems, type Tag } from "../../../../vocabulary/key-tags.ts";

/** The tags of a form, of which those without name and value are left out. */
export function filledTags(tags: readonly Tag[]): readonly Tag[] {
  return tags.filter(({ name, value }) => name !== "" || value !== "");
}

/** Checks the tags of a form: each tag tells by itself what is wrong with it. */
export function tagProblems(tags: readonly Tag[]): true | null {
  return findTagProblems(filledTags(tags)).size > 0 ? true : null;
}
