import { CONVERSATION_SOURCE } from "../../hub/sessions.ts";
import { isUuid } from "../../lib/ids.ts";
import type { InferenceRow } from "../entities/inference.ts";
import { readBodies, readBodySizes, selectBodies } from "../read/queries/read-bodies.ts";
import { decodeContent } from "../types/inference-body.ts";
import type { Store } from "../types/store.ts";

/**
 * Returns the ids of conversations that inferences went on with: as their session says, or what was asked where that
 * was kept.
 */
export async function readConversations(
  store: Store,
  inferences: readonly Pick<InferenceRow, "id" | "sessionId" | "sessionSource">[],
): Promise<ReadonlySet<string>> {
  const sessions = inferences.flatMap(({ sessionId, sessionSource }) =>
    sessionSource === CONVERSATION_SOURCE && sessionId != null ? [sessionId] : [],
  );
  const found = new Set(sessions);
  const source = {
    readBodySizes: (ids: readonly string[]) => readBodySizes(store, ids),
    selectBodies: (ids: readonly string[]) => selectBodies(store, ids),
  };
  const ids = inferences.map(({ id }) => id);
  for await (const { body } of readBodies(source, ids)) {
    const conversationId = body && (await decodeContent(body)).input.conversationId;
    if (conversationId !== undefined) found.add(conversationId.toLowerCase());
  }
  return new Set([...found].filter(isUuid));
}
