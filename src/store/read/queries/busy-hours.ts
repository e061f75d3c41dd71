import { readRows } from "../../database/executor.ts";
import { firstDayKept } from "../../database/first-day-kept.ts";
import { OTHER_NAMES } from "../../entities/rollup-name.ts";
import type { Store } from "../../types/store.ts";

/** Hours in a row in which something was counted. */
export interface HourRun {
  /** Hours since 1970, UTC. */
  readonly first: number;
  /** The hour after the last. */
  readonly end: number;
}

/** The query: rows of a rollup whose columns have these values. */
interface BusyQuery {
  readonly rollup: "usage" | "feedback";
  readonly projectId: string;
  readonly filter: Readonly<Record<string, string | undefined>>;
  /** Hours since 1970: from the first to before the end. */
  readonly first: number;
  readonly end: number;
}

const HOURS_PER_DAY = 24;
const DAYS_PER_PAGE = 32;

/** Columns in which rollups tell a number of names apart. */
const CAPPED: ReadonlySet<string> = new Set(["workload", "name"]);

/**
 * Finds the hours in which a rollup has what is looked for, the latest first, a page of runs at a time. Rows of the
 * rare are found by it without an index for each of their columns, and without reading all that is between them. Of a
 * day whose hours are not kept any more, all count as such.
 */
export async function* busyHours(store: Store, query: BusyQuery): AsyncGenerator<readonly HourRun[]> {
  const { matches, values } = conditions(query);
  const firstKept = await firstDayKept(store, "hours");
  const { rollup, projectId, first, end } = query;
  const daysSql =
    `select distinct period from ${rollup}_day where project_id = ? and period >= ? and period < ?${matches} ` +
    `order by period desc limit ${DAYS_PER_PAGE}`;
  let endDay = Math.ceil(end / HOURS_PER_DAY);
  for (;;) {
    const firstDay = Math.floor(first / HOURS_PER_DAY);
    const days = await readRows<{ period: number }>(store, daysSql, [projectId, firstDay, endDay, ...values]);
    const oldest = days.at(-1);
    if (oldest === undefined) return;
    endDay = oldest.period;
    const isKept = (hour: number) => Math.floor(hour / HOURS_PER_DAY) >= firstKept;
    const hours = days
      .flatMap(({ period }) =>
        Array.from({ length: HOURS_PER_DAY }, (_, hour) => (period + 1) * HOURS_PER_DAY - 1 - hour),
      )
      .filter((hour) => hour >= first && hour < end);
    const [kept, gone] = [hours.filter(isKept), hours.filter((hour) => !isKept(hour))];
    // All that is kept is later than all that is not.
    yield toRuns([...(await readHours(store, query, kept)), ...gone]);
  }
}

/** Returns those of some hours in which something was counted, the latest first. */
async function readHours(store: Store, query: BusyQuery, hours: readonly number[]): Promise<number[]> {
  if (hours.length === 0) return [];
  const { matches, values } = conditions(query);
  const list = hours.map(() => "?").join(", ");
  const sql =
    `select distinct period from ${query.rollup}_hour where project_id = ? and period in (${list})${matches} ` +
    "order by period desc";
  const rows = await readRows<{ period: number }>(store, sql, [query.projectId, ...hours, ...values]);
  return rows.map(({ period }) => period);
}

/** Returns the conditions; values that rollups do not keep apart match. */
function conditions({ filter }: BusyQuery) {
  const columns = Object.entries(filter).filter(([, value]) => value !== undefined);
  const equals = (column: string) => (CAPPED.has(column) ? `${column} in (?, '${OTHER_NAMES}')` : `${column} = ?`);
  return {
    matches: columns.map(([column]) => ` and ${equals(column)}`).join(""),
    values: columns.map(([, value]) => value),
  };
}

function toRuns(hours: readonly number[]): HourRun[] {
  const runs: HourRun[] = [];
  for (const hour of hours) {
    const last = runs.at(-1);
    if (last?.first === hour + 1) runs[runs.length - 1] = { ...last, first: hour };
    else runs.push({ first: hour, end: hour + 1 });
  }
  return runs;
}
