import { Role, ToolKind } from "../../../gen/attune/content/v1/content_pb.ts";
import type { BlockKind } from "../hub-place.ts";
import { createPlaceSpeller, type MemberNames, type SpellPlace } from "../place-speller.ts";

/** Blocks that are items of their own. */
const ITEMS: ReadonlySet<BlockKind | undefined> = new Set(["toolUse", "toolResult", "thinking", "redactedThinking"]);

/** Spells a place in the hub's request as a client of the Responses format wrote it. An item is a message there. */
export const spellPlace: SpellPlace = createPlaceSpeller({
  fields: {
    betas: "anthropic-beta",
    messages: "input",
    system: "instructions",
    previous_id: "previous_response_id",
    verbosity: "text.verbosity",
    end_user_id: "safety_identifier",
    automatic_cache_mark: "cache_control",
    output_format: "text.format",
    "output_format.schema_json": "text.format.schema",
  },
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
    return kind === undefined ? undefined : MEMBERS[isCustom ? "customToolUse" : kind];
  },
  toolMembers: { function: { parameters_json: "parameters" }, custom: { format_json: "format" } },
});

const MEMBERS: Partial<Record<BlockKind | "customToolUse", MemberNames>> = {
  image: { url: "image_url" },
  document: { title: "filename", url: "file_url" },
  toolUse: { id: "call_id" },
  customToolUse: { id: "call_id", arguments: "input" },
  toolResult: { tool_use_id: "call_id" },
};
