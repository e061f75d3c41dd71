import { appendAuditEntry } from "../audit/append-entry.ts";
import type { Store } from "../types/store.ts";
import { query } from "../types/tables.ts";
import type { KindPlan } from "./plan-retention.ts";
import { KINDS_OF_DATA, RETENTION_KINDS, type RetentionKind } from "./retention-kind.ts";

/** The result of a retention run. */
export interface RetentionResult {
  readonly droppedPartitions: readonly string[];
  /** Rows by their kind; those in partitions that were dropped are not counted. */
  readonly deleted: Readonly<Record<RetentionKind, number>>;
}

/**
 * Deletes what the plans let go; what was counted of inferences and feedback stays. Resolves early when the signal
 * aborts.
 */
export async function applyRetention(
  store: Store,
  plans: readonly KindPlan[],
  { now, signal }: { readonly now: Date; readonly signal: AbortSignal },
): Promise<RetentionResult> {
  const deleted = Object.fromEntries(RETENTION_KINDS.map((kind) => [kind, 0])) as Record<RetentionKind, number>;
  const droppedPartitions: string[] = [];
  for (const plan of plans) {
    const { kind, deleteBefore } = plan;
    if (deleteBefore === undefined || signal.aborted) continue;
    // Before anything goes: readers look elsewhere for it, and a run that is broken off is taken up by the next one.
    await writeMark(store, { ...plan, deleteBefore }, now);
    const data = KINDS_OF_DATA[kind];
    const { rows, partitions } = await data.remove(store, data.cutAt(store, deleteBefore), signal);
    deleted[kind] = rows;
    droppedPartitions.push(...partitions);
  }
  return { droppedPartitions, deleted };
}

/** Lets go all that is too old by these plans, also in later runs. */
export async function confirmRetention(store: Store, plans: readonly KindPlan[], now: Date): Promise<void> {
  await store.unitOfWork(async (em) => {
    for (const { kind, retentionDays, expiredBefore } of plans) {
      // Nothing was deleted yet: the mark of a kind that has none is as old as can be.
      const mark = { kind, retentionDays, deletedBefore: new Date(0), ranAt: now };
      await query(em)
        .insertInto("RetentionMark")
        .values({ ...mark, confirmedBefore: expiredBefore })
        .onConflict((conflict) => conflict.column("kind").doUpdateSet({ confirmedBefore: expiredBefore }))
        .execute();
    }
    appendAuditEntry(em, {
      ...store.origin,
      action: "retention.confirm",
      target: { kind: "installation", id: "", name: "" },
      before: null,
      after: Object.fromEntries(plans.map(({ kind, expiredBefore }) => [kind, expiredBefore])),
    });
  });
}

async function writeMark(
  store: Store,
  { kind, retentionDays, deleteBefore, held }: KindPlan & { readonly deleteBefore: Date },
  now: Date,
): Promise<void> {
  await store
    .query()
    .insertInto("RetentionMark")
    .values({ kind, retentionDays, confirmedBefore: null, deletedBefore: deleteBefore, ranAt: now })
    .onConflict((conflict) =>
      conflict.column("kind").doUpdateSet(({ eb, ref }) => ({
        ranAt: now,
        // What is gone stays gone where more is kept from now on.
        deletedBefore: eb
          .case()
          .when("RetentionMark.deletedBefore", ">", ref("excluded.deletedBefore"))
          .then(ref("RetentionMark.deletedBefore"))
          .else(ref("excluded.deletedBefore"))
          .end(),
        // While a shorter time waits for an operator, the longer one from before counts.
        ...(held === undefined && { retentionDays }),
      })),
    )
    .execute();
}
