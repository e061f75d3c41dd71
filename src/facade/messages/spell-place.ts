import type { BlockKind } from "../hub-place.ts";
import { createPlaceSpeller, type MemberNames, type SpellPlace } from "../place-speller.ts";

/** Spells a place in the hub's request as a client of the Messages format wrote it. */
export const spellPlace: SpellPlace = createPlaceSpeller({
  fields: {
    betas: "anthropic-beta",
    max_output_tokens: "max_tokens",
    end_user_id: "metadata.user_id",
    previous_id: "thread.previous_message_id",
    automatic_cache_mark: "cache_control",
    parallel_tool_calls: "tool_choice.disable_parallel_tool_use",
    output_format: "output_config.format",
    "output_format.schema_json": "output_config.format.schema",
    reasoning: "thinking",
    "reasoning.mode": "thinking",
    "reasoning.effort": "output_config.effort",
  },
  messages: "messages",
  system: (index) => `system[${index}]`,
  block: (path, { index }) => `${path}.content[${index}]`,
  inner: (path, { index }, outer) => `${path}.${outer.kind === "document" ? "source.content" : "content"}[${index}]`,
  cacheMark: "cache_control",
  members: ({ kind }) => (kind === undefined ? undefined : MEMBERS[kind]),
  toolMembers: { function: { parameters_json: "input_schema" } },
});

const MEMBERS: Partial<Record<BlockKind, MemberNames>> = {
  image: { url: "source.url" },
  document: { url: "source.url" },
  toolUse: { arguments: "input" },
};
