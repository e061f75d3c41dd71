import { defineEntity, type InferEntity, p } from "@mikro-orm/core";

/** A conversation that inferences of a project continue and add to. */
export const Conversation = defineEntity({
  name: "Conversation",
  tableName: "conversation",
  indexes: [{ properties: ["projectId", "id"] }, { properties: ["updatedAt"] }],
  properties: {
    id: p.uuid().primary(),
    projectId: p.uuid(),
    createdAt: p.datetime(3),
    /** When items or metadata were last written. */
    updatedAt: p.datetime(3),
    metadata: p.json<Readonly<Record<string, string>>>(),
    /** The position of the next item: positions of deleted items are not given again. */
    nextPosition: p.integer(),
    /** Items that are there, and their bytes as they are stored. */
    items: p.integer(),
    bytes: p.integer(),
  },
});

/** An item of a conversation. */
export const ConversationItem = defineEntity({
  name: "ConversationItem",
  tableName: "conversation_item",
  properties: {
    conversationId: p.uuid().primary(),
    position: p.integer().primary(),
    id: p.uuid(),
    /** The message: protobuf. */
    message: p.blob(),
  },
});

/** A row of `conversation`. */
export type ConversationRow = InferEntity<typeof Conversation>;
