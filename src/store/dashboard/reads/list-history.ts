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

/** Most requests of one request id: the turns of a connection share theirs, and a caller may use one again. */
const MOST_OF_ID = 100;

/** The form of the id that a caller may give to its request. */
const REQUEST_ID = /^[\w.:@+=/-]{1,128}$/;

/** Lists requests, or looks for a text in them, or for those of an id. */
export async function listHistory(store: Store, { text, ...query }: HistoryQuery): Promise<HistoryPage> {
  if (text === undefined) return { ...(await listInferences(store, query)), searchedTo: undefined, looked: undefined };
  if (REQUEST_ID.test(text)) {
    const page = await findById(store, query.projectId, text);
    if (page.rows.length > 0 || isUuid(text)) return page;
  }
  return await searchInferences(store, { ...query, text, budgetMs: SEARCH_BUDGET_MS });
}

/** Whoever looks for an id means that request, whatever else is set. It is that of an inference, or of its request. */
async function findById(store: Store, projectId: string, id: string): Promise<HistoryPage> {
  const rows = await store
    .query()
    .selectFrom("Inference")
    .selectAll()
    .where("projectId", "=", projectId)
    .where((where) =>
      isUuid(id)
        ? where.or([where("id", "=", id.toLowerCase()), where("requestId", "=", id)])
        : where("requestId", "=", id),
    )
    .orderBy("id", "desc")
    .limit(MOST_OF_ID)
    .execute();
  return { rows, next: undefined, searchedTo: undefined, looked: undefined };
}
