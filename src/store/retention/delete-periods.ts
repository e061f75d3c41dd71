import { setTimeout as delay } from "node:timers/promises";
import { readRows, transact } from "../database/executor.ts";
import { firstPeriodFrom, PERIODS, type Period, periodAt } from "../types/period.ts";
import type { Store } from "../types/store.ts";
import type { Expired } from "./count-rows.ts";

/** Rollups by the length of their periods. */
type Rollups = Readonly<Record<string, Period>>;

/** The pause between two periods, for other writers. */
const PAUSE_MS = 5;

interface Span {
  readonly projectId: string;
  readonly table: string;
  readonly first: number;
  readonly last: number;
}

/**
 * Counts the hours that rollups reach over, and how many of them are before a time: from their keys, without reading
 * the rows.
 */
export async function countPeriods(
  store: Store,
  rollups: Rollups,
  { beforeMs, nowMs }: { readonly beforeMs: number; readonly nowMs: number },
): Promise<Expired> {
  let [expired, total] = [0, 0];
  for (const { table, first, last: latest } of await readSpans(store, rollups)) {
    const period = rollups[table] ?? "hour";
    // What a clock wrote that was ahead must not make the past look short.
    const last = Math.max(first, Math.min(latest, periodAt(period, nowMs)));
    const hours = PERIODS[period] / PERIODS.hour;
    total += (last + 1 - first) * hours;
    expired += Math.max(0, Math.min(last + 1, periodAt(period, beforeMs)) - first) * hours;
  }
  return { expired, total };
}

/**
 * Deletes the rows of periods that begin before a time, one period of one project after the other: of a longer one that
 * the time is within, the shorter ones are left. Returns how many rows.
 */
export async function deletePeriods(
  store: Store,
  rollups: Rollups,
  { beforeMs, signal }: { readonly beforeMs: number; readonly signal: AbortSignal },
): Promise<number> {
  let deleted = 0;
  for (const { projectId, table, first } of await readSpans(store, rollups)) {
    const end = firstPeriodFrom(rollups[table] ?? "hour", beforeMs);
    for (let period: number | undefined = first; period !== undefined && period < end; ) {
      if (signal.aborted) return deleted;
      deleted += await deletePeriod(store, table, [projectId, period]);
      period = await firstPeriod(store, table, projectId);
      await delay(PAUSE_MS, undefined, { signal }).catch(() => {});
    }
  }
  return deleted;
}

async function deletePeriod(store: Store, table: string, key: readonly [string, number]): Promise<number> {
  const [id, period] = store.engine === "postgres" ? ["$1", "$2"] : ["?1", "?2"];
  const sql = `delete from ${table} where project_id = ${id} and period = ${period} returning 1 as one`;
  return (await transact(store, (execute) => execute(sql, key))).length;
}

async function firstPeriod(store: Store, table: string, projectId: string): Promise<number | undefined> {
  const sql = `select min(period) as first from ${table} where project_id = ?`;
  const [row] = await readRows<{ first: number | null }>(store, sql, [projectId]);
  return row?.first ?? undefined;
}

async function readSpans(store: Store, rollups: Rollups): Promise<Span[]> {
  const spans: Span[] = [];
  for (const { id } of await readRows<{ id: string }>(store, "select id from project order by id", [])) {
    for (const table of Object.keys(rollups)) {
      const last = `select max(period) as last from ${table} where project_id = ?`;
      const [row] = await readRows<{ last: number | null }>(store, last, [id]);
      const first = await firstPeriod(store, table, id);
      if (first !== undefined && row?.last != null) spans.push({ projectId: id, table, first, last: row.last });
    }
  }
  return spans;
}
