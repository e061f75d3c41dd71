import type { Kysely } from "@mikro-orm/sql";
import { describeOwner } from "../../quotas/describe-quota.ts";
import { MOST_QUOTAS_OF_PROJECT, type QuotaOwner, type QuotaSettings } from "../../quotas/quota.ts";
import { changeQuota, isUnlimited, type QuotaChange, readQuotaSettings } from "../../quotas/quota-settings.ts";
import { appendAuditEntry } from "../audit/append-entry.ts";
import { CHANNELS } from "../changes/change-feed.ts";
import { notifyChange } from "../changes/notify-change.ts";
import { createExecutor } from "../database/executor.ts";
import { QuotaError } from "../types/quotas.ts";
import type { Engine, Store } from "../types/store.ts";
import { query, type Tables } from "../types/tables.ts";

/** Most quotas that may be set. */
interface QuotaBounds {
  readonly total: number;
  readonly perProject: number;
}

const BOUNDS: QuotaBounds = { total: 100_000, perProject: MOST_QUOTAS_OF_PROJECT };

/** A change, with the owner of what it changes. */
interface OwnedChange {
  readonly owner: QuotaOwner;
  readonly change: QuotaChange;
}

/**
 * Changes the quota of an owner, and tells all processes of it; a quota without limits is removed. Resolves to what
 * the owner has then. Throws QuotaError where there are as many quotas as there may be.
 */
export async function writeQuota(store: Store, change: OwnedChange, bounds = BOUNDS): Promise<QuotaSettings> {
  return await store.unitOfWork(async (em) => {
    const { before, after } = await changeOne({ tables: query(em), engine: store.engine }, change, bounds);
    const { kind, projectId, name } = change.owner;
    appendAuditEntry(em, {
      ...store.origin,
      projectId: projectId || undefined,
      action: "quotas.set",
      target: { kind: "quota", id: `${kind}:${name}`, name: describeOwner(change.owner) },
      before: { ...before },
      after: { ...after },
    });
    return after;
  });
}

interface Transaction {
  readonly tables: Kysely<Tables>;
  readonly engine: Engine;
}

/** Does the same as a part of a transaction, which adds the audit entry of all that it does. */
export async function writeQuotaIn(transaction: Transaction, change: OwnedChange): Promise<QuotaSettings> {
  return (await changeOne(transaction, change, BOUNDS)).after;
}

async function changeOne({ tables, engine }: Transaction, { owner, change }: OwnedChange, bounds: QuotaBounds) {
  const execute = createExecutor(tables);
  // One at a time: the bounds hold, and no two changes have the same time. On SQLite every writer is alone.
  if (engine === "postgres") await execute('lock table "quota" in share row exclusive mode', []);
  const known = await readOne(tables, owner);
  const before = known ?? {};
  const after = changeQuota(before, change);
  if (isUnlimited(after)) await deleteOne(tables, owner);
  else {
    if (known === undefined) await checkBounds(tables, owner.projectId, bounds);
    await writeOne(tables, owner, after);
  }
  await notifyChange(execute, engine, { channel: CHANNELS.quotas, payload: owner.projectId });
  return { before, after };
}

async function readOne(tables: Kysely<Tables>, owner: QuotaOwner): Promise<QuotaSettings | undefined> {
  const { kind, projectId, name } = owner;
  const row = await tables
    .selectFrom("Quota")
    .select("settings")
    .where((is) => is.and({ kind, projectId, name }))
    .executeTakeFirst();
  return row && readQuotaSettings(row.settings);
}

async function deleteOne(tables: Kysely<Tables>, { kind, projectId, name }: QuotaOwner): Promise<void> {
  await tables
    .deleteFrom("Quota")
    .where((is) => is.and({ kind, projectId, name }))
    .execute();
}

async function writeOne(tables: Kysely<Tables>, owner: QuotaOwner, settings: QuotaSettings): Promise<void> {
  const { kind, projectId, name } = owner;
  const latest = await tables
    .selectFrom("Quota")
    .select("updatedAt")
    .orderBy("updatedAt", "desc")
    .limit(1)
    .executeTakeFirst();
  // A clock that was set back must not hide a change from those who look for a later time.
  const updatedAt = new Date(Math.max(Date.now(), (latest?.updatedAt.getTime() ?? 0) + 1));
  await tables
    .insertInto("Quota")
    .values({ kind, projectId, name, settings, updatedAt })
    .onConflict((conflict) => conflict.columns(["kind", "projectId", "name"]).doUpdateSet({ settings, updatedAt }))
    .execute();
}

async function checkBounds(tables: Kysely<Tables>, projectId: string, bounds: QuotaBounds): Promise<void> {
  const all = tables.selectFrom("Quota").select(({ fn }) => fn.countAll<number>().as("count"));
  const [inAll, inProject] = [
    await all.executeTakeFirstOrThrow(),
    await all.where("projectId", "=", projectId).executeTakeFirstOrThrow(),
  ];
  if (Number(inProject.count) >= bounds.perProject) throw tooMany("of this project", bounds.perProject);
  if (Number(inAll.count) >= bounds.total) throw tooMany("of all projects", bounds.total);
}

function tooMany(of: string, most: number): QuotaError {
  return new QuotaError(`there are ${most} quotas ${of}, the maximum: clear one that isn't needed`);
}
