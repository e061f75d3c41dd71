import { toBinary } from "@bufbuild/protobuf";
import type { Kysely } from "@mikro-orm/sql";
import { type Message, MessageSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { InferenceError } from "../../hub/error.ts";
import { whenAvailable } from "../../hub/when-available.ts";
import type { Conversation, ConversationItem, Conversations } from "../../inference/ports.ts";
import { newId } from "../../lib/ids.ts";
import type { ConversationRow } from "../entities/conversation.ts";
import type { Store } from "../types/store.ts";
import type { Tables } from "../types/tables.ts";
import { type ItemKey, isThere, readItem, readItemPage, readItems } from "./read-items.ts";

/** Bounds of conversations. */
interface ConversationLimits {
  /** Most conversations of a project. */
  readonly perProject: number;
  /** Most items of a conversation. */
  readonly items: number;
  /** Most bytes of a conversation's items. */
  readonly bytes: number;
}

/** Items of one statement. */
const ITEMS_AT_ONCE = 500;

interface NewItem extends ConversationItem {
  readonly bytes: Uint8Array;
}

/** Creates the conversations of a database. */
export function createConversationStore(store: Store, limits: ConversationLimits): Conversations {
  return {
    create: (projectId, { metadata, items }) =>
      available(async () => {
        const id = newId();
        const createdAt = new Date();
        const added = items.map(toItem);
        checkRoom({ items: added.length, bytes: getBytes(added) }, limits);
        await store.transaction(async (tables) => {
          if (store.engine === "postgres") await lockProject(tables, projectId);
          await checkCount(tables, projectId, limits.perProject);
          const counts = { nextPosition: added.length, items: added.length, bytes: getBytes(added) };
          const row = { id, projectId, createdAt, updatedAt: createdAt, metadata: { ...metadata }, ...counts };
          await tables.insertInto("Conversation").values(row).execute();
          await insertItems(tables, id, { items: added, from: 0 });
        });
        return { id, createdAt, metadata };
      }),
    read: (id, projectId) =>
      available(async () => {
        const query = store.query().selectFrom("Conversation").selectAll().where("id", "=", id);
        return fromRow(await query.where("projectId", "=", projectId).executeTakeFirst());
      }),
    update: (id, projectId, metadata) =>
      available(async () => {
        const change = { metadata: { ...metadata }, updatedAt: new Date() };
        const query = store.query().updateTable("Conversation").set(change).where("id", "=", id);
        return fromRow(await query.where("projectId", "=", projectId).returningAll().executeTakeFirst());
      }),
    delete: (id, projectId) =>
      available(() =>
        store.transaction(async (tables) => {
          const query = tables.deleteFrom("Conversation").where("id", "=", id).where("projectId", "=", projectId);
          const { numDeletedRows } = await query.executeTakeFirstOrThrow();
          if (numDeletedRows > 0n)
            await tables.deleteFrom("ConversationItem").where("conversationId", "=", id).execute();
          return numDeletedRows > 0n;
        }),
      ),
    append: (id, projectId, items) =>
      available(() =>
        store.transaction(async (tables) => {
          const added = items.map(toItem);
          // The row is locked until the end: what several processes add comes one after another.
          const row = await grow(tables, { id, projectId, by: added });
          if (row === undefined) return undefined;
          checkRoom(row, limits);
          await insertItems(tables, id, { items: added, from: row.nextPosition - added.length });
          return added.map(({ id, message }) => ({ id, message }));
        }),
      ),
    items: (id, projectId) => available(() => readItems(store.query(), id, projectId)),
    page: (id, projectId, page) => available(() => readItemPage(store.query(), { id, projectId }, page)),
    item: (id, itemId, projectId) => available(() => readItem(store.query(), { id, itemId, projectId })),
    deleteItem: (id, itemId, projectId) =>
      available(() => store.transaction((tables) => removeItem(tables, { id, itemId, projectId }))),
  };
}

/** Deletes an item of a conversation; returns false if there is none. */
async function removeItem(tables: Kysely<Tables>, { id, itemId, projectId }: ItemKey): Promise<boolean> {
  if (!(await isThere(tables, id, projectId))) return false;
  const query = tables.deleteFrom("ConversationItem").where("conversationId", "=", id).where("id", "=", itemId);
  const gone = await query.returning("message").executeTakeFirst();
  if (gone === undefined) return false;
  await tables
    .updateTable("Conversation")
    .set(({ eb }) => ({
      items: eb("items", "-", 1),
      bytes: eb("bytes", "-", gone.message.length),
      updatedAt: new Date(),
    }))
    .where("id", "=", id)
    .execute();
  return true;
}

async function grow(
  tables: Kysely<Tables>,
  { id, projectId, by }: { readonly id: string; readonly projectId: string; readonly by: readonly NewItem[] },
): Promise<Pick<ConversationRow, "nextPosition" | "items" | "bytes"> | undefined> {
  return await tables
    .updateTable("Conversation")
    .set(({ eb }) => ({
      nextPosition: eb("nextPosition", "+", by.length),
      items: eb("items", "+", by.length),
      bytes: eb("bytes", "+", getBytes(by)),
      updatedAt: new Date(),
    }))
    .where("id", "=", id)
    .where("projectId", "=", projectId)
    .returning(["nextPosition", "items", "bytes"])
    .executeTakeFirst();
}

async function insertItems(
  tables: Kysely<Tables>,
  conversationId: string,
  { items, from }: { readonly items: readonly NewItem[]; readonly from: number },
): Promise<void> {
  const rows = items.map(({ id, bytes }, index) => {
    return { conversationId, position: from + index, id, message: Buffer.from(bytes) };
  });
  for (let start = 0; start < rows.length; start += ITEMS_AT_ONCE) {
    const chunk = rows.slice(start, start + ITEMS_AT_ONCE);
    await tables.insertInto("ConversationItem").values(chunk).execute();
  }
}

/** Has several processes create in a project one after another, so that each counts what is there. */
async function lockProject(tables: Kysely<Tables>, projectId: string): Promise<void> {
  await tables.selectFrom("Project").select("id").where("id", "=", projectId).forNoKeyUpdate().execute();
}

async function checkCount(tables: Kysely<Tables>, projectId: string, most: number): Promise<void> {
  const query = tables.selectFrom("Conversation").select("id").where("projectId", "=", projectId);
  const past = await query
    .orderBy("id")
    .offset(most - 1)
    .limit(1)
    .executeTakeFirst();
  if (past === undefined) return;
  throw InferenceError.invalid("", `the project has ${most} conversations, which is the most: delete some`);
}

function checkRoom({ items, bytes }: { readonly items: number; readonly bytes: number }, limits: ConversationLimits) {
  if (items <= limits.items && bytes <= limits.bytes) return;
  const most = `at most ${limits.items} items and ${limits.bytes} bytes`;
  throw InferenceError.invalid("conversation_id", `a conversation has ${most}: delete items, or begin another one`);
}

function toItem(message: Message): NewItem {
  return { id: newId(), message, bytes: toBinary(MessageSchema, message) };
}

function getBytes(items: readonly NewItem[]): number {
  return items.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

function fromRow(row: Pick<ConversationRow, "id" | "createdAt" | "metadata"> | undefined): Conversation | undefined {
  return row && { id: row.id, createdAt: row.createdAt, metadata: row.metadata };
}

async function available<T>(work: () => Promise<T>): Promise<T> {
  return await whenAvailable(work(), "conversations cannot be reached");
}
