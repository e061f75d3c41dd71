import { isUuid } from "../../../lib/ids.ts";
import { FINDABLE_TAG_CHARACTERS } from "../../entities/feedback-tag.ts";
import type { InferenceRow } from "../../entities/inference.ts";
import { firstIdAt } from "../../types/period.ts";
import type { Store } from "../../types/store.ts";
import { type CallFilter, filteredColumns } from "./call-filter.ts";
import type { MetricFilter } from "./last-day-of-value.ts";
import { type NewestQuery, type NewestRow, newestRows } from "./newest-ids.ts";
import type { TagFilter } from "./rows-that-match.ts";
import { type FactFilter, rowsWithFacts } from "./rows-with-facts.ts";
import { rowsWithFeedback } from "./rows-with-feedback.ts";

/** The query of a list of inferences. */
export interface InferenceListQuery {
  readonly projectId: string;
  /** Most rows, 1 to 500. */
  readonly limit: number;
  /** Last id of the page before; undefined begins with the newest. */
  readonly cursor?: string | undefined;
  /** When they were made; `to` is not part of it. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly filter?: CallFilter;
  readonly facts?: FactFilter | undefined;
  /** A tag of their feedback. */
  readonly tag?: TagFilter | undefined;
  /** A value of their feedback. */
  readonly metric?: MetricFilter | undefined;
  /** Rows that a filter is compared with, about, where no index has what it lets through; undefined for all. */
  readonly mostLooked?: number | undefined;
}

/** A page of a list. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Cursor of the next page; undefined after the last. */
  readonly next: string | undefined;
}

const MAX_LIMIT = 500;
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Lists inferences, the newest first. Throws a RangeError for a limit or a tag beyond its bounds. */
export async function listInferences(store: Store, query: InferenceListQuery): Promise<Page<InferenceRow>> {
  checkQuery(query);
  const ids = await newestMatching(store, { ...query, limit: query.limit + 1 });
  const shown = ids.slice(0, query.limit);
  return {
    rows: await readInferences(store, query.projectId, shown),
    next: ids.length > shown.length ? shown.at(-1) : undefined,
  };
}

/** Checks the limit of a list. */
export function checkLimit(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw new RangeError(`limit: must be a whole number from 1 to ${MAX_LIMIT}; it is ${limit}`);
  }
}

/**
 * Returns the ids that a list may contain: from the first, and before the second. Throws a RangeError for a wrong
 * cursor.
 */
export function idBounds(query: Pick<InferenceListQuery, "cursor" | "from" | "to">) {
  if (query.cursor !== undefined && !isUuid(query.cursor)) throw new RangeError("cursor: must be the id of a row");
  const to = query.to === undefined ? LAST_ID : firstIdAt(query.to.getTime());
  const cursor = query.cursor?.toLowerCase() ?? LAST_ID;
  return { fromId: firstIdAt(query.from?.getTime() ?? 0), beforeId: cursor < to ? cursor : to };
}

function checkQuery({ limit, tag }: InferenceListQuery): void {
  checkLimit(limit);
  const isLong = (text: string) => text.length > FINDABLE_TAG_CHARACTERS;
  if (tag !== undefined && (isLong(tag.key) || isLong(tag.value))) {
    throw new RangeError(`tag: can be found by a name and a value of at most ${FINDABLE_TAG_CHARACTERS} characters`);
  }
}

/** Finds the newest inferences that a query lets through, whatever its limit: their ids, in falling order. */
export async function newestMatching(store: Store, query: InferenceListQuery): Promise<string[]> {
  return (await newestValues(store, query)).map(({ id }) => id);
}

/** Finds them with a value: SQL of a number. To look thousands of ids up anew takes as long as to find them. */
export async function newestValues(store: Store, query: InferenceListQuery, value?: string): Promise<NewestRow[]> {
  const { projectId, limit, filter = {}, facts = {}, tag, metric } = query;
  const search = { projectId, limit, ...idBounds(query), filter, facts, value };
  if (tag !== undefined || metric !== undefined) {
    return await rowsWithFeedback(store, { ...search, tag, metric });
  }
  const byColumns = toNewestQuery(query);
  if (byColumns !== undefined) return await newestRows(store, { ...byColumns, ...(value !== undefined && { value }) });
  return await rowsWithFacts(store, search);
}

/** Returns the query of rows for one that asks for nothing but columns; undefined for others. */
function toNewestQuery(query: InferenceListQuery): NewestQuery | undefined {
  const { projectId, limit, filter, facts = {}, tag, metric, mostLooked } = query;
  if ([tag, metric, ...Object.values(facts)].some((value) => value !== undefined)) return undefined;
  const columns = filteredColumns(filter);
  return { table: "inference", rollup: "usage", projectId, filter: columns, ...idBounds(query), limit, mostLooked };
}

/** Reads inferences by their ids, the newest first. */
export async function readInferences(store: Store, projectId: string, ids: readonly string[]): Promise<InferenceRow[]> {
  if (ids.length === 0) return [];
  const rows = store.query().selectFrom("Inference").selectAll().where("projectId", "=", projectId);
  return await rows
    .where("id", "in", [...ids])
    .orderBy("id", "desc")
    .execute();
}
