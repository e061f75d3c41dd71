import type { Tag } from "../../../../vocabulary/key-tags.ts";
import { readField, toField } from "../../../web/parts/times.ts";
import { filledTags } from "./filled-tags.ts";
import type { ApiKey } from "./types.ts";

type EditedKey = Pick<ApiKey, "name" | "expiresAt" | "tags">;

/** Contents of the fields of a key. */
export type KeyDraft = {
  readonly name: string;
  /** By the viewer's clock; empty for a key that does not expire. */
  readonly expiresAt: string;
  readonly tags: readonly Tag[];
};

/** Writes a key as fields have it, with an empty tag where it has none. */
export function toDraft(key: EditedKey): KeyDraft {
  const tags = listTags(key);
  return {
    name: key.name,
    expiresAt: toField(key.expiresAt ?? undefined),
    tags: tags.length > 0 ? tags : [{ name: "", value: "" }],
  };
}

/** Returns what fields change of a key; undefined if nothing. */
export function findChange(key: EditedKey, draft: KeyDraft) {
  const tags = filledTags(draft.tags);
  const change = {
    ...(draft.name.trim() !== key.name && { name: draft.name }),
    // Fields have no milliseconds: what nobody has touched stays as it is.
    ...(draft.expiresAt !== toDraft(key).expiresAt && { expiresAt: readField(draft.expiresAt) ?? null }),
    ...(JSON.stringify(tags) !== JSON.stringify(listTags(key)) && { tags: [...tags] }),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}

function listTags({ tags }: EditedKey): Tag[] {
  return Object.entries(tags).map(([name, value]) => ({ name, value }));
}
