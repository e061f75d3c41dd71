import type { Measure } from "../../../figures/measures.ts";
import { readCallCounts } from "../../alerts/read-call-counts.ts";
import { readRows } from "../../database/executor.ts";
import { readDeciding } from "../../learning/read-deciding.ts";
import { readPair } from "../../learning/read-pair.ts";
import { readWorkloadPoints } from "../../learning/workload-points.ts";
import { readManagedItems } from "../../managed/managed-items.ts";
import { compareModels } from "../../read/queries/compare-models.ts";
import { readFacets } from "../../read/queries/facets.ts";
import { listFeedback } from "../../read/queries/list-feedback.ts";
import { readBodySizes, selectBodies } from "../../read/queries/read-bodies.ts";
import { readFeedbackSizes, selectFeedback } from "../../read/queries/read-feedback.ts";
import { type Measured, type MeasuresQuery, readMeasures } from "../../read/queries/read-measures.ts";
import { readInferenceWithFeedback } from "../../read/read-inference.ts";
import { groupRefusals, readRefusalSteps } from "../../refusals/read-refusal-steps.ts";
import { readRefusals } from "../../refusals/read-refusals.ts";
import type { Store } from "../../types/store.ts";
import { readShadowUsage } from "../../usage/read-shadow-usage.ts";
import { readSpend, readUsageReport } from "../../usage/read-usage-report.ts";
import { readCallSteps } from "../figures/read-call-steps.ts";
import { readFigures } from "../figures/read-figures.ts";
import { readMetricSteps, readMetricTotals } from "../figures/read-metric-steps.ts";
import { groupFailures, readFailures } from "./group-failures.ts";
import { keepOwn } from "./keep-own.ts";
import { listHistory, readNewer } from "./list-history.ts";
import { readAttempts } from "./read-attempts.ts";
import { readChanges } from "./read-changes.ts";
import { readDataset } from "./read-dataset.ts";
import { readEarlier } from "./read-earlier.ts";
import { readEvents } from "./read-events.ts";
import { groupLatestFailures, readFailedCalls } from "./read-failures.ts";
import { readLearnedWorkload, readLearnedWorkloads, readOutlooks } from "./read-learned.ts";
import { readSessionRun } from "./read-session-run.ts";
import { readUnnamedCosts } from "./read-unnamed-costs.ts";
import { searchNotes } from "./search-notes.ts";
import { sortHistory } from "./sort-history.ts";

/**
 * The dashboard's reads of what calls leave, which take longer the more is kept; people, projects and keys are found by
 * an index within microseconds, and are read beside the writes. A read that takes ids alone is only for ids that one of
 * the project has returned.
 */
export const READS = {
  compareModels,
  groupFailures,
  groupLatestFailures,
  groupRefusals,
  keepOwn,
  listFeedback,
  listHistory,
  readAttempts,
  readBodySizes,
  readCallCounts,
  readChanges,
  readDataset,
  readEarlier,
  readDeciding,
  readFacets,
  readFailedCalls,
  readFailures,
  readFeedbackSizes,
  readFigures,
  readEvents,
  readInferenceWithFeedback,
  readLearnedWorkload,
  readLearnedWorkloads,
  readOutlooks,
  readPair,
  readRefusalSteps,
  readRefusals,
  readManagedItems,
  readMeasures,
  readCallSteps,
  readMetricSteps,
  readMetricTotals,
  readNames,
  readNewer,
  readSessionRun,
  readShadowUsage,
  readSpend,
  readUnnamedCosts,
  readUsageReport,
  readWorkloadPoints,
  searchNotes,
  selectBodies,
  selectFeedback,
  sortHistory,
};

/** The name of a read. */
type ReadName = keyof typeof READS;

type OnStore<Read> = Read extends (store: Store, ...args: infer Args) => infer Result
  ? (...args: Args) => Result
  : never;

/** The reads of one database, wherever they are done. */
export type DashboardReads = { readonly [Name in Exclude<ReadName, "readMeasures">]: OnStore<(typeof READS)[Name]> } & {
  /** A mapped type would lose which measures it returns. */
  readMeasures<Name extends Measure>(query: MeasuresQuery<Name>): Promise<Measured<Name>[]>;
};

/** Has each read done by one function, which is given its name and its arguments. */
export function createReads(run: (name: ReadName, args: readonly unknown[]) => Promise<unknown>): DashboardReads {
  const names = Object.keys(READS) as ReadName[];
  return Object.fromEntries(names.map((name) => [name, (...args: unknown[]) => run(name, args)])) as DashboardReads;
}

/** Reads with the connection of the store itself. */
export function createStoreReads(store: Store): DashboardReads {
  return createReads((name, args) => {
    const read = READS[name] as (store: Store, ...args: readonly unknown[]) => Promise<unknown>;
    return read(store, ...args);
  });
}

/** The names that a project's calls have used, each list in alphabetical order. */
interface UsedNames {
  readonly models: readonly string[];
  /** Models that answered. */
  readonly servedModels: readonly string[];
  /** Public ids of keys. */
  readonly keys: readonly string[];
  readonly workloads: readonly string[];
  /** Upstreams with their names of the models. */
  readonly deployments: readonly (readonly [upstream: string, upstreamModel: string])[];
}

/** Reads the names that occur in a project's calls, of all time. */
async function readNames(store: Store, projectId: string): Promise<UsedNames> {
  const sql =
    "select distinct model, served_model, key_id, workload, upstream, " +
    "upstream_model from usage_day where project_id = ?";
  const rows = await readRows<Readonly<Record<string, string>>>(store, sql, [projectId]);
  const distinct = (column: string) => [...new Set(rows.map((row) => String(row[column])))].sort();
  const deployments = new Set(rows.map((row) => JSON.stringify([row["upstream"], row["upstream_model"]])));
  return {
    models: distinct("model"),
    servedModels: distinct("served_model"),
    keys: distinct("key_id"),
    workloads: distinct("workload"),
    deployments: [...deployments].sort().map((text) => JSON.parse(text) as [string, string]),
  };
}
