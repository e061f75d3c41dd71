import { readRows } from "../database/executor.ts";
import { periodAt } from "../types/period.ts";
import type { Store } from "../types/store.ts";

/** Calls of a project in one hour, as far as they are counted. */
export interface CallCounts {
  /** Empty where no project is known. */
  readonly projectId: string;
  /** Hours since 1970, UTC. */
  readonly hour: number;
  readonly calls: number;
  readonly failedCalls: number;
  readonly canceledCalls: number;
  readonly costNanos: number;
  readonly canceledCostNanos: number;
  readonly refusedKeys: number;
  /** Histogram of completed calls. */
  readonly latencies: string;
}

interface UsageCount {
  readonly project_id: string;
  readonly period: number;
  readonly status: string;
  readonly calls: number | string;
  readonly cost: number | string;
  readonly latencies: string | null;
}

interface RefusalCount {
  readonly project_id: string;
  readonly period: number;
  readonly calls: number | string;
}

// The keys of both tables begin with the project: each project's hours are looked up in them. A cross join keeps SQLite
// from reading the whole table instead.
const usageSql = (concatenate: string) => `
  select u.project_id, u.period, u.status, sum(u.calls) as calls, sum(u.cost_nanos) as cost,
    ${concatenate}(u.latencies, '') as latencies
  from project cross join usage_hour as u
  where u.project_id = project.id and u.period >= ? group by u.project_id, u.period, u.status`;

const refusalSql = `
  select r.project_id, r.period, sum(r.calls) as calls
  from (select cast(id as text) as id from project union all select '') as p cross join refusal_hour as r
  where r.project_id = p.id and r.period >= ? and r.reason in ('unknown_key', 'revoked_key', 'expired_key')
  group by r.project_id, r.period`;

const NO_COUNTS = {
  calls: 0,
  failedCalls: 0,
  canceledCalls: 0,
  costNanos: 0,
  canceledCostNanos: 0,
  refusedKeys: 0,
  latencies: "",
};

/** Rows that are read in so few milliseconds that no other request needs to be spared. */
const FEW_ROWS = 1000;

// A row for each project at least: the limit bounds the projects that are looked up too.
const fewSql = `
  select count(*) as "rows" from (
    select 1 from project left join usage_hour as u on u.project_id = project.id and u.period >= ? limit ?) as found`;

/** Returns whether readCallCounts() has so little to read that it needs no thread of its own. */
export async function areCallCountsFew(store: Store, nowMs: number): Promise<boolean> {
  const [found] = await readRows<{ rows: number | string }>(store, fewSql, [sinceHour(nowMs), FEW_ROWS + 1]);
  return Number(found?.rows) <= FEW_ROWS;
}

function sinceHour(nowMs: number): number {
  return periodAt("hour", nowMs) - 1;
}

/** Reads the calls of all projects in the hour of a time and the one before it. */
export async function readCallCounts(store: Store, nowMs: number): Promise<CallCounts[]> {
  const since = sinceHour(nowMs);
  const concatenate = store.engine === "postgres" ? "string_agg" : "group_concat";
  const [usage, refusals] = await Promise.all([
    readRows<UsageCount>(store, usageSql(concatenate), [since]),
    readRows<RefusalCount>(store, refusalSql, [since]),
  ]);
  const found = new Map<string, { -readonly [Name in keyof CallCounts]: CallCounts[Name] }>();
  const countsOf = (projectId: string, hour: number) => {
    const key = `${projectId} ${hour}`;
    const counts = found.get(key) ?? { projectId, hour, ...NO_COUNTS };
    found.set(key, counts);
    return counts;
  };
  for (const { project_id, period, status, calls, cost, latencies } of usage) {
    const counts = countsOf(project_id, period);
    counts.costNanos += Number(cost);
    if (status === "canceled") {
      counts.canceledCalls += Number(calls);
      counts.canceledCostNanos += Number(cost);
    }
    if (status !== "completed" && status !== "failed") continue;
    counts.calls += Number(calls);
    if (status === "failed") counts.failedCalls += Number(calls);
    else counts.latencies += latencies ?? "";
  }
  for (const { project_id, period, calls } of refusals) countsOf(project_id, period).refusedKeys += Number(calls);
  return [...found.values()];
}
