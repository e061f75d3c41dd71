import { type ContentBlock, ToolKind } from "../../../gen/attune/content/v1/content_pb.ts";
import { isReasoning } from "../../wire/chat/reasoning-details.ts";
import type { BlockKind } from "../hub-place.ts";
import { createPlaceSpeller, type MemberNames, type SpellPlace } from "../place-speller.ts";

/** Spells a place in the hub's request as a Chat client wrote it. */
export const spellPlace: SpellPlace = createPlaceSpeller({
  fields: {
    betas: "anthropic-beta",
    stop_sequences: "stop",
    max_output_tokens: "max_completion_tokens",
    end_user_id: "safety_identifier",
    automatic_cache_mark: "cache_control",
    output_format: "response_format",
    "output_format.description": "response_format.json_schema.description",
    "output_format.strict": "response_format.json_schema.strict",
    "output_format.schema_json": "response_format.json_schema.schema",
    "reasoning.effort": "reasoning_effort",
  },
  messages: "messages",
  system: (index) => `system[${index}]`,
  block: (path, { index }, message) => {
    const place = placesOf(message?.content ?? [])[index] ?? `content[${index}]`;
    return place === "" ? path : `${path}.${place}`;
  },
  inner: (path, { index }) => `${path}.content[${index}]`,
  cacheMark: "prompt_cache_breakpoint",
  members: ({ kind, block }) => {
    const isCustom = block?.kind.case === "toolUse" && block.kind.value.kind === ToolKind.CUSTOM;
    return kind === undefined ? undefined : MEMBERS[isCustom ? "customToolUse" : kind];
  },
  toolMembers: {
    function: {
      name: "function.name",
      description: "function.description",
      parameters_json: "function.parameters",
      strict: "function.strict",
    },
    custom: { name: "custom.name", description: "custom.description", format_json: "custom.format" },
  },
});

const MEMBERS: Partial<Record<BlockKind | "customToolUse", MemberNames>> = {
  image: { detail: "image_url.detail", url: "image_url.url" },
  document: { title: "file.filename" },
  toolUse: { name: "function.name", arguments: "function.arguments" },
  customToolUse: { name: "custom.name", arguments: "custom.input" },
  toolResult: { tool_use_id: "tool_call_id" },
};

/** Found once for a whole message: to count what stands before each block anew takes the square of their number. */
const known = new WeakMap<readonly ContentBlock[], readonly string[]>();

/**
 * Places of a message's blocks below it: parts, calls, and the members that hold reasoning. A tool's result is the message itself.
 */
function placesOf(content: readonly ContentBlock[]): readonly string[] {
  const found = known.get(content);
  if (found !== undefined) return found;
  let calls = 0;
  let parts = 0;
  const places = content.map((block) => {
    if (isReasoning(block)) return isUnsealed(block) ? "reasoning_content" : "reasoning_details";
    switch (block.kind.case) {
      case "toolResult":
        parts += 1;
        return "";
      case "toolUse":
        calls += 1;
        return `tool_calls[${calls - 1}]`;
      default:
        parts += 1;
        return `content[${parts - 1}]`;
    }
  });
  known.set(content, places);
  return places;
}

function isUnsealed({ kind }: ContentBlock): boolean {
  return kind.case === "thinking" && kind.value.opaque === undefined;
}
