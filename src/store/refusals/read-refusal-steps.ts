import { readRows } from "../database/executor.ts";
import type { TimeRange } from "../read/queries/range.ts";
import type { Store } from "../types/store.ts";

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];

/** Refused calls of one reason in a minute or an hour. */
interface RefusalStep {
  readonly start: Date;
  readonly reason: string;
  readonly calls: number;
}

/** A question about refused calls, in whole minutes or hours. */
interface RefusalTime {
  readonly projectId: string;
  readonly range: TimeRange;
  /** The steps of a chart. Only the last two hours have some below an hour. */
  readonly stepMs: number;
}

/**
 * Returns the rollup that has steps: the table, the length of its periods, and the first and the one after the last.
 */
export function findRefusalPeriods({ range: { from, to }, stepMs }: Pick<RefusalTime, "range" | "stepMs">) {
  const isByMinute = stepMs < HOUR_MS;
  const lengthMs = isByMinute ? MINUTE_MS : HOUR_MS;
  const [first, end] = [Math.floor(from.getTime() / lengthMs), Math.ceil(to.getTime() / lengthMs)];
  return { entity: isByMinute ? "RefusalMinute" : "RefusalHour", lengthMs, first, end } as const;
}

const TABLES = { RefusalMinute: "refusal_minute", RefusalHour: "refusal_hour" } as const;

/** Counts the refused calls of a project by reason and time. */
export async function readRefusalSteps(store: Store, { projectId, ...time }: RefusalTime): Promise<RefusalStep[]> {
  const { entity, lengthMs, first, end } = findRefusalPeriods(time);
  const rows = await readRows<{ period: number; reason: string; calls: number | string }>(
    store,
    `select period, reason, sum(calls) as calls from ${TABLES[entity]}
       where project_id = ? and period >= ? and period < ? group by period, reason order by period`,
    [projectId, first, end],
  );
  return rows.map(({ period, reason, calls }) => ({
    start: new Date(period * lengthMs),
    reason,
    calls: Number(calls),
  }));
}

/** Refused calls of one reason, and of one key where keys are told apart. */
interface RefusalGroup {
  readonly reason: string;
  /** Empty for calls without a known key. */
  readonly keyId?: string;
  readonly calls: number;
  /** When the first and the last of them were. */
  readonly firstMs: number;
  readonly lastMs: number;
}

/** Refused calls by what they have in common. */
interface RefusalGroups {
  /** The most first. */
  readonly groups: readonly RefusalGroup[];
  /** The number of groups, also of those that the limit left out. */
  readonly count: number;
}

interface GroupRow {
  readonly reason: string;
  readonly keyId?: string;
  readonly calls: number | string;
  readonly first: number | string;
  readonly last: number | string;
  readonly found: number | string;
}

/** Groups the refused calls of a project by reason, and by key. */
export async function groupRefusals(
  store: Store,
  query: RefusalTime & { readonly byKey: boolean; readonly limit: number },
): Promise<RefusalGroups> {
  const { projectId, byKey, limit } = query;
  const { entity, first, end } = findRefusalPeriods(query);
  const rows = await readRows<GroupRow>(
    store,
    `select reason, ${byKey ? 'key_id as "keyId", ' : ""}sum(calls) as calls,
       min(first_ms) as first, max(last_ms) as last, count(*) over () as found
       from ${TABLES[entity]} where project_id = ? and period >= ? and period < ?
       group by reason${byKey ? ", key_id" : ""} order by sum(calls) desc limit ?`,
    [projectId, first, end, limit],
  );
  const groups = rows.map(({ reason, keyId, calls, first, last }) => ({
    reason,
    ...(keyId !== undefined && { keyId }),
    calls: Number(calls),
    firstMs: Number(first),
    lastMs: Number(last),
  }));
  return { groups, count: Number(rows[0]?.found ?? 0) };
}
