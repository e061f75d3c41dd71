import { appendAuditEntry } from "../audit/append-entry.ts";
import { createExecutor } from "../database/executor.ts";
import type { Store } from "../types/store.ts";
import { query } from "../types/tables.ts";

/** The kinds of what a document of projects has. */
export const MANAGED_KINDS = ["project", "key", "member", "limits", "learning", "settings"] as const;

export type ManagedKind = (typeof MANAGED_KINDS)[number];

/** A thing that a document manages, by what does not change with its name for people. */
export interface ManagedItem {
  readonly kind: ManagedKind;
  /** Empty where it is of no project. */
  readonly projectId: string;
  /** Of a key the public id, of a member the address, of limits kind and name of their owner, of controls the model. */
  readonly name: string;
}

interface ManagedSince extends ManagedItem {
  readonly since: Date;
}

/** Waits until no other document is applied; until the transaction ends nobody else applies one. */
export async function lockManagedItems(store: Store): Promise<void> {
  // On SQLite every writer is alone.
  if (store.engine === "postgres") {
    await createExecutor(store.query())('lock table "managed_item" in share row exclusive mode', []);
  }
}

/**
 * Lists managed items by project, kind and name: those after one of them, and at most as many as are asked for. Those
 * of a deleted project are none until it is restored: undone, all of it is as before.
 */
export async function readManagedItems(
  store: Store,
  filter: { readonly projectId?: string | undefined; readonly after?: ManagedItem; readonly limit?: number } = {},
): Promise<readonly ManagedSince[]> {
  const { projectId, after, limit } = filter;
  const tables = store.query();
  const deleted = await tables.selectFrom("Project").select("id").where("deletedAt", "is not", null).execute();
  let rows = tables.selectFrom("ManagedItem").selectAll();
  const gone = deleted.map(({ id }) => id);
  if (gone.length > 0) rows = rows.where("projectId", "not in", gone);
  if (projectId !== undefined) rows = rows.where("projectId", "=", projectId);
  if (after !== undefined) {
    const last = [after.projectId, after.kind, after.name] as const;
    rows = rows.where(({ eb, refTuple, tuple }) => eb(refTuple("projectId", "kind", "name"), ">", tuple(...last)));
  }
  if (limit !== undefined) rows = rows.limit(limit);
  const found = await rows.orderBy("projectId").orderBy("kind").orderBy("name").execute();
  return found.flatMap(({ kind: stored, ...row }) => {
    const kind = MANAGED_KINDS.find((known) => known === stored);
    return kind === undefined ? [] : [{ ...row, kind }];
  });
}

/** Has an item managed from now on; with its name for people as `title`, the audit log tells of it. */
export async function manageItem(store: Store, item: ManagedItem, title?: string): Promise<void> {
  await store.unitOfWork(async (em) => {
    await query(em)
      .insertInto("ManagedItem")
      .values({ projectId: item.projectId, kind: item.kind, name: item.name, since: new Date() })
      .onConflict((conflict) => conflict.columns(["projectId", "kind", "name"]).doNothing())
      .execute();
    if (title === undefined) return;
    appendAuditEntry(em, { ...entryOf(store, item, title), action: "managed.add", before: null, after: {} });
  });
}

/** Has an item managed no more; with its name for people as `title`, the audit log tells of it. */
export async function releaseItem(store: Store, item: ManagedItem, title?: string): Promise<void> {
  const { projectId, kind, name } = item;
  await store.unitOfWork(async (em) => {
    await query(em)
      .deleteFrom("ManagedItem")
      .where((is) => is.and({ projectId, kind, name }))
      .execute();
    if (title === undefined) return;
    appendAuditEntry(em, { ...entryOf(store, item, title), action: "managed.remove", before: {}, after: null });
  });
}

function entryOf({ origin }: Store, { projectId, kind, name }: ManagedItem, title: string) {
  const target = { kind, id: name || projectId, name: title };
  return { ...origin, projectId: projectId || undefined, target };
}
