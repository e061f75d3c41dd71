import { readRows } from "../../database/executor.ts";
import { firstDayKept } from "../../database/first-day-kept.ts";
import { OTHER_NAMES } from "../../entities/rollup-name.ts";
import { firstIdAt, PERIODS, periodAt, periodStart } from "../../types/period.ts";
import type { Store } from "../../types/store.ts";
import { getHour, type NewestQuery } from "./newest-ids.ts";

/** A metric that feedback has, and how its value compares; booleans are 0 and 1. */
export interface MetricFilter {
  readonly name: string;
  readonly compare: ">" | "<" | "=";
  readonly value: number;
}

/** The conditions on a day by its least and greatest values. */
const CONDITIONS: Record<MetricFilter["compare"], (value: number) => readonly [sql: string, ...values: number[]]> = {
  ">": (value) => ["greatest_value > ?", value],
  "<": (value) => ["least_value < ?", value],
  "=": (value) => ["least_value <= ? and greatest_value >= ?", value, value],
};

/** Feedback is counted by its own day. It comes after its inference, by clocks that may be apart. */
const APART_DAYS = 1;

/**
 * Returns the id before which inferences are of which a metric may have a value that is looked for; undefined where
 * none has. A condition that no value fulfils, or none of late, would else be held against all values of the metric.
 */
export async function beforeLastValue(
  store: Store,
  { projectId, fromId, beforeId }: Pick<NewestQuery, "projectId" | "fromId" | "beforeId">,
  { name, compare, value }: MetricFilter,
): Promise<string | undefined> {
  const firstDay = periodAt("day", getHour(fromId) * PERIODS.hour) - APART_DAYS;
  const [condition, ...values] = CONDITIONS[compare](value);
  const sql =
    "select max(period) as period from feedback_day where project_id = ? and period >= ? and name in (?, " +
    `'${OTHER_NAMES}') and ${condition}`;
  const [row] = await readRows<{ period: number | null }>(store, sql, [projectId, firstDay, name, ...values]);
  if (row?.period == null) {
    // Of days whose figures are no longer kept, nothing is known.
    const firstKept = await firstDayKept(store, "figures");
    return firstKept > firstDay ? earlier(beforeId, firstKept) : undefined;
  }
  return earlier(beforeId, row.period + 1);
}

function earlier(id: string, day: number): string {
  const end = firstIdAt(periodStart("day", day + APART_DAYS));
  return end < id ? end : id;
}
