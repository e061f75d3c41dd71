import { readRows } from "../database/executor.ts";
import type { TimeRange } from "../read/queries/range.ts";
import { PERIODS, periodAt, periodStart } from "../types/period.ts";
import type { Store } from "../types/store.ts";

/** Refused calls of one reason in one hour. */
export interface RefusalHours {
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
    [projectId, periodAt("hour", range.from.getTime()), Math.ceil(range.to.getTime() / PERIODS.hour)],
  );
  return rows.map(({ hour, reason, calls }) => ({
    start: new Date(periodStart("hour", hour)),
    ...{ reason, calls: Number(calls) },
  }));
}
