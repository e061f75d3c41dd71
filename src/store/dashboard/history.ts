import { isUuid } from "../../lib/ids.ts";
import type { Store } from "../database/open-store.ts";
import type { InferenceRow } from "../entities/inference.ts";
import { type Facets, type FacetsQuery, readFacets } from "../read/queries/facets.ts";
import { type InferenceWithFeedback, readInferenceWithFeedback } from "../read/queries/inference-with-feedback.ts";
import { type InferenceListQuery, listInferences } from "../read/queries/list-inferences.ts";
import { searchInferences } from "../read/queries/search-inferences.ts";
import { type ExportedInference, exportInferences } from "./export-inferences.ts";

export { isRedacted } from "../bodies/redact.ts";
export type { FeedbackEntryRow } from "../entities/feedback-entry.ts";
export type { InferenceRow } from "../entities/inference.ts";
export type { InferenceWithFeedback } from "../read/queries/inference-with-feedback.ts";
export type { InferenceContent } from "../types/inference-body.ts";
export type { ExportedInference } from "./export-inferences.ts";

/** Which requests are shown. */
export interface HistoryQuery extends InferenceListQuery {
  /** A text in them, or the id of one. */
  readonly text?: string | undefined;
}

/** A page of requests, the newest first. */
export interface HistoryPage {
  readonly rows: readonly InferenceRow[];
  /** Cursor of what follows; undefined at the end. */
  readonly next: string | undefined;
  /** With a text: how far back it was looked for; undefined if nothing was looked at. */
  readonly searchedTo: Date | undefined;
  /** With a text: how many requests were looked at. */
  readonly looked: number | undefined;
}

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

/** How long one call looks for a text. */
const SEARCH_BUDGET_MS = 150;

/** Creates the history of a database. */
export function createHistory(store: Store): History {
  const list = (query: HistoryQuery) => listHistory(store, query);
  return {
    list,
    read: (projectId, id) => readInferenceWithFeedback(store, projectId, id),
    earlier: (projectId, previousId, limit) => readEarlier(store, { projectId, previousId, limit }),
    facets: (query) => readFacets(store, query),
    export: (query, signal) => exportInferences(store, { query, list, signal }),
  };
}

async function listHistory(store: Store, { text, ...query }: HistoryQuery): Promise<HistoryPage> {
  if (text === undefined) return { ...(await listInferences(store, query)), searchedTo: undefined, looked: undefined };
  if (isUuid(text)) return await findById(store, query.projectId, text.toLowerCase());
  return await searchInferences(store, { ...query, text, budgetMs: SEARCH_BUDGET_MS });
}

/** Whoever looks for an id means that request, whatever else is set. */
async function findById(store: Store, projectId: string, id: string): Promise<HistoryPage> {
  const rows = await store
    .query()
    .selectFrom("Inference")
    .selectAll()
    .where("id", "=", id)
    .where("projectId", "=", projectId)
    .execute();
  return { rows, next: undefined, searchedTo: undefined, looked: undefined };
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
