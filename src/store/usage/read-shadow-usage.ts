import type { ShadowUsage, UsageQuery } from "../../figures/usage.ts";
import { readRows } from "../database/executor.ts";
import { countedIds } from "../read/queries/counted-time.ts";
import { firstIdAt } from "../types/period.ts";
import type { Store } from "../types/store.ts";

/** The trials that are added up: of a project, or of one of its workloads. */
type ShadowQuery = Pick<UsageQuery, "projectId" | "from" | "to"> & {
  readonly model?: string;
  /** Counts to the millisecond, in place of the hours that rollups count. */
  readonly isExact?: boolean;
};

/** Adds up the shadow trials of a time, in whole hours as rollups count calls; undefined where there were none. */
export async function readShadowUsage(store: Store, query: ShadowQuery): Promise<ShadowUsage | undefined> {
  const { projectId, from, to, model, isExact = false } = query;
  const ids = isExact ? [from, to].map((time) => firstIdAt(time.getTime())) : await countedIds(store, { from, to });
  const values = [projectId, ...ids, ...(model === undefined ? [] : [model])];
  // Sums of big integers come as texts from PostgreSQL.
  const [row] = await readRows<Record<"trials" | "checks" | "priced" | "cost", number | string | null>>(
    store,
    `select count(case when "kind" = 'trial' then 1 end) as "trials",
       count(case when "kind" in ('check', 'silent') then 1 end) as
       "checks", count("cost_nanos") as "priced", sum("cost_nanos") as "cost" from "shadow_trial"
       where "project_id" = ? and "id" >= ? and "id" < ?${model === undefined ? "" : ' and "model" = ?'}`,
    values,
  );
  const [trials, checks] = [Number(row?.trials ?? 0), Number(row?.checks ?? 0)];
  if (trials + checks === 0) return undefined;
  return { trials, checks, costNanos: Number(row?.priced ?? 0) === 0 ? null : Number(row?.cost ?? 0) };
}
