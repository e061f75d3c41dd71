import type { Store } from "../types/store.ts";

/** Conversations of one transaction. */
const CHUNK = 50;

/**
 * Deletes conversations that were last written before a time, until none is left or the signal aborts; returns how
 * many.
 */
export async function deleteConversations(store: Store, before: Date, signal: AbortSignal): Promise<number> {
  for (let deleted = 0; ; ) {
    if (signal.aborted) return deleted;
    const rows = await store.transaction(async (tables) => {
      const old = tables.selectFrom("Conversation").select("id").where("updatedAt", "<", before);
      const ids = (await old.orderBy("updatedAt").limit(CHUNK).execute()).map(({ id }) => id);
      if (ids.length === 0) return 0;
      // One that was written meanwhile stays with its items.
      const gone = await tables
        .deleteFrom("Conversation")
        .where("id", "in", ids)
        .where("updatedAt", "<", before)
        .returning("id")
        .execute();
      const goneIds = gone.map(({ id }) => id);
      if (goneIds.length > 0) {
        await tables.deleteFrom("ConversationItem").where("conversationId", "in", goneIds).execute();
      }
      return ids.length;
    });
    if (rows === 0) return deleted;
    deleted += rows;
  }
}
