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

/** An input whose opaque state one upstream can read. */
export interface OpenedInput {
  readonly input: InferenceInput;
  /** Opaque state of other origins, which was left out, by the caller's spelling. */
  readonly losses: readonly string[];
}

/**
 * Opens the seals of reasoning in the conversation's history for `origin`. What another origin made is left out, and
 * named: it would be refused there, and it is never turned into text. Throws INVALID_REQUEST for a seal that was damaged.
 */
export function openInput(input: InferenceInput, origin: Origin): OpenedInput {
  if (!input.messages.some(hasOpaque)) return { input, losses: [] };
  const losses: string[] = [];
  const messages = input.messages.flatMap((message, position) => {
    if (!hasOpaque(message)) return [message];
    const path = `${input.dialect === Dialect.RESPONSES ? "input" : "messages"}[${position}]`;
    const content = message.content.flatMap((block, at) =>
      openBlock(block, `${path}.content[${at}]`, { origin, losses }),
    );
    // An item that was nothing but foreign reasoning leaves nothing to send.
    return content.length === 0 ? [] : [create(MessageSchema, { ...message, content })];
  });
  return { input: create(InferenceInputSchema, { ...input, messages }), losses };
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

function openBlock(
  block: ContentBlock,
  path: string,
  { origin, losses }: { readonly origin: Origin; readonly losses: string[] },
): ContentBlock[] {
  const text = opaqueOf(block);
  if (text === undefined) return [block];
  const opened = openSeal(text);
  if (opened.kind === "garbled") {
    throw InferenceError.invalid(
      path,
      "the reasoning's signature or encrypted content was changed: send it back as it came",
    );
  }
  if (isForeign(opened, origin)) {
    losses.push(path);
    return [];
  }
  return [withOpaque(block, opened.blob)];
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
