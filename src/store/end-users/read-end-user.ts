import { toJson } from "@bufbuild/protobuf";
import { MessageSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { CONVERSATION_SOURCE } from "../../hub/sessions.ts";
import { appendAuditEntry } from "../audit/append-entry.ts";
import { readItems } from "../conversations/read-items.ts";
import { type ExportedInference, exportInferences } from "../dashboard/export-inferences.ts";
import { createStoreReads } from "../dashboard/reads/reads.ts";
import { readConversations } from "../deletions/read-conversations.ts";
import type { UsageFactRow } from "../entities/usage-fact.ts";
import { readQuotas } from "../quotas/read-quotas.ts";
import type { Store } from "../types/store.ts";
import type { EndUser } from "./delete-end-user.ts";

/** A part of what is known of an end user. */
export type EndUserPart =
  | { readonly kind: "limits"; readonly limits: object }
  | { readonly kind: "usage"; readonly day: Omit<UsageFactRow, "projectId" | "kind" | "name" | "latencies"> }
  | { readonly kind: "inference"; readonly inference: ExportedInference }
  | { readonly kind: "conversation"; readonly conversation: object };

/**
 * Yields all that is known of an end user: limits, figures by the day, and inferences with what belongs to them, the
 * latest first, each followed by conversations that it began. After an inference of an id, only what comes after that
 * one.
 */
export async function* readEndUser(
  store: Store,
  user: EndUser,
  { signal, after }: { readonly signal: AbortSignal; readonly after?: string },
): AsyncGenerator<EndUserPart> {
  if (after === undefined) yield* readFigures(store, user);
  const { projectId, endUserId } = user;
  const seen = new Set<string>();
  const query = { projectId, filter: {}, facts: { endUserId }, limit: Number.MAX_SAFE_INTEGER, cursor: after };
  for await (const inference of exportInferences(createStoreReads(store), query, signal)) {
    yield { kind: "inference", inference };
    const { row } = inference;
    for (const id of await readConversations(store, [row])) {
      if (seen.has(id) || (await hasEarlier(store, user, { id, inferenceId: row.id }))) continue;
      seen.add(id);
      const conversation = await readConversation(store, id, projectId);
      if (conversation !== undefined) yield { kind: "conversation", conversation };
    }
  }
}

/**
 * Returns whether an earlier inference of the end user brings a conversation, on this page or another one: later ones
 * may come between two pages.
 */
async function hasEarlier(
  store: Store,
  { projectId, endUserId }: EndUser,
  { id, inferenceId }: { readonly id: string; readonly inferenceId: string },
): Promise<boolean> {
  const earlier = await store
    .query()
    .selectFrom("Inference")
    .select("id")
    .where((is) => is.and({ projectId, endUserId, sessionId: id, sessionSource: CONVERSATION_SOURCE }))
    .where("id", "<", inferenceId)
    .limit(1)
    .executeTakeFirst();
  return earlier !== undefined;
}

async function* readFigures(store: Store, user: EndUser): AsyncGenerator<EndUserPart> {
  const { projectId, endUserId } = user;
  for (const { owner, settings } of await readQuotas(store, { projectId, kinds: ["endUser"] })) {
    if (owner.name === endUserId) yield { kind: "limits", limits: settings };
  }
  for (const day of await readDays(store, user)) yield { kind: "usage", day };
}

/** Notes in the audit log that what is known of an end user is exported: all, or a page that a token begins. */
export async function noteExport(store: Store, { projectId, endUserId }: EndUser, pageToken = ""): Promise<void> {
  await store.unitOfWork(async (em) => {
    appendAuditEntry(em, {
      ...store.origin,
      projectId,
      action: "endUsers.export",
      before: null,
      after: pageToken === "" ? {} : { pageToken },
      target: { kind: "end-user", id: endUserId, name: endUserId },
    });
  });
}

async function readDays(store: Store, { projectId, endUserId }: EndUser) {
  const rows = await store
    .query()
    .selectFrom("UsageFactDay")
    .selectAll()
    .where((is) => is.and({ projectId, kind: "end_user", name: endUserId }))
    .orderBy("period")
    .execute();
  return rows.map(({ projectId: _, kind: __, name: ___, latencies: ____, ...day }) => day);
}

async function readConversation(store: Store, id: string, projectId: string): Promise<object | undefined> {
  const facts = await store
    .query()
    .selectFrom("Conversation")
    .select(["createdAt", "metadata"])
    .where("id", "=", id)
    .where("projectId", "=", projectId)
    .executeTakeFirst();
  const items = facts && (await readItems(store.query(), id, projectId));
  if (items === undefined) return undefined;
  return { id, ...facts, items: items.map((item) => ({ id: item.id, message: toJson(MessageSchema, item.message) })) };
}
