import { growMembers } from "../../lib/grow-members.ts";
import { isObject } from "../../lib/is-object.ts";

/** Merges JSON objects given as text, in order, as members that come in pieces. */
export function mergeExtensions(pieces: readonly string[]): string {
  const [only, ...others] = pieces;
  if (only !== undefined && others.length === 0) return only;
  const merged = {};
  for (const piece of pieces) {
    const members: unknown = JSON.parse(piece);
    if (isObject(members)) growMembers(merged, members);
  }
  return JSON.stringify(merged);
}
