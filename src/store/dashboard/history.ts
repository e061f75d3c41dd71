import type { InferenceAttemptRow } from "../entities/inference-attempt.ts";
import type { Facets, FacetsQuery } from "../read/queries/facets.ts";
import type { InferenceWithLatestFeedback } from "../read/read-inference.ts";
import { type ExportedInference, exportInferences, exportRows } from "./export-inferences.ts";
import type { HistoryRow } from "./reads/describe-rows.ts";
import type { HistoryPage, HistoryQuery } from "./reads/list-history.ts";
import type { EarlierRequest } from "./reads/read-earlier.ts";
import type { DashboardReads } from "./reads/reads.ts";
import type { HistoryOrder, SortedHistory } from "./reads/sort-history.ts";

export { type FirstWords, firstWords } from "../bodies/first-words.ts";
export { isRedacted } from "../bodies/redact.ts";
export type { FeedbackEntryRow } from "../entities/feedback-entry.ts";
export type { InferenceRow } from "../entities/inference.ts";
export type { InferenceAttemptRow } from "../entities/inference-attempt.ts";
export type { InferenceWithLatestFeedback } from "../read/read-inference.ts";
export type { InferenceContent } from "../types/inference-body.ts";
export type { ExportedInference } from "./export-inferences.ts";
export type { HistoryRow } from "./reads/describe-rows.ts";
export type { HistoryQuery } from "./reads/list-history.ts";
export { HISTORY_ORDERS } from "./reads/sort-history.ts";

/** Requests of projects, as they are looked at. */
export interface History {
  /** Lists requests. With a text, one call looks for a limited time. Throws a RangeError for bad bounds. */
  list(query: HistoryQuery): Promise<HistoryPage>;
  /** Lists the first of the newest, 5,000 at most, in another order than that of time; a text is not looked for. */
  sorted(query: HistoryQuery & { readonly order: HistoryOrder }): Promise<SortedHistory>;
  /**
   * Reads a request with its bodies, as they are stored, and its feedback; undefined if the project has none of that
   * id.
   */
  read(projectId: string, id: string): Promise<InferenceWithLatestFeedback | undefined>;
  /** Reads the attempts of a request of a project that was read, in the order in which they began. */
  attempts(id: string): Promise<readonly InferenceAttemptRow[]>;
  /** Reads the requests that one continues, the latest first, at most `limit`. */
  earlier(projectId: string, previousId: string | null, limit: number): Promise<EarlierRequest[]>;
  /** Reads the id of the request that was made after another one; null where there is none. */
  newer(projectId: string, id: string): Promise<string | null>;
  /** Reads what requests can be filtered by, of the days that a time touches. */
  facets(query: FacetsQuery): Promise<Facets>;
  /**
   * Yields requests with their attempts, their bodies and their feedback, one after another, until there are `limit`.
   */
  export(query: HistoryQuery, signal: AbortSignal): AsyncGenerator<ExportedInference>;
  /** Yields requests alone, some at a time, until there are `limit`. */
  exportRows(query: HistoryQuery, signal: AbortSignal): AsyncGenerator<readonly HistoryRow[]>;
}

/** Creates the history that is read so. */
export function createHistory(reads: DashboardReads): History {
  return {
    list: (query) => reads.listHistory(query),
    sorted: (query) => reads.sortHistory(query),
    read: (projectId, id) => reads.readInferenceWithFeedback(projectId, id),
    attempts: async (id) => (await reads.readAttemptsOf([id])).get(id) ?? [],
    earlier: (projectId, previousId, limit) => reads.readEarlier({ projectId, previousId, limit }),
    newer: (projectId, id) => reads.readNewer({ projectId, id }),
    facets: (query) => reads.readFacets(query),
    export: (query, signal) => exportInferences(reads, query, signal),
    exportRows: (query, signal) => exportRows(reads, query, signal),
  };
}
