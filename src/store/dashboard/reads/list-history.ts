import { isUuid } from "../../../lib/ids.ts";
import type { InferenceRow } from "../../entities/inference.ts";
import { type InferenceListQuery, listInferences } from "../../read/queries/list-inferences.ts";
import { searchInferences } from "../../read/queries/search-inferences.ts";
import type { Store } from "../../types/store.ts";

/** The query of a list of requests. */
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

/** The time that one call searches for a text. */
const SEARCH_BUDGET_MS = 150;

/** Lists requests, or looks for a text in them, or for the one of an id. */
export async function listHistory(store: Store, { text, ...query }: HistoryQuery): Promise<HistoryPage> {
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
