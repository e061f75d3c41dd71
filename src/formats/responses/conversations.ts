import { create } from "@bufbuild/protobuf";
import type { Message } from "../../../gen/attune/content/v1/content_pb.ts";
import {
  type Conversation,
  type ConversationItem,
  ConversationSchema,
} from "../../../gen/attune/conversation/v1/conversation_pb.ts";
import type { JsonObject } from "../shared/json.ts";
import { type Member, objectMember, required } from "../shared/member.ts";
import { METADATA } from "../shared/openai-metadata.ts";
import { readArray, WireError } from "../shared/read.ts";
import { list } from "../shared/schema.ts";
import { encodeInputItems, findPrefix } from "./answer/encode-input-items.ts";
import { writeId } from "./conversation-ids.ts";
import { ITEM } from "./request/decode-item.ts";

/** Most items that are added at a time. OpenAI takes 20, but its Agents SDK in Node adds all items of a run at once. */
const MAX_ITEMS = 1000;

/** `items`, each of which becomes one message. */
const ITEMS: Member<Message[]> = {
  read: (value, path) => {
    const items = readArray(value, path);
    if (items.length > MAX_ITEMS)
      throw new WireError(path, `must have at most ${MAX_ITEMS} items: add the others later`);
    return items.map((item, index) => ITEM.read(item, `${path}[${index}]`, undefined));
  },
  schema: list(ITEM.schema, "Items", { maxItems: MAX_ITEMS }),
};

/** The body of POST /v1/conversations, which may be absent. */
export const NEW_CONVERSATION = objectMember({ items: ITEMS, metadata: METADATA }, "A conversation to create");

/** The body of POST /v1/conversations/{id}. */
export const CONVERSATION_UPDATE = objectMember({ metadata: METADATA }, "The new metadata, which replaces the old");

/** The body of POST /v1/conversations/{id}/items. */
export const NEW_ITEMS = objectMember({ items: required(ITEMS) }, "Items to add");

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
