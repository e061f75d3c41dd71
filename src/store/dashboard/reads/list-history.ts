import { isUuid } from "../../../lib/ids.ts";
import type { InferenceRow } from "../../entities/inference.ts";
import { type InferenceListQuery, listInferences } from "../../read/queries/list-inferences.ts";
import { searchFirstWords } from "../../read/queries/search-first-words.ts";
import { searchInferences } from "../../read/queries/search-inferences.ts";
import type { Store } from "../../types/store.ts";
import { describeRows, type HistoryRow } from "./describe-rows.ts";

/** The query of a list of requests. */
export interface HistoryQuery extends InferenceListQuery {
  /** A text in their first words, or the id of one. */
  readonly text?: string | undefined;
  /** True to look for it in whole texts, errors, sessions, end users and tags, which takes far longer. */
  readonly isWhole?: boolean | undefined;
}

/** A page of requests, the newest first. */
interface HistoryPage {
  readonly rows: readonly HistoryRow[];
  /** Cursor of what follows; undefined at the end. */
  readonly next: string | undefined;
  /** With a text: how far back it was looked for; undefined if nothing was looked at. */
  readonly searchedTo: Date | undefined;
  /** With a text: how many requests were looked at. */
  readonly looked: number | undefined;
}

/** The time that one call searches for a text, in whole ones and in first words. */
const WHOLE_BUDGET_MS = 75;
const FIRST_WORDS_BUDGET_MS = 60;

/** Most requests of one request id: the turns of a connection share theirs, and a caller may use one again. */
const MOST_OF_ID = 100;

/** The form of the id that a caller may give to its request. */
const REQUEST_ID = /^[\w.:@+=/-]{1,128}$/;

/** Requests that were found, without what a list tells of them beside their facts. */
type FoundPage = Omit<HistoryPage, "rows"> & { readonly rows: readonly InferenceRow[] };

/** Lists requests, or looks for a text in them, or for those of an id. */
export async function listHistory(store: Store, query: HistoryQuery): Promise<HistoryPage> {
  const page = await findPage(store, query);
  return { ...page, rows: await describeRows(store, page.rows) };
}

async function findPage(store: Store, { text, isWhole, ...query }: HistoryQuery): Promise<FoundPage> {
  if (text === undefined) return { ...(await listInferences(store, query)), searchedTo: undefined, looked: undefined };
  if (REQUEST_ID.test(text)) {
    const page = await findById(store, query.projectId, text);
    if (page.rows.length > 0 || isUuid(text)) return page;
  }
  return isWhole
    ? await searchInferences(store, { ...query, text, budgetMs: WHOLE_BUDGET_MS })
    : await searchFirstWords(store, { ...query, text, budgetMs: FIRST_WORDS_BUDGET_MS });
}

/** Whoever looks for an id means that request, whatever else is set. It is that of an inference, or of its request. */
async function findById(store: Store, projectId: string, id: string): Promise<FoundPage> {
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

/** Reads the id of the request that was made after another one of a project; null where there is none. */
export async function readNewer(
  store: Store,
  { projectId, id }: { readonly projectId: string; readonly id: string },
): Promise<string | null> {
  const rows = store.query().selectFrom("Inference").select("id").where("projectId", "=", projectId);
  const row = await rows.where("id", ">", id).orderBy("id").limit(1).executeTakeFirst();
  return row?.id ?? null;
}
