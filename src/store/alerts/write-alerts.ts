import { openKey } from "../../alerts/evaluate.ts";
import { isAlertKind } from "../../alerts/kinds.ts";
import type { AlertChanges, AlertRecord, AlertStore, Condition, NewDelivery } from "../../alerts/ports.ts";
import { newId } from "../../lib/ids.ts";
import { splitIntoChunks } from "../../lib/split-into-chunks.ts";
import type { AlertRow } from "../entities/alert.ts";
import type { Store } from "../types/store.ts";
import { storableText } from "../write/storable-text.ts";

/** Most alerts that are open at once; conditions beyond them open none. */
const MOST_OPEN = 10_000;
/** Open alerts whose value is written anew in one evaluation. */
const MOST_CHANGED = 100;
/** Rows of one statement. */
const CHUNK = 500;

/** Reads the alerts that are open, the oldest first. */
export async function readOpenAlerts(store: Store): Promise<AlertRecord[]> {
  const rows = await store
    .query()
    .selectFrom("Alert")
    .selectAll()
    .where("openKey", "is not", null)
    .orderBy("id")
    .limit(MOST_OPEN)
    .execute();
  return rows.flatMap(toAlert);
}

/** Reads alerts whose last change has no message yet, the oldest first. */
export async function readUnsentAlerts(store: Store, limit: number): Promise<AlertRecord[]> {
  const rows = await store
    .query()
    .selectFrom("Alert")
    .selectAll()
    .where("isUntold", "=", true)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.flatMap(toAlert);
}

/** Writes what an evaluation found; of two processes that find the same, one writes it. */
export async function changeAlerts(
  store: Store,
  { opened, seen, closed }: AlertChanges,
): ReturnType<AlertStore["change"]> {
  const now = new Date();
  return await store.transaction(async (tables) => {
    const changed: { opened: AlertRecord[]; closed: AlertRecord[] } = { opened: [], closed: [] };
    for (const conditions of splitIntoChunks(opened, CHUNK)) {
      const rows = await tables
        .insertInto("Alert")
        .values(conditions.map((condition) => toRow(condition, now)))
        .onConflict((conflict) => conflict.column("openKey").doNothing())
        .returningAll()
        .execute();
      changed.opened.push(...rows.flatMap(toAlert));
    }
    for (const chunk of splitIntoChunks(seen, CHUNK)) {
      const ids = chunk.map(({ id }) => id);
      await tables.updateTable("Alert").set({ seenAt: now }).where("id", "in", ids).execute();
    }
    for (const { id, condition } of seen.filter(({ isChanged }) => isChanged).slice(0, MOST_CHANGED)) {
      const { value, summary } = condition;
      const set = { value, summary: storableText(summary) };
      await tables.updateTable("Alert").set(set).where("id", "=", id).execute();
    }
    for (const ids of splitIntoChunks(closed, CHUNK)) {
      const rows = await tables
        .updateTable("Alert")
        // An alert whose beginning nobody was told of needs no message about its end.
        .set(({ eb }) => ({ closedAt: now, openKey: null, isUntold: eb.not("isUntold") }))
        .where("id", "in", [...ids])
        .where("openKey", "is not", null)
        .returningAll()
        .execute();
      changed.closed.push(...rows.flatMap(toAlert));
    }
    return changed;
  });
}

/** Another process has written the messages. */
class AlreadySent extends Error {}

/** Writes messages about alerts, once: resolves to false where another process has. */
export async function tellAlerts(
  store: Store,
  alerts: readonly AlertRecord[],
  deliveries: readonly NewDelivery[],
): Promise<boolean> {
  const now = new Date();
  try {
    await store.transaction(async (tables) => {
      for (const [isOpen, part] of [
        [true, alerts.filter(({ closedAt }) => closedAt === null)],
        [false, alerts.filter(({ closedAt }) => closedAt !== null)],
      ] as const) {
        for (const chunk of splitIntoChunks(
          part.map(({ id }) => id),
          CHUNK,
        )) {
          const { numUpdatedRows } = await tables
            .updateTable("Alert")
            .set({ isUntold: false })
            .where("id", "in", [...chunk])
            .where("isUntold", "=", true)
            .where("closedAt", isOpen ? "is" : "is not", null)
            .executeTakeFirstOrThrow();
          if (Number(numUpdatedRows) !== chunk.length) throw new AlreadySent();
        }
      }
      for (const chunk of splitIntoChunks(deliveries, CHUNK)) {
        await tables
          .insertInto("AlertDelivery")
          .values(chunk.map((delivery) => ({ ...delivery, ...FRESH, nextAt: now, createdAt: now })))
          .execute();
      }
    });
    return true;
  } catch (error) {
    if (error instanceof AlreadySent) return false;
    throw error;
  }
}

/** The columns of a message that was not tried yet. */
export const FRESH = { state: "pending", attempts: 0, status: null, problem: null, endedAt: null } as const;

function toRow({ projectId, rule, kind, value, threshold, ...texts }: Condition, now: Date): AlertRow {
  const [subject, summary] = [storableText(texts.subject), storableText(texts.summary)];
  const key = openKey({ projectId, rule, subject });
  const times = { openedAt: now, seenAt: now, closedAt: null };
  return {
    id: newId(),
    projectId,
    rule,
    kind,
    subject,
    summary,
    value,
    threshold,
    ...times,
    openKey: key,
    isUntold: true,
  };
}

/** Leaves out kinds of a later version. */
export function toAlert({ openKey: _, isUntold: __, kind, ...row }: AlertRow): AlertRecord[] {
  return isAlertKind(kind) ? [{ ...row, kind, closedAt: row.closedAt ?? null }] : [];
}
