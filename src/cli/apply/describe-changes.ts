import {
  type Change,
  ChangeAction,
  ChangeActionSchema,
  ItemKindSchema,
} from "../../../gen/attune/admin/v1/document_pb.ts";
import { enumWord } from "../../lib/protobuf/enum-word.ts";

const SIGNS: Readonly<Record<ChangeAction, string>> = {
  [ChangeAction.UNSPECIFIED]: " ",
  [ChangeAction.CREATE]: "+",
  [ChangeAction.UPDATE]: "~",
  [ChangeAction.ADOPT]: "=",
  [ChangeAction.REMOVE]: "-",
  [ChangeAction.RELEASE]: "=",
  [ChangeAction.KEEP]: " ",
};

/** Most items that are named where only their number matters. */
const MOST_NAMED = 10;

/** The parts of what a file does. */
type Plan = Readonly<Record<"changes" | "absent" | "kept", readonly Change[]>>;

/** Describes changes for people, a line each, and a sentence about all. */
export function describeChanges({ changes, absent, kept }: Plan): readonly string[] {
  const counts = Map.groupBy(changes, ({ action }) => action);
  const count = (action: ChangeAction, words: string) => `${counts.get(action)?.length ?? 0} ${words}`;
  const released = counts.has(ChangeAction.RELEASE) ? [count(ChangeAction.RELEASE, "to release")] : [];
  const sum = [
    ...[count(ChangeAction.CREATE, "to create"), count(ChangeAction.UPDATE, "to change")],
    ...[count(ChangeAction.ADOPT, "to adopt"), count(ChangeAction.REMOVE, "to remove"), ...released],
  ];
  return [
    ...changes.map(describeChange),
    ...(changes.length === 0 ? ["No changes: all that the file mentions is so."] : ["", `${sum.join(", ")}.`]),
    ...describeAbsent(absent),
    ...describeKept(kept),
  ];
}

function describeChange(change: Change): string {
  const { action, fields } = change;
  // The name stands before it.
  const shown = fields.filter(({ field, before }) => field !== "name" || before !== undefined);
  const lines = shown.map(({ field, before, after }) => {
    if (action === ChangeAction.CREATE) return `${field}: ${after}`;
    return action === ChangeAction.REMOVE ? `${field}: ${before}` : `${field}: ${before ?? "-"} -> ${after ?? "-"}`;
  });
  const note =
    action === ChangeAction.ADOPT
      ? " (managed from now on)"
      : action === ChangeAction.RELEASE
        ? " (managed no more)"
        : "";
  const of = lines.length === 0 || action === ChangeAction.REMOVE ? "" : `  ${lines.join(", ")}`;
  return `${SIGNS[action]} ${nameItem(change)}${note}${of}`;
}

/** Names an item: key search/ci. */
function nameItem({ kind, project, name }: Change): string {
  const word = enumWord(ItemKindSchema, ItemKindSchema.value[kind]?.name ?? "") ?? "item";
  if (word === "project") return `project ${name}`;
  if (word === "settings") return `settings ${project}`;
  const item = word === "learning" && name === "" ? "all workloads" : name;
  return `${word} ${project === "" ? "" : `${project}/`}${item}`;
}

function describeAbsent(absent: readonly Change[]): readonly string[] {
  if (absent.length === 0) return [];
  const more = absent.length > MOST_NAMED ? `, and ${absent.length - MOST_NAMED} more` : "";
  const names = absent.slice(0, MOST_NAMED).map(nameItem).join(", ");
  return [`Managed and not in the file, which --prune removes: ${names}${more}.`];
}

/** Tells what a file does not mention, so that nobody takes a line that is gone for a limit that is gone. */
function describeKept(kept: readonly Change[]): readonly string[] {
  if (kept.length === 0) return [];
  const lines = kept.slice(0, MOST_NAMED).map((item) => {
    return `    ${nameItem(item)}  ${item.fields.map(({ field, after }) => `${field}: ${after}`).join(", ")}`;
  });
  const more = kept.length > MOST_NAMED ? [`    and ${kept.length - MOST_NAMED} more`] : [];
  return ["Not in the file, and stays (null takes it away):", ...lines, ...more];
}

/** Returns changes as JSON has them. */
export function changesToJson(changes: readonly Change[]): readonly object[] {
  return changes.map(({ action, kind, project, name, place, fields }) => ({
    action: enumWord(ChangeActionSchema, ChangeActionSchema.value[action]?.name ?? ""),
    kind: enumWord(ItemKindSchema, ItemKindSchema.value[kind]?.name ?? ""),
    project,
    name,
    place,
    fields: fields.map(({ field, before, after }) => ({ field, before: parse(before), after: parse(after) })),
  }));
}

function parse(json: string | undefined): unknown {
  return json === undefined ? null : JSON.parse(json);
}
