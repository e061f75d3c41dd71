import { countAuditEntries, cutAuditLog } from "../audit/cut-audit-log.ts";
import type { Executor } from "../database/executor.ts";
import { changePartitions } from "../partitions/change-partitions.ts";
import { listPartitions } from "../partitions/list-partitions.ts";
import { PARTITION_PLANS, type PartitionedTable, partitionStart } from "../partitions/partition-plan.ts";
import { firstIdAt, type PERIODS, periodAt, periodStart } from "../types/period.ts";
import type { Store } from "../types/store.ts";
import { countRows, type Expired } from "./count-rows.ts";
import { deleteFeedback, deleteInChunks } from "./delete-in-chunks.ts";
import { countPeriods, deletePeriods } from "./delete-periods.ts";

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

/** The kinds of data that retention deletes, in this order. */
export const RETENTION_KINDS = ["bodies", "inferences", "feedback", "hours", "figures", "audit"] as const;

/** A kind of data that is kept for a time of its own. */
export type RetentionKind = (typeof RETENTION_KINDS)[number];

/** The deletions of a kind. */
interface Deleted {
  /** Rows that were deleted one by one; those of partitions that were dropped are not counted. */
  readonly rows: number;
  readonly partitions: readonly string[];
}

/** The counting and deleting of a kind. */
interface KindOfData {
  /** The name that people read. */
  readonly name: string;
  /**
   * Returns the time up to which data goes when what is older than a time may: whole partitions go, and whole periods.
   */
  cutAt(store: Store, before: Date): Date;
  /** Counts what is older than a time of cutAt(), and all there is until now. */
  count(store: Store, before: Date, now: Date): Promise<Expired>;
  /** Deletes what is older than a time of cutAt(), a little at a time, until the signal aborts. */
  remove(store: Store, before: Date, signal: AbortSignal): Promise<Deleted>;
}

/** Every kind of data. */
export const KINDS_OF_DATA: Record<RetentionKind, KindOfData> = {
  bodies: withConversations(
    withDependent(
      ["shadow_pair", "dataset_answer_text", "inference_item"],
      partitioned("requests and answers", "inference_body"),
    ),
  ),
  inferences: withDependent(
    ["shadow_trial", "dataset_answer"],
    partitioned("inferences", "inference", ["inference_attempt", "inference_tag"]),
  ),
  feedback: {
    name: "feedback entries",
    cutAt: (_, before) => before,
    count: (store, before) => countRows(store, "feedback_entry", firstIdAt(before.getTime())),
    async remove(store, before, signal) {
      const beforeId = firstIdAt(before.getTime());
      await deleteInChunks(store, { table: "feedback_removal", beforeId }, signal);
      return { rows: await deleteFeedback(store, beforeId, signal), partitions: [] };
    },
  },
  hours: periods("hourly figures", "day", { usage_hour: "hour", feedback_hour: "hour" }),
  figures: periods("figures", "week", {
    usage_day: "day",
    usage_week: "week",
    feedback_day: "day",
    usage_fact_day: "day",
    usage_fact_week: "week",
    usage_fact_four_weeks: "four_weeks",
    feedback_fact_day: "day",
    feedback_fact_week: "week",
    feedback_fact_four_weeks: "four_weeks",
  }),
  audit: {
    name: "entries of the audit log",
    cutAt: (_, before) => before,
    count: countAuditEntries,
    remove: async (store, before, signal) => ({ rows: await cutAuditLog(store, before, signal), partitions: [] }),
  },
};

/** Conversations hold requests and answers too: one goes when it was last written before the time. */
function withConversations(kind: KindOfData): KindOfData {
  return {
    ...kind,
    async remove(store, before, signal) {
      const conversations = await deleteConversations(store, before, signal);
      const { rows, partitions } = await kind.remove(store, before, signal);
      return { rows: rows + conversations, partitions };
    },
  };
}

/**
 * Shadow trials, and answers of runs of datasets, go with the inferences that they were made for, and their texts with
 * those of these, and the names of items with the answers.
 */
function withDependent(tables: readonly string[], kind: KindOfData): KindOfData {
  return {
    ...kind,
    async remove(store, before, signal) {
      const beforeId = firstIdAt(before.getTime());
      for (const table of tables) await deleteInChunks(store, { table, key: "inference_id", beforeId }, signal);
      return await kind.remove(store, before, signal);
    },
  };
}

/** Rows of a table by the time in their ids; before them go those of other tables that are of no use without them. */
function partitioned(name: string, table: PartitionedTable, dependents: readonly PartitionedTable[] = []): KindOfData {
  return {
    name,
    cutAt: ({ engine }, before) => (engine === "sqlite" ? before : partitionStart(getPlan(table), before)),
    count: (store, before) => countRows(store, table, firstIdAt(before.getTime())),
    async remove(store, before, signal) {
      const partitions: string[] = [];
      for (const dependent of dependents) {
        partitions.push(...(await removeRows(store, dependent, before, signal)).partitions);
      }
      const own = await removeRows(store, table, before, signal);
      return { rows: own.rows, partitions: [...partitions, ...own.partitions] };
    },
  };
}

async function removeRows(store: Store, table: PartitionedTable, before: Date, signal: AbortSignal): Promise<Deleted> {
  const beforeId = firstIdAt(before.getTime());
  if (store.engine === "sqlite") {
    return { rows: await deleteInChunks(store, { table, beforeId }, signal), partitions: [] };
  }
  const partitions = await dropPartitions(store, { table, beforeId }, signal);
  // Rows of times for which there never was a partition.
  return { rows: await deleteInChunks(store, { table: `${table}_default`, beforeId }, signal), partitions };
}

function getPlan(table: string) {
  const plan = PARTITION_PLANS.find((planned) => planned.table === table);
  if (plan === undefined) throw new Error(`${table} has no partitions`);
  return plan;
}

/** Rollups go by days or weeks that are whole, so that no sum is made of the parts of one. */
function periods(
  name: string,
  whole: "day" | "week",
  tables: Readonly<Record<string, keyof typeof PERIODS>>,
): KindOfData {
  return {
    name,
    cutAt: (_, before) => new Date(periodStart(whole, periodAt(whole, before.getTime()))),
    count: (store, before, now) => countPeriods(store, tables, { beforeMs: before.getTime(), nowMs: now.getTime() }),
    async remove(store, before, signal) {
      return { rows: await deletePeriods(store, tables, { beforeMs: before.getTime(), signal }), partitions: [] };
    },
  };
}

/** Drops the partitions of a table on PostgreSQL in which all ids are less than the one given. Returns their names. */
async function dropPartitions(
  store: Store,
  { table, beforeId }: { readonly table: string; readonly beforeId: string },
  signal: AbortSignal,
): Promise<string[]> {
  const dropped: string[] = [];
  for (const { name, bounds } of await listPartitions(store, table)) {
    if (bounds === undefined || bounds.beforeId > beforeId) continue;
    const run = (execute: Executor) => execute(`drop table if exists "${name}"`, []);
    await changePartitions(store, { name: `drop ${name}`, table, run }, signal);
    dropped.push(name);
  }
  return dropped;
}
