import type { UsageQuery, UsageReport } from "../../hub/usage.ts";
import type { SpentQuery } from "./reads/read-spent-by.ts";
import type { DashboardReads } from "./reads/reads.ts";

/** The spending of projects, by what it went to. */
export interface ProjectSpend {
  /** Adds up what calls by key, model, workload, session, end user or tag have used and cost. */
  report(query: UsageQuery): Promise<UsageReport>;
  /** Reads what owners of budgets have spent in a time, in nano-USD by their names. */
  spentBy(query: SpentQuery): Promise<ReadonlyMap<string, number>>;
}

/** Creates what reads spending so. */
export function createProjectSpend(reads: DashboardReads): ProjectSpend {
  return { report: (query) => reads.readSpend(query), spentBy: (query) => reads.readSpentBy(query) };
}
