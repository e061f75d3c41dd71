import { Role, ToolKind } from "../../../gen/attune/content/v1/content_pb.ts";
import { blockNames, memberNames, requestNames } from "../../hub/field-names.ts";
import { createFieldPathFormatter, type FormatFieldPath } from "../shared/format-field-path.ts";
import type { BlockKind } from "../shared/hub-field-path.ts";

/** Blocks that are items of their own. */
const ITEMS: ReadonlySet<BlockKind | undefined> = new Set(["toolUse", "toolResult", "thinking", "redactedThinking"]);

/** Spells a place in the hub's request as a client of the Responses format wrote it. An item is a message there. */
export const formatFieldPath: FormatFieldPath = createFieldPathFormatter({
  fields: { ...requestNames("responses"), logprobs: "include" },
  messages: "input",
  system: () => "instructions",
  block: (path, { index, kind }, message) => {
    const isItem = ITEMS.has(kind) || message?.role === Role.UNSPECIFIED;
    return isItem ? path : `${path}.content[${index}]`;
  },
  inner: (path, { index }, outer) => `${path}.${outer.kind === "document" ? "content" : "output"}[${index}]`,
  cacheMark: "prompt_cache_breakpoint",
  members: ({ kind, block }) => {
    const isCustom = block?.kind.case === "toolUse" && block.kind.value.kind === ToolKind.CUSTOM;
    const names = MEMBERS[kind ?? ""];
    return { ...names, ...(isCustom ? { arguments: "input" } : {}), ...ANNOTATIONS };
  },
  toolMembers: { function: memberNames("responses", "function"), custom: memberNames("responses", "custom") },
});

/** The list is a message of its own in the hub. */
const ANNOTATIONS = { "annotations.annotations": "annotations" };
const MEMBERS = blockNames("responses");
