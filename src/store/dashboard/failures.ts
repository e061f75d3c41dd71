import type { TimeRange } from "../read/queries/range.ts";
import { type RefusalHours, readRefusalHours } from "../refusals/read-refusal-hours.ts";
import type { Store } from "../types/store.ts";
import type { ProjectChange } from "./reads/read-changes.ts";
import type { FailedCall, Failures, FailuresQuery } from "./reads/read-failures.ts";
import type { DashboardReads } from "./reads/reads.ts";

export type { FailedCall, Failures } from "./reads/read-failures.ts";

/** Failed and refused calls of projects. */
export interface ProjectFailures {
  /** Counts failed calls by time, reason, upstream, model and key. */
  count(query: FailuresQuery): Promise<Failures[]>;
  /** Reads the latest failed calls, the newest first. */
  latest(query: {
    readonly projectId: string;
    readonly range: TimeRange;
    readonly limit: number;
  }): Promise<FailedCall[]>;
  /** Counts refused calls by hour and reason. */
  refused(projectId: string, range: TimeRange): Promise<RefusalHours[]>;
  /** Reads what changed in the project, the latest first. */
  changes(query: { readonly projectId: string; readonly range: TimeRange }): Promise<ProjectChange[]>;
}

/** Creates the failures that are read so. */
export function createProjectFailures(store: Store, reads: DashboardReads): ProjectFailures {
  return {
    count: (query) => reads.readFailures(query),
    latest: (query) => reads.readFailedCalls(query),
    refused: (projectId, range) => readRefusalHours(store, projectId, range),
    changes: (query) => reads.readChanges(query),
  };
}
