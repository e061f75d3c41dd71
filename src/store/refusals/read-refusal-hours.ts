import { readRows } from "../database/executor.ts";
import type { TimeRange } from "../read/queries/range.ts";
import { PERIODS, periodAt, periodStart } from "../types/period.ts";
import type { Store } from "../types/store.ts";

/** Refused calls of one reason in one hour. */
interface RefusalHours {
  readonly start: Date;
  readonly reason: string;
  readonly calls: number;
}

/** Counts the refused calls of a project by hour and reason, in whole hours. */
export async function readRefusalHours(store: Store, projectId: string, range: TimeRange): Promise<RefusalHours[]> {
  const rows = await readRows<{ hour: number; reason: string; calls: number | string }>(
    store,
    `select hour, reason, sum(calls) as calls from refusal_hour where project_id = ? and hour >= ? and hour < ?
       group by hour, reason order by hour`,
    [projectId, ...hoursOf(range)],
  );
  return rows.map(({ hour, reason, calls }) => ({
    start: new Date(periodStart("hour", hour)),
    ...{ reason, calls: Number(calls) },
  }));
}

function hoursOf({ from, to }: TimeRange): [number, number] {
  return [periodAt("hour", from.getTime()), Math.ceil(to.getTime() / PERIODS.hour)];
}

/** Refused calls of one reason, and of one key where keys are told apart. */
interface RefusalGroup {
  readonly reason: string;
  /** Empty for calls without a known key. */
  readonly keyId?: string;
  readonly calls: number;
  /** The hours in which the first and the last of them were. */
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
  readonly first: number;
  readonly last: number;
  readonly found: number | string;
}

/** Groups the refused calls of a project by reason, and by key, in whole hours. */
export async function groupRefusals(
  store: Store,
  query: { readonly projectId: string; readonly range: TimeRange; readonly byKey: boolean; readonly limit: number },
): Promise<RefusalGroups> {
  const { projectId, range, byKey, limit } = query;
  const rows = await readRows<GroupRow>(
    store,
    `select reason, ${byKey ? 'key_id as "keyId", ' : ""}sum(calls) as calls, min(hour) as first, max(hour) as last,
       count(*) over () as found from refusal_hour where project_id = ? and hour >= ? and hour < ?
       group by reason${byKey ? ", key_id" : ""} order by sum(calls) desc limit ?`,
    [projectId, ...hoursOf(range), limit],
  );
  const groups = rows.map(({ reason, keyId, calls, first, last }) => ({
    ...{ reason, ...(keyId !== undefined && { keyId }), calls: Number(calls) },
    ...{ firstMs: periodStart("hour", first), lastMs: periodStart("hour", last) },
  }));
  return { groups, count: Number(rows[0]?.found ?? 0) };
}
