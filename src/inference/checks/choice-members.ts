import { Dialect, type RawJson } from "../../../gen/attune/content/v1/content_pb.ts";
import { foreignMembers } from "../history/foreign-members.ts";

/**
 * Lists the members of an answer of which one choice has another value than one before it: a Chat answer has one place
 * for all of its choices. Callers of RPC have those of each.
 */
export function differingMembers(caller: Dialect, extensions: readonly (RawJson | undefined)[]): string[] {
  if (caller !== Dialect.CHAT) return [];
  const known = new Map<string, string>();
  const differing: Record<string, unknown> = {};
  for (const extension of extensions) {
    if (extension?.dialect !== Dialect.CHAT) continue;
    const { choices: _own, ...members }: Record<string, unknown> = JSON.parse(extension.json);
    for (const [name, value] of Object.entries(members)) {
      const json = JSON.stringify(value);
      if (known.has(name) && known.get(name) !== json) differing[name] = value;
      known.set(name, known.get(name) ?? json);
    }
  }
  const [first] = extensions.filter((extension) => extension !== undefined);
  if (first === undefined || Object.keys(differing).length === 0) return [];
  return foreignMembers({ ...first, json: JSON.stringify(differing) }, "answer");
}
