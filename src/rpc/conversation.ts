import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import {
  ConversationItemSchema,
  type Conversation as ConversationMessage,
  type ConversationService as ConversationRpc,
  ConversationSchema,
  CreateConversationRequestSchema,
  type CreateItemsRequest,
  CreateItemsRequestSchema,
  type GetItemRequest,
  type GetItemResponse,
  GetItemResponseSchema,
  type ListItemsRequest,
  ListItemsRequestSchema,
  UpdateConversationRequestSchema,
} from "../../gen/attune/conversation/v1/conversation_pb.ts";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import type {
  Conversation,
  ConversationItem,
  Conversations,
  ItemPage,
} from "../inference/conversations/conversations.ts";
import { noConversation } from "../inference/history/history.ts";
import { createRecordValidator } from "../inference/run/validate.ts";
import { isUuid } from "../lib/ids.ts";
import { countFitting, readAnswerLimit } from "./answer-limit.ts";
import type { ReadCaller } from "./caller.ts";
import { encodeError } from "./encode-error.ts";
import { splitMessage } from "./long-answers.ts";

/** Items of a page where the request does not say. */
const DEFAULT_PAGE_SIZE = 100;
/** Stands for ids that are not made yet, which are as long: what an answer takes is known before it is made. */
const NIL_ID = "00000000-0000-0000-0000-000000000000";

/** The options of the RPC service. */
interface ConversationRpcOptions {
  readonly conversations: Conversations;
  /** Says why a project has no conversations; undefined if it may have some. */
  readonly keepsNothing: (projectId: string) => string | undefined;
  readonly callerOf: ReadCaller;
}

/** Implements the RPC service on the conversations of the database. */
export function createConversationRpc(options: ConversationRpcOptions): ServiceImpl<typeof ConversationRpc> {
  const { conversations, keepsNothing, callerOf } = options;
  const validate = {
    create: createRecordValidator(CreateConversationRequestSchema),
    update: createRecordValidator(UpdateConversationRequestSchema),
    items: createRecordValidator(CreateItemsRequestSchema),
    page: createRecordValidator(ListItemsRequestSchema),
  };

  async function answer<T>(context: HandlerContext, work: (projectId: string) => Promise<T>): Promise<T> {
    try {
      const { principal } = await callerOf(context);
      return await work(principal.projectId);
    } catch (thrown) {
      throw encodeError(thrown);
    }
  }

  function checkKept(projectId: string): void {
    const reason = keepsNothing(projectId);
    if (reason !== undefined) throw InferenceError.invalid("", reason);
  }

  return {
    createConversation: (request, context) =>
      answer(context, async (projectId) => {
        validate.create(request);
        checkKept(projectId);
        return { conversation: toMessage(await conversations.create(projectId, request)) };
      }),
    getConversation: ({ id }, context) =>
      answer(context, async (projectId) => ({
        conversation: toMessage(await found(id, (uuid) => conversations.read(uuid, projectId))),
      })),
    updateConversation: (request, context) =>
      answer(context, async (projectId) => {
        validate.update(request);
        const { id, metadata } = request;
        return { conversation: toMessage(await found(id, (uuid) => conversations.update(uuid, projectId, metadata))) };
      }),
    deleteConversation: ({ id }, context) =>
      answer(context, async (projectId) => {
        await found(id, async (uuid) => (await conversations.delete(uuid, projectId)) || undefined);
        return {};
      }),
    createItems: (request, context) =>
      answer(context, async (projectId) => {
        validate.items(request);
        checkKept(projectId);
        const { conversationId, items } = request;
        checkAnswer(request, context.protocolName);
        return { items: [...(await found(conversationId, (uuid) => conversations.append(uuid, projectId, items)))] };
      }),
    listItems: (request, context) =>
      answer(context, async (projectId) => {
        validate.page(request);
        const page = getPage(request);
        const read = (uuid: string) => conversations.page(uuid, projectId, page);
        return fitPage(await found(request.conversationId, read), context.protocolName);
      }),
    getItem: (request, context) => answer(context, (projectId) => readItem(conversations, request, projectId)),
    async *readItem(request, context) {
      yield* splitMessage(
        GetItemResponseSchema,
        await answer(context, (projectId) => readItem(conversations, request, projectId)),
      );
    },
    deleteItem: ({ conversationId, itemId }, context) =>
      answer(context, async (projectId) => {
        const conversation = await found(conversationId, (uuid) => conversations.read(uuid, projectId));
        const item = itemId.toLowerCase();
        if (!isUuid(item) || !(await conversations.deleteItem(conversation.id, item, projectId))) throw noItem(itemId);
        return { conversation: toMessage(conversation) };
      }),
  };
}

/** Throws INVALID_REQUEST for items that no answer can carry back: whoever sent them again would add them twice. */
function checkAnswer({ items, maxAnswerBytes }: CreateItemsRequest, protocolName: string): void {
  const limit = readAnswerLimit(protocolName, maxAnswerBytes);
  const messages = items.map((message) => create(ConversationItemSchema, { id: NIL_ID, message }));
  const fitting = countFitting(ConversationItemSchema, messages, limit);
  if (fitting === items.length) return;
  throw InferenceError.invalid(
    "items",
    `the answer repeats the items, and is longer than the ${limit} bytes that the caller accepts: send ${fitting} at ` +
      "first, or say in 'max_answer_bytes' what your client accepts",
  );
}

/** Returns what there is of a conversation. */
async function found<T>(id: string, read: (id: string) => Promise<T | undefined>): Promise<T> {
  const result = isUuid(id) ? await read(id.toLowerCase()) : undefined;
  if (result === undefined) throw noConversation(id);
  return result;
}

async function readItem(
  conversations: Conversations,
  { conversationId, itemId }: Pick<GetItemRequest, "conversationId" | "itemId">,
  projectId: string,
): Promise<GetItemResponse> {
  const { id } = await found(conversationId, (uuid) => conversations.read(uuid, projectId));
  const item = isUuid(itemId) ? await conversations.item(id, itemId.toLowerCase(), projectId) : undefined;
  if (item === undefined) throw noItem(itemId);
  return create(GetItemResponseSchema, { item });
}

function toMessage({ id, createdAt, metadata }: Conversation): ConversationMessage {
  return create(ConversationSchema, { id, createdAt: timestampFromDate(createdAt), metadata: { ...metadata } });
}

function getPage({ pageSize, afterItemId, latestFirst: isLatestFirst }: ListItemsRequest): ItemPage {
  const after = afterItemId === "" ? undefined : afterItemId.toLowerCase();
  // PostgreSQL takes nothing else for a UUID.
  if (after !== undefined && !isUuid(after)) throw InferenceError.invalid("after_item_id", "is not a UUID");
  return { limit: pageSize || DEFAULT_PAGE_SIZE, after, isLatestFirst };
}

/** Ends a page where its caller's client takes no more. */
function fitPage(
  { items, hasMore }: { readonly items: readonly ConversationItem[]; readonly hasMore: boolean },
  protocolName: string,
) {
  const messages = items.map((item) => create(ConversationItemSchema, item));
  const fitting = countFitting(ConversationItemSchema, messages, readAnswerLimit(protocolName, undefined));
  const shown = messages.slice(0, Math.max(1, fitting));
  return { items: shown, hasMore: hasMore || shown.length < messages.length };
}

function noItem(id: string): InferenceError {
  return new InferenceError(ErrorReason.NOT_FOUND, `Item with id '${id.slice(0, 64)}' not found in the conversation.`);
}
