import type { MessageType } from "../../alerts/message-types.ts";
import type { Delivery, DeliveryOutcome } from "../../alerts/ports.ts";
import { newId } from "../../lib/ids.ts";
import { type AuditRecord, readAuditEntries } from "../audit/read-entries.ts";
import { databaseTime } from "../database/clock.ts";
import type { Store } from "../types/store.ts";
import { query } from "../types/tables.ts";
import { withinTransaction } from "../types/within-transaction.ts";
import { LEASE_ROW } from "./alert-lease.ts";
import { FRESH } from "./write-alerts.ts";

/** An attempt whose process has died is made again after so long. */
const ATTEMPT_MS = 60_000;
const DAY_MS = 86_400_000;
const DELIVERIES_KEPT_MS = 30 * DAY_MS;
const ALERTS_KEPT_MS = 365 * DAY_MS;

/** Takes messages that are due, each for one attempt of one process. */
export async function takeDueDeliveries(store: Store, limit: number): Promise<Delivery[]> {
  const now = new Date();
  const tables = store.query();
  const due = await tables
    .selectFrom("AlertDelivery")
    .selectAll()
    .where("state", "=", "pending")
    .where("nextAt", "<=", now)
    .orderBy("nextAt")
    .limit(limit)
    .execute();
  const taken: Delivery[] = [];
  for (const { id, attempts, ...row } of due) {
    const { numUpdatedRows } = await tables
      .updateTable("AlertDelivery")
      .set({ attempts: attempts + 1, nextAt: new Date(now.getTime() + ATTEMPT_MS) })
      .where("id", "=", id)
      .where("attempts", "=", attempts)
      .where("state", "=", "pending")
      .executeTakeFirstOrThrow();
    const { projectId, destination, body, createdAt } = row;
    const type = row.type as MessageType;
    if (numUpdatedRows > 0n) taken.push({ id, projectId, destination, type, body, createdAt, attempts: attempts + 1 });
  }
  return taken;
}

/** Writes how an attempt ended. */
export async function finishDelivery(store: Store, id: string, { nextAt, ...outcome }: DeliveryOutcome): Promise<void> {
  const isPending = outcome.state === "pending";
  await store
    .query()
    .updateTable("AlertDelivery")
    .set({ ...outcome, ...(isPending ? { nextAt } : { endedAt: new Date() }) })
    .where("id", "=", id)
    .execute();
}

/**
 * Writes the next entries of the audit log as a message, in the transaction that notes how far they were taken; none
 * while an earlier message is on its way, so that they arrive in order. Begins with the oldest entry that is kept.
 */
export async function enqueueAuditEntries(store: Store, destination: string, limit: number): Promise<boolean> {
  return await store.unitOfWork(async (em) => {
    const tables = query(em);
    const earlier = await tables
      .selectFrom("AlertDelivery")
      .select("id")
      .where("state", "=", "pending")
      .where("type", "=", "audit.entries")
      .limit(1)
      .executeTakeFirst();
    if (earlier !== undefined) return false;
    const lease = await tables
      .selectFrom("AlertLease")
      .select("auditSequence")
      .where("id", "=", LEASE_ROW)
      .executeTakeFirst();
    const after = Number(lease?.auditSequence ?? 0);
    const entries = await readAuditEntries(withinTransaction(store, em), { after, limit });
    const last = entries.at(-1);
    if (last === undefined) return false;
    const now = new Date();
    const message = { type: "audit.entries", timestamp: now.toISOString(), data: auditData(entries) };
    // Of two processes that read the same, one moves the mark.
    const { numUpdatedRows } = await tables
      .updateTable("AlertLease")
      .set({ auditSequence: last.sequence })
      .where("id", "=", LEASE_ROW)
      .where("auditSequence", "=", after)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return false;
    const times = { nextAt: now, createdAt: now };
    await tables
      .insertInto("AlertDelivery")
      .values({
        id: newId(),
        projectId: "",
        destination,
        type: message.type,
        body: JSON.stringify(message),
        ...FRESH,
        ...times,
      })
      .execute();
    return true;
  });
}

function auditData(entries: readonly AuditRecord[]) {
  const [first, last] = [entries[0]?.sequence, entries.at(-1)?.sequence];
  const title = `Audit log: entries ${first} to ${last}`;
  return { title, text: title, entries };
}

/** Deletes messages, and alerts that are over, which ended long ago; and signals that have expired. */
export async function deleteOldAlerts(store: Store): Promise<void> {
  const tables = store.query();
  const ago = (ms: number) => new Date(Date.now() - ms);
  await tables.deleteFrom("AlertDelivery").where("endedAt", "<", ago(DELIVERIES_KEPT_MS)).execute();
  await tables.deleteFrom("Alert").where("closedAt", "<", ago(ALERTS_KEPT_MS)).execute();
  await tables.deleteFrom("AlertSignal").where("expiresAt", "<", databaseTime(store)).execute();
}
