import { create } from "@bufbuild/protobuf";
import {
  type ContentBlock,
  ContentBlockSchema,
  Dialect,
  type Message,
  MessageSchema,
  RedactedThinkingBlockSchema,
  ThinkingBlockSchema,
} from "../../gen/attune/content/v1/content_pb.ts";
import { type InferenceInput, InferenceInputSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError } from "./error.ts";
import { type Opened, type Origin, openSeal } from "./seal.ts";

/**
 * Opens the seals of reasoning in the conversation's history for `origin`. What another origin made would be refused there,
 * and is never turned into text: an opaque block of no dialect takes its place, which every upstream leaves out and names as
 * a loss. Throws INVALID_REQUEST for a seal that was damaged.
 */
export function openInput(input: InferenceInput, origin: Origin): InferenceInput {
  if (!input.messages.some(hasOpaque)) return input;
  const messages = input.messages.map((message, position) => {
    if (!hasOpaque(message)) return message;
    const path = `${input.dialect === Dialect.RESPONSES ? "input" : "messages"}[${position}]`;
    const content = message.content.map((block, at) => openBlock(block, `${path}.content[${at}]`, origin));
    return create(MessageSchema, { ...message, content });
  });
  return create(InferenceInputSchema, { ...input, messages });
}

/** Origins of the opaque state in a conversation, the latest first. */
export function originsOf(input: InferenceInput): Origin[] {
  const blobs = input.messages.flatMap(({ content }) => content.map(opaqueOf));
  return blobs.reverse().flatMap((blob) => {
    const opened = blob === undefined ? undefined : openSeal(blob);
    return opened?.kind === "sealed" ? [opened.origin] : [];
  });
}

function hasOpaque({ content }: Message): boolean {
  return content.some((block) => opaqueOf(block) !== undefined);
}

function opaqueOf({ kind }: ContentBlock): string | undefined {
  if (kind.case === "thinking") return kind.value.opaque || undefined;
  return kind.case === "redactedThinking" ? kind.value.data : undefined;
}

function openBlock(block: ContentBlock, path: string, origin: Origin): ContentBlock {
  const text = opaqueOf(block);
  if (text === undefined) return block;
  const opened = openSeal(text);
  if (opened.kind === "garbled") {
    throw InferenceError.invalid(
      path,
      "the reasoning's signature or encrypted content was changed: send it back as it came",
    );
  }
  return isForeign(opened, origin) ? unreadable() : withOpaque(block, opened.blob);
}

function unreadable(): ContentBlock {
  return create(ContentBlockSchema, { kind: { case: "opaque", value: { dialect: Dialect.UNSPECIFIED, json: "{}" } } });
}

/** Reasoning of unknown origin goes on as it is: its provider judges it. */
function isForeign(opened: Exclude<Opened, { kind: "garbled" }>, origin: Origin): boolean {
  if (opened.kind === "foreign") return false;
  return opened.origin.upstream !== origin.upstream || opened.origin.model !== origin.model;
}

function withOpaque(block: ContentBlock, blob: string): ContentBlock {
  const { kind } = block;
  if (kind.case === "thinking") {
    const value = create(ThinkingBlockSchema, { ...kind.value, opaque: blob });
    return create(ContentBlockSchema, { ...block, kind: { case: "thinking", value } });
  }
  const value = create(RedactedThinkingBlockSchema, { data: blob });
  return create(ContentBlockSchema, { ...block, kind: { case: "redactedThinking", value } });
}
