import { fromBinary } from "@bufbuild/protobuf";
import type { Kysely } from "@mikro-orm/sql";
import { MessageSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { InferenceError } from "../../hub/error.ts";
import type { ConversationItem, ItemPage } from "../../inference/ports.ts";
import type { Tables } from "../types/tables.ts";

/** An item of a project's conversation. */
export interface ItemKey {
  readonly id: string;
  readonly itemId: string;
  readonly projectId: string;
}

/** Tells whether a project has a conversation. */
export async function isThere(tables: Kysely<Tables>, id: string, projectId: string): Promise<boolean> {
  const query = tables.selectFrom("Conversation").select("id").where("id", "=", id);
  return (await query.where("projectId", "=", projectId).executeTakeFirst()) !== undefined;
}

/** Reads all items of a conversation, the oldest first; undefined if the project has no such conversation. */
export async function readItems(
  tables: Kysely<Tables>,
  id: string,
  projectId: string,
): Promise<ConversationItem[] | undefined> {
  if (!(await isThere(tables, id, projectId))) return undefined;
  return (await ofConversation(tables, id).orderBy("position").execute()).map(fromRow);
}

/** Reads a page of them. Throws INVALID_REQUEST for an `after` that is no item of the conversation. */
export async function readItemPage(
  tables: Kysely<Tables>,
  { id, projectId }: Pick<ItemKey, "id" | "projectId">,
  { limit, after, isLatestFirst }: ItemPage,
): Promise<{ readonly items: ConversationItem[]; readonly hasMore: boolean } | undefined> {
  if (!(await isThere(tables, id, projectId))) return undefined;
  let query = ofConversation(tables, id);
  if (after !== undefined) {
    const row = await ofConversation(tables, id).where("id", "=", after).executeTakeFirst();
    if (row === undefined)
      throw InferenceError.invalid("after_item_id", "is not the id of an item of this conversation");
    query = query.where("position", isLatestFirst ? "<" : ">", row.position);
  }
  const rows = await query
    .orderBy("position", isLatestFirst ? "desc" : "asc")
    .limit(limit + 1)
    .execute();
  return { items: rows.slice(0, limit).map(fromRow), hasMore: rows.length > limit };
}

/** Reads an item; undefined if there is none. */
export async function readItem(
  tables: Kysely<Tables>,
  { id, itemId, projectId }: ItemKey,
): Promise<ConversationItem | undefined> {
  if (!(await isThere(tables, id, projectId))) return undefined;
  const row = await ofConversation(tables, id).where("id", "=", itemId).executeTakeFirst();
  return row && fromRow(row);
}

function ofConversation(tables: Kysely<Tables>, id: string) {
  return tables.selectFrom("ConversationItem").select(["id", "position", "message"]).where("conversationId", "=", id);
}

function fromRow({ id, message }: { readonly id: string; readonly message: Uint8Array }): ConversationItem {
  return { id, message: fromBinary(MessageSchema, message) };
}
