import { readRows } from "../../database/executor.ts";
import type { FeedbackEntryRow } from "../../entities/feedback-entry.ts";
import type { Store } from "../../types/store.ts";
import { groupBySize, type Sized } from "./group-by-size.ts";

/** Entries of one statement: to make rows of them takes some ten milliseconds. */
const ENTRIES_AT_ONCE = 200;
/** Entries on several inferences, and bytes of entries, that are held at a time. */
const MOST_HELD = 1000;
const BYTES_AT_ONCE = 2 ** 20;

/** The query of entries of some inferences, by inference and then oldest first. */
export interface FeedbackSizesQuery {
  readonly inferenceIds: readonly string[];
  /** Only those after this id. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** The size of an entry. */
interface FeedbackSize extends Sized {
  readonly projectId: string;
}

/** The source of feedback. */
export interface FeedbackSource {
  readFeedbackSizes(query: FeedbackSizesQuery): Promise<readonly FeedbackSize[]>;
  /** Reads entries by their ids, the oldest first. */
  selectFeedback(ids: readonly string[]): Promise<readonly FeedbackEntryRow[]>;
}

/** Yields the entries on an inference in parts, the oldest first. */
type FeedbackReader = (inferenceId: string) => AsyncGenerator<readonly FeedbackEntryRow[]>;

/**
 * Reads what a project has said of inferences: at once where that is little, as it mostly is, and otherwise in parts as
 * they are asked for. Few entries are held at a time, however many there are and however long their texts.
 */
export async function readFeedback(
  source: FeedbackSource,
  projectId: string,
  inferenceIds: readonly string[],
): Promise<FeedbackReader> {
  const sizes = await source.readFeedbackSizes({ inferenceIds, limit: MOST_HELD + 1 });
  const bytes = sizes.reduce((sum, size) => sum + size.bytes, 0);
  if (sizes.length > MOST_HELD || bytes > BYTES_AT_ONCE) return (id) => readParts(source, projectId, id);
  const ids = sizes.filter((size) => size.projectId === projectId).map(({ id }) => id);
  const entries: FeedbackEntryRow[] = [];
  for (let start = 0; start < ids.length; start += ENTRIES_AT_ONCE) {
    entries.push(...(await source.selectFeedback(ids.slice(start, start + ENTRIES_AT_ONCE))));
  }
  const known = Map.groupBy(entries, ({ inferenceId }) => inferenceId);
  return async function* (id) {
    const own = known.get(id);
    if (own !== undefined) yield own;
  };
}

async function* readParts(
  source: FeedbackSource,
  projectId: string,
  inferenceId: string,
): AsyncGenerator<readonly FeedbackEntryRow[]> {
  let after: string | undefined;
  do {
    const query = { inferenceIds: [inferenceId], after, limit: ENTRIES_AT_ONCE };
    const sizes = await source.readFeedbackSizes(query);
    const own = sizes.filter((size) => size.projectId === projectId);
    for (const ids of groupBySize(own, BYTES_AT_ONCE)) yield await source.selectFeedback(ids);
    after = sizes.length < ENTRIES_AT_ONCE ? undefined : sizes.at(-1)?.id;
  } while (after !== undefined);
}

/**
 * Reads the sizes of entries from a database. The project is not asked for: to read all of it in the order of ids looks
 * as good to a planner.
 */
export async function readFeedbackSizes(
  store: Store,
  { inferenceIds, after, limit }: FeedbackSizesQuery,
): Promise<readonly FeedbackSize[]> {
  if (inferenceIds.length === 0) return [];
  const marks = inferenceIds.map(() => "?").join(", ");
  const bytes = "octet_length(name) + coalesce(octet_length(text_value), 0) + octet_length(cast(tags as text))";
  const [later, values] = after === undefined ? ["", []] : [" and id > ?", [after]];
  const sql =
    `select id, project_id, ${bytes} as bytes from feedback_entry where inference_id in (${marks})${later} ` +
    "order by inference_id, id limit ?";
  const rows = await readRows<{ id: string; project_id: string; bytes: number }>(store, sql, [
    ...inferenceIds,
    ...values,
    limit,
  ]);
  return rows.map(({ id, project_id, bytes }) => ({ id, projectId: project_id, bytes: Number(bytes) }));
}

/** Reads entries from a database, the oldest first. */
export async function selectFeedback(store: Store, ids: readonly string[]): Promise<readonly FeedbackEntryRow[]> {
  const entries = store.query().selectFrom("FeedbackEntry").selectAll();
  return await entries
    .where("id", "in", [...ids])
    .orderBy("id")
    .execute();
}
