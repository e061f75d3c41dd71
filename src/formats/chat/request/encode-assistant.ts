import { type ContentBlock, type Message, ToolKind } from "../../../../gen/attune/content/v1/content_pb.ts";
import { encodeAnnotations } from "../../shared/annotations.ts";
import { argumentsText } from "../../shared/arguments-text.ts";
import { type JsonObject, mergeMembers } from "../../shared/json.ts";
import { encodeToolCall } from "../encode-tool-call.ts";
import { CHAT_ANNOTATIONS } from "../forms.ts";
import { readChatJson } from "../raw-json.ts";
import { isReasoning } from "../reasoning-details.ts";
import { callIdFromToolUse } from "./call-id.ts";
import { encodePart, joinParts } from "./encode-part.ts";
import { encodeReasoning } from "./encode-reasoning.ts";
import { toParts } from "./fit-messages.ts";
import { type PlacedBlock, placeBlocks, type Translation } from "./translation.ts";

/** A message and its place in the request. */
export interface PlacedMessage {
  readonly message: Message;
  readonly path: string;
}

/**
 * Encodes the assistant's messages that follow each other as one: the format wants all calls of a turn in one message,
 * with their results right behind. Returns none if nothing of them can be carried.
 */
export function encodeAssistant(messages: readonly PlacedMessage[], translation: Translation): JsonObject[] {
  const blocks = messages.flatMap(({ message, path }) => placeBlocks(message.content, path));
  const reasoning = blocks.filter(({ block }) => isReasoning(block));
  const calls = blocks.flatMap((placed) => encodeCall(placed, translation));
  const spoken = blocks.filter((placed) => !isCall(placed, translation) && !isReasoning(placed.block));
  const encodedSpoken = encodeSpoken(spoken, translation);
  const name = messages.find(({ message }) => message.name !== undefined)?.message.name;
  const { thinking, ...thought } = encodeReasoning(reasoning, { calls: calls.length, translation });
  const encoded = {
    role: "assistant",
    ...encodedSpoken,
    ...(thinking && { content: [...thinking, ...toParts(encodedSpoken.content)] }),
    ...encodeCited(spoken, translation),
    ...(name === undefined ? {} : { name }),
    ...thought,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  for (const { message } of messages) {
    mergeMembers(encoded, translation.losses.own(message.extension));
  }
  const isSilent = encoded.content === null && encodedSpoken.refusal === undefined && calls.length === 0;
  const isEmpty = isSilent && Object.keys(thought).length === 0;
  return isEmpty && !translation.isNative ? [] : [encoded];
}

/**
 * Answers of this format have annotations, and its own callers send them back. Servers do not have to take them, so
 * that those of other callers are left out.
 */
function encodeCited(blocks: readonly PlacedBlock[], { isNative, losses }: Translation): JsonObject {
  const cited = blocks.filter(({ block }) => block.annotations !== undefined);
  if (!isNative) for (const { path } of cited) losses.at(`${path}.annotations`);
  if (!isNative || cited.length === 0) return {};
  return { annotations: cited.flatMap(({ block }) => encodeAnnotations(block.annotations, CHAT_ANNOTATIONS)) };
}

/** A lone refusal has a member of its own; beside text it is a part. */
function encodeSpoken(blocks: readonly PlacedBlock[], translation: Translation): JsonObject {
  const parts = blocks.flatMap((placed) => encodePart(placed, translation));
  const [first] = parts;
  if (first === undefined) return { content: null };
  const isLoneRefusal = parts.length === 1 && first.type === "refusal" && Object.keys(first).length === 2;
  return isLoneRefusal ? { content: null, refusal: first.refusal } : { content: joinParts(parts) };
}

/** Of what only this format knows, callers of other formats have nothing but the calls of stored answers. */
function isCall({ block }: PlacedBlock, { isNative }: Translation): boolean {
  return block.kind.case === "toolUse" || (!isNative && readOpaque(block) !== undefined && !isReasoning(block));
}

function readOpaque({ kind }: ContentBlock): JsonObject | undefined {
  return kind.case === "opaque" ? readChatJson(kind.value) : undefined;
}

function encodeCall(placed: PlacedBlock, translation: Translation): JsonObject[] {
  const { block, path } = placed;
  const opaque = isCall(placed, translation) ? readOpaque(block) : undefined;
  if (opaque !== undefined) return [opaque];
  if (block.kind.case !== "toolUse") return [];
  translation.breakpoints.lose(block.cacheMark, path);
  const { value } = block.kind;
  const argumentsJson = value.kind === ToolKind.CUSTOM ? value.arguments : argumentsText(value.arguments);
  const call = encodeToolCall({ ...value, id: callIdFromToolUse(value.id, translation), arguments: argumentsJson });
  return [mergeMembers({ ...call }, translation.losses.own(block.extension))];
}
