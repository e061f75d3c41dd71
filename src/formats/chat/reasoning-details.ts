import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type ContentBlock,
  ContentBlockSchema,
  type RawJson,
  type ThinkingBlock,
  ThinkingBlockSchema,
} from "../../../gen/attune/content/v1/content_pb.ts";
import type { JsonObject } from "../shared/json.ts";
import { formMember, formsMember, listMember, type Member, required, textMember } from "../shared/member.ts";
import { blockMembers } from "./block-members.ts";
import { chatJson, readChatJson } from "./raw-json.ts";

const SUMMARY = "reasoning.summary";
const TEXT = "reasoning.text";
const ENCRYPTED = "reasoning.encrypted";

/** Tells whether a block is written among `reasoning_details`. */
export function isReasoning({ kind }: ContentBlock): boolean {
  if (kind.case === "thinking" || kind.case === "redactedThinking") return true;
  const type = kind.case === "opaque" ? readChatJson(kind.value)?.type : undefined;
  return typeof type === "string" && type.startsWith("reasoning.");
}

/**
 * Returns a call of a type that the hub does not know, of an answer: what else only this format knows there is
 * reasoning.
 */
export function opaqueCall(block: ContentBlock): JsonObject | undefined {
  return block.kind.case !== "opaque" || isReasoning(block) ? undefined : readChatJson(block.kind.value);
}

/**
 * Tells whether a block holds what only `reasoning_details` can carry: the format's other members are for text alone.
 */
export function needsDetails(block: ContentBlock): boolean {
  const { kind } = block;
  return kind.case === "thinking" ? kind.value.opaque !== undefined : isReasoning(block);
}

/**
 * Returns the text of a block as `reasoning_content` shows it: raw, else the parts of the summary, a blank line apart.
 */
function reasoningText({ text, summary }: ThinkingBlock): string {
  return text === "" ? summary.filter((part) => part !== "").join("\n\n") : text;
}

/** Returns the `reasoning_content` of a message; undefined if nothing of it can be read. */
export function joinReasoning(blocks: readonly ContentBlock[]): string | undefined {
  const texts = blocks.map(({ kind }) => (kind.case === "thinking" ? reasoningText(kind.value) : ""));
  const filled = texts.filter((text) => text !== "");
  return filled.length === 0 ? undefined : filled.join("\n\n");
}

/**
 * Encodes a block as entries of `reasoning_details`: a summary entry for each part, then a text entry, which closes the
 * block and carries its signature. Inverse of decodeReasoningDetails.
 */
export function encodeReasoningDetails({ kind, extension }: ContentBlock): JsonObject[] {
  const extra = blockMembers(extension);
  if (kind.case === "redactedThinking") return [{ type: ENCRYPTED, data: kind.value.data, ...extra }];
  if (kind.case === "opaque") return [readChatJson(kind.value) ?? {}];
  if (kind.case !== "thinking") return [];
  const { text, summary, opaque, id } = kind.value;
  const named = id === "" ? {} : { id };
  const parts = summary.map((part) => ({ type: SUMMARY, summary: part, ...named, ...extra }));
  const signed = opaque === undefined ? {} : { signature: opaque };
  return [...parts, { type: TEXT, text, ...signed, ...named, ...extra }];
}

/** Encodes a block as LiteLLM's `thinking_blocks` have it; none for one that nobody sealed. */
export function encodeThinkingBlock({ kind, extension }: ContentBlock): JsonObject[] {
  const extra = blockMembers(extension);
  if (kind.case === "redactedThinking") return [{ type: "redacted_thinking", data: kind.value.data, ...extra }];
  if (kind.case !== "thinking" || !kind.value.opaque) return [];
  return [{ type: "thinking", thinking: reasoningText(kind.value), signature: kind.value.opaque, ...extra }];
}

/** An entry of `reasoning_details`: a block of its own, or a piece of one. */
interface Entry {
  readonly kind?: NonNullable<MessageInitShape<typeof ContentBlockSchema>["kind"]>;
  readonly piece?: {
    readonly id: string | undefined;
    readonly summary?: string;
    readonly text?: string | undefined;
    readonly signature?: string | undefined;
  };
  readonly extension?: RawJson | undefined;
}

const ID = textMember("Id");
/** An entry of `reasoning_details`. */
export const REASONING_DETAIL = formsMember<Entry>(
  "ChatReasoningDetail",
  {
    [SUMMARY]: formMember(
      "ChatReasoningSummary",
      [SUMMARY, { summary: required(textMember("A part of the summary")), id: ID }, "Summary"],
      ({ summary, id }, { rest }) => ({ piece: { id, summary }, extension: chatJson(rest) }),
    ),
    [TEXT]: formMember(
      "ChatReasoningText",
      [TEXT, { text: textMember("Text"), signature: textMember("Signature of its author"), id: ID }, "Reasoning"],
      ({ text, signature, id }, { rest }) => ({ piece: { id, text, signature }, extension: chatJson(rest) }),
    ),
    [ENCRYPTED]: formMember(
      "ChatReasoningSealed",
      [ENCRYPTED, { data: required(textMember("Sealed reasoning")) }, "Reasoning that only its author can read"],
      (value, { rest }) => ({ kind: { case: "redactedThinking", value }, extension: chatJson(rest) }),
    ),
  },
  "An entry of reasoning",
  (entry) => ({ kind: { case: "opaque", value: chatJson(entry) } }),
);
const DETAILS = listMember(REASONING_DETAIL, "Reasoning with its seals, as in the answer");

/** `reasoning_details` of a message in the history. An entry of an unknown type becomes an opaque block. */
export const REASONING_DETAILS: Member<ContentBlock[]> = {
  ...DETAILS,
  read: (value, path) => joinEntries(DETAILS.read(value, path, undefined)),
};

function joinEntries(entries: readonly Entry[]): ContentBlock[] {
  const blocks: ContentBlock[] = [];
  let open: ThinkingBlock | undefined;
  for (const { kind, piece, extension } of entries) {
    if (kind !== undefined) blocks.push(create(ContentBlockSchema, { kind, extension }));
    if (piece === undefined) {
      open = undefined;
      continue;
    }
    const { id = "", summary, text = "", signature } = piece;
    if (open === undefined || (id !== "" && open.id !== "" && id !== open.id)) {
      open = create(ThinkingBlockSchema, { id });
      blocks.push(create(ContentBlockSchema, { kind: { case: "thinking", value: open }, extension }));
    }
    if (summary !== undefined) open.summary.push(summary);
    else {
      open.text = text;
      open.opaque = signature || undefined;
      open = undefined;
    }
  }
  return blocks;
}
