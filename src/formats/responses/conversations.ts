import { create } from "@bufbuild/protobuf";
import type { Message } from "../../../gen/attune/content/v1/content_pb.ts";
import {
  type Conversation,
  type ConversationItem,
  ConversationSchema,
} from "../../../gen/attune/conversation/v1/conversation_pb.ts";
import type { JsonObject } from "../shared/json.ts";
import { decodeMetadata } from "../shared/openai-metadata.ts";
import { optional, readArray, WireError } from "../shared/read.ts";
import { encodeInputItems, findPrefix } from "./answer/encode-input-items.ts";
import { writeId } from "./conversation-ids.ts";
import { decodeItem } from "./request/decode-item.ts";

/** Most items that are added at a time. OpenAI takes 20, but its Agents SDK in Node adds all items of a run at once. */
const MAX_ITEMS = 1000;

/** Decodes the body of POST /v1/conversations, which may be absent. Throws WireError. */
export function decodeNewConversation(body: JsonObject): { items: Message[]; metadata: Record<string, string> } {
  return { items: optional(body.items, "items", decodeItems) ?? [], metadata: readMetadata(body) };
}

/** Decodes the body of POST /v1/conversations/{id}. Throws WireError. */
export function readMetadata(body: JsonObject): Record<string, string> {
  return optional(body.metadata, "metadata", decodeMetadata) ?? {};
}

/** Decodes `items`, each of which becomes one message. Throws WireError. */
export function decodeItems(value: unknown, path: string): Message[] {
  const items = readArray(value, path);
  if (items.length > MAX_ITEMS) throw new WireError(path, `must have at most ${MAX_ITEMS} items: add the others later`);
  return items.map((item, index) => decodeItem(item, `${path}[${index}]`));
}

/** Encodes a conversation. */
export function encodeConversation(conversation: Conversation = create(ConversationSchema)): JsonObject {
  const { id, createdAt, metadata } = conversation;
  return {
    id: writeId("conv", id),
    object: "conversation",
    created_at: Number(createdAt?.seconds ?? 0),
    metadata: { ...metadata },
  };
}

/** Encodes items, each under an id of its own. One of an RPC caller that says several things is several items. */
export function encodeItems(items: readonly ConversationItem[]): JsonObject[] {
  return items.flatMap(({ id, message }) =>
    message === undefined
      ? []
      : encodeInputItems([message], id).map((item) => ({ ...item, id: writeId(findPrefix(item.type), id) })),
  );
}
