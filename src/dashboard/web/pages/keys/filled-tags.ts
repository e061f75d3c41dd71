import type { Tag } from "../../../../hub/key-tags.ts";

/** The tags of a form, of which those without name and value are left out. */
export function filledTags(tags: readonly Tag[]): readonly Tag[] {
  return tags.filter(({ name, value }) => name !== "" || value !== "");
}
