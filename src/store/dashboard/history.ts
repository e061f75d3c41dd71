import type { InferenceRow } from "../entities/inference.ts";
import { type Facets, type FacetsQuery, readFacets } from "../read/queries/facets.ts";
import { type InferenceWithFeedback, readInferenceWithFeedback } from "../read/read-inference.ts";
import type { Store } from "../types/store.ts";
import { type ExportedInference, exportInferences } from "./export-inferences.ts";
import { type HistoryPage, type HistoryQuery, listHistory } from "./list-history.ts";

export { isRedacted } from "../bodies/redact.ts";
export type { FeedbackEntryRow } from "../entities/feedback-entry.ts";
export type { InferenceRow } from "../entities/inference.ts";
export type { InferenceWithFeedback } from "../read/read-inference.ts";
export type { InferenceContent } from "../types/inference-body.ts";
export type { ExportedInference } from "./export-inferences.ts";
export type { HistoryQuery } from "./list-history.ts";

/** A request that comes before another in a conversation. */
export type EarlierRequest = Pick<InferenceRow, "id" | "model" | "status" | "startedAt" | "previousId">;

/** Requests of projects, as they are looked at. */
export interface History {
  /** Lists requests. With a text, one call looks for a limited time. Throws a RangeError for bad bounds. */
  list(query: HistoryQuery): Promise<HistoryPage>;
  /** Reads a request with its bodies and its feedback; undefined if the project has none of that id. */
  read(projectId: string, id: string): Promise<InferenceWithFeedback | undefined>;
  /** Reads the requests that one continues, the latest first, at most `limit`. */
  earlier(projectId: string, previousId: string | null, limit: number): Promise<EarlierRequest[]>;
  /** Reads what requests can be filtered by, of the days that a time touches. */
  facets(query: FacetsQuery): Promise<Facets>;
  /** Yields requests with their bodies and their feedback, one after another, until there are `limit`. */
  export(query: HistoryQuery, signal: AbortSignal): AsyncGenerator<ExportedInference>;
}

/** Creates the history of a database. */
export function createHistory(store: Store): History {
  return {
    list: (query) => listHistory(store, query),
    read: (projectId, id) => readInferenceWithFeedback(store, projectId, id),
    earlier: (projectId, previousId, limit) => readEarlier(store, { projectId, previousId, limit }),
    facets: (query) => readFacets(store, query),
    export: (query, signal) => exportInferences(store, query, signal),
  };
}

async function readEarlier(
  store: Store,
  { projectId, previousId, limit }: { projectId: string; previousId: string | null; limit: number },
): Promise<EarlierRequest[]> {
  const earlier: EarlierRequest[] = [];
  for (let id = previousId; id !== null && earlier.length < limit; ) {
    const row = await store
      .query()
      .selectFrom("Inference")
      .select(["id", "model", "status", "startedAt", "previousId"])
      .where("id", "=", id)
      .where("projectId", "=", projectId)
      .executeTakeFirst();
    if (row === undefined) break;
    earlier.push(row);
    id = row.previousId;
  }
  return earlier;
}
