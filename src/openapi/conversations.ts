import { INCLUDABLE } from "../facade/conversations/check-include.ts";
import { CONVERSATION_UPDATE, NEW_CONVERSATION, NEW_ITEMS } from "../formats/responses/conversations.ts";
import { ref } from "../formats/shared/schema.ts";
import { ID_HEADERS } from "./headers.ts";
import type { ApiPart, Content, Link, Operation, Parameter } from "./operation.ts";
import { PAGE } from "./page.ts";
import { ITEM_EXAMPLE, PAGE_EXAMPLE } from "./responses/examples.ts";

const BASICS = { tag: "Conversations", envelopes: ["OpenAiError"] } as const;

const ID: Readonly<Record<string, Parameter>> = {
  id: { description: "Id of a conversation", schema: { type: "string" } },
};

const ITEM_ID: Readonly<Record<string, Parameter>> = {
  ...ID,
  itemId: { description: "Id of an item", schema: { type: "string" } },
};

const INCLUDE: Readonly<Record<string, Parameter>> = {
  include: {
    description: "Extra members to return at OpenAI; Attune always returns everything that it stores",
    schema: { type: "array", items: { type: "string", enum: [...INCLUDABLE] } },
  },
};

const EXAMPLE = {
  id: "conv_01a21d334ff9754683205e7f4efb77f5",
  object: "conversation",
  created_at: 1795786231,
  metadata: { topic: "demo" },
};

const CONVERSATION: Readonly<Record<string, Content>> = {
  "application/json": { schema: ref("Conversation"), example: EXAMPLE },
};

const ITEM_PAGE: Readonly<Record<string, Content>> = {
  "application/json": { schema: ref("ResponseItemPage"), example: PAGE_EXAMPLE },
};

const answer = (
  description: string,
  content: Readonly<Record<string, Content>>,
  links: Readonly<Record<string, Link>> = {},
) => ({
  description,
  headers: ID_HEADERS,
  content,
  links,
});

const byId = (operation: string): Link => ({ operation, parameters: { id: "$response.body#/id" } });

const byItem = (operation: string): Link => ({
  operation,
  parameters: { id: "$request.path.id", itemId: "$response.body#/data/0/id" },
});

const message = { type: "message", role: "user", content: [{ type: "input_text", text: "Hello" }] };

const CREATE: Operation = {
  ...BASICS,
  method: "post",
  path: "/v1/conversations",
  id: "createConversation",
  summary: "Create a conversation",
  body: { schema: ref("ConversationRequest"), isOptional: true },
  examples: { topic: { body: { metadata: { topic: "demo" }, items: [message] } } },
  answer: answer("The conversation", CONVERSATION, {
    read: byId("getConversation"),
    update: byId("updateConversation"),
    delete: byId("deleteConversation"),
    add: byId("createConversationItems"),
    list: byId("listConversationItems"),
  }),
};

const GET: Operation = {
  ...BASICS,
  method: "get",
  path: "/v1/conversations/{id}",
  id: "getConversation",
  summary: "Read a conversation",
  parameters: { path: ID },
  examples: { read: {} },
  answer: answer("The conversation", CONVERSATION),
};

const UPDATE: Operation = {
  ...BASICS,
  method: "post",
  path: "/v1/conversations/{id}",
  id: "updateConversation",
  summary: "Replace the metadata of a conversation",
  parameters: { path: ID },
  body: { schema: ref("ConversationUpdateRequest") },
  examples: { topic: { body: { metadata: { topic: "demo" } } } },
  answer: answer("The conversation", CONVERSATION),
};

const DELETE: Operation = {
  ...BASICS,
  method: "delete",
  path: "/v1/conversations/{id}",
  id: "deleteConversation",
  summary: "Delete a conversation with its items",
  parameters: { path: ID },
  examples: { delete: {} },
  answer: answer("It was deleted", {
    "application/json": {
      schema: ref("ConversationDeleted"),
      example: { id: EXAMPLE.id, object: "conversation.deleted", deleted: true },
    },
  }),
};

const ADD_ITEMS: Operation = {
  ...BASICS,
  method: "post",
  path: "/v1/conversations/{id}/items",
  id: "createConversationItems",
  summary: "Add items to a conversation",
  parameters: { path: ID, query: INCLUDE },
  body: { schema: ref("ConversationItemsRequest") },
  examples: { message: { body: { items: [message] } } },
  answer: answer("The items", ITEM_PAGE, {
    read: byItem("getConversationItem"),
    delete: byItem("deleteConversationItem"),
  }),
};

const LIST_ITEMS: Operation = {
  ...BASICS,
  method: "get",
  path: "/v1/conversations/{id}/items",
  id: "listConversationItems",
  summary: "List the items of a conversation",
  parameters: { path: ID, query: { ...PAGE, ...INCLUDE } },
  examples: { page: { parameters: { limit: "10", order: "asc" } } },
  answer: answer("A page of items", ITEM_PAGE),
};

const GET_ITEM: Operation = {
  ...BASICS,
  method: "get",
  path: "/v1/conversations/{id}/items/{itemId}",
  id: "getConversationItem",
  summary: "Read an item",
  parameters: { path: ITEM_ID, query: INCLUDE },
  examples: { read: {} },
  answer: answer("The item", { "application/json": { schema: ref("ResponseItem"), example: ITEM_EXAMPLE } }),
};

const DELETE_ITEM: Operation = {
  ...BASICS,
  method: "delete",
  path: "/v1/conversations/{id}/items/{itemId}",
  id: "deleteConversationItem",
  summary: "Delete an item",
  parameters: { path: ITEM_ID },
  examples: { delete: {} },
  answer: answer("The conversation", CONVERSATION),
};

/** Conversations. */
export const CONVERSATIONS: ApiPart = {
  tag: { name: "Conversations", description: "Conversations that Responses continue" },
  schemas: {
    ConversationRequest: NEW_CONVERSATION.schema,
    ConversationUpdateRequest: CONVERSATION_UPDATE.schema,
    ConversationItemsRequest: NEW_ITEMS.schema,
  },
  operations: [CREATE, GET, UPDATE, DELETE, ADD_ITEMS, LIST_ITEMS, GET_ITEM, DELETE_ITEM],
};
