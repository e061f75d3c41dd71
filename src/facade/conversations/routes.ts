import type { FastifyReply, FastifyRequest } from "fastify";
import { encodePage, paginateItems, readPage } from "../../formats/responses/answer/paginate-items.ts";
import { readConversationId, readItemId } from "../../formats/responses/conversation-ids.ts";
import {
  CONVERSATION_UPDATE,
  encodeConversation,
  encodeItems,
  NEW_CONVERSATION,
  NEW_ITEMS,
} from "../../formats/responses/conversations.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import { getCall } from "../admit-request.ts";
import type { AdmittedCall } from "../client/admitted-call.ts";
import type { RpcClients } from "../client/clients.ts";
import { failAtPlaces } from "../fail.ts";
import { objectBody } from "../parse-body.ts";
import { checkInclude } from "./check-include.ts";

interface ItemRequest {
  readonly call: AdmittedCall;
  readonly body: unknown;
  readonly query: Record<string, unknown>;
  /** UUID of the conversation. */
  readonly id: string;
  /** Id of the item, as it was written. */
  readonly itemId: string;
}

/** Creates the handlers of /v1/conversations. */
export function createConversationRoutes({ conversation: rpc }: Pick<RpcClients, "conversation">) {
  return {
    create: handler(async ({ body, call }) => {
      const made = NEW_CONVERSATION.read(objectBody(body ?? {}), "", undefined);
      return encodeConversation((await rpc.createConversation(made, call)).conversation);
    }),
    get: handler(async ({ id, call }) => encodeConversation((await rpc.getConversation({ id }, call)).conversation)),
    update: handler(async ({ id, body, call }) => {
      const metadata = CONVERSATION_UPDATE.read(objectBody(body), "", undefined).metadata ?? {};
      return encodeConversation((await rpc.updateConversation({ id, metadata }, call)).conversation);
    }),
    delete: handler(async ({ id, call }, { conversationId }) => {
      await rpc.deleteConversation({ id }, call);
      return { id: conversationId, object: "conversation.deleted", deleted: true };
    }),
    createItems: handler(async ({ id, body, call }) => {
      const items = NEW_ITEMS.read(objectBody(body), "", undefined).items;
      const added = encodeItems((await rpc.createItems({ conversationId: id, items }, call)).items);
      return paginateItems(added, { order: "asc" });
    }),
    listItems: handler(async ({ id, query, call }) => {
      const { limit: pageSize, order, after } = readPage(query);
      const pageRequest = { conversationId: id, pageSize, latestFirst: order === "desc" };
      const behind = after === undefined ? "" : readItemId(after);
      const page = rpc.listItems({ ...pageRequest, afterItemId: behind }, call);
      const { items, hasMore } = await page.catch(nameAfter);
      // Of one item of an RPC caller, the format may have several.
      return encodePage(
        items.flatMap((item) => inOrder(encodeItems([item]), order)),
        hasMore,
      );
    }),
    getItem: handler(async ({ id, itemId, call }) => {
      const { item: found } = await rpc.getItem({ conversationId: id, itemId: readItemId(itemId) }, call);
      const item = encodeItems(found === undefined ? [] : [found]).find((known) => known.id === itemId);
      if (item !== undefined) return item;
      throw new InferenceError(ErrorReason.NOT_FOUND, `Item with id '${itemId.slice(0, 64)}' not found.`);
    }),
    deleteItem: handler(async ({ id, itemId, call }) => {
      const deleted = await rpc.deleteItem({ conversationId: id, itemId: readItemId(itemId) }, call);
      return encodeConversation(deleted.conversation);
    }),
  };
}

function inOrder<T>(items: readonly T[], order: "asc" | "desc"): readonly T[] {
  return order === "asc" ? items : items.toReversed();
}

/** Names the field by the parameter that it came in. */
const nameAfter = failAtPlaces((place) => (place === "after_item_id" ? "after" : place));

function handler(work: (asked: ItemRequest, params: Record<string, string>) => Promise<object>) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const params = request.params as Record<string, string>;
    const { id: conversationId = "", itemId = "" } = params;
    const { body } = request;
    const query = request.query as Record<string, unknown>;
    checkInclude(query);
    const call = getCall(request, reply);
    const conversationCall = { call, body, query, id: readConversationId(conversationId), itemId };
    return reply.send(await work(conversationCall, { conversationId }));
  };
}
