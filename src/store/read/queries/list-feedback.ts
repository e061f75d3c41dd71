import type { FeedbackEntryRow } from "../../entities/feedback-entry.ts";
import type { Store } from "../../types/store.ts";
import { checkLimit, idBounds, type Page } from "./list-inferences.ts";
import { newestIds } from "./newest-ids.ts";

/** The query of a list of feedback. */
interface FeedbackListQuery {
  readonly projectId: string;
  /** Most rows, 1 to 500. */
  readonly limit: number;
  /** Last id of the page before; undefined begins with the newest. */
  readonly cursor?: string | undefined;
  /** When it came; `to` is not part of it. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** undefined is any. */
  readonly filter?: {
    readonly name?: string | undefined;
    readonly kind?: string | undefined;
    readonly model?: string | undefined;
    readonly workload?: string | undefined;
  };
}

/** Lists entries of feedback, the newest first. Throws a RangeError for a limit beyond its bounds. */
export async function listFeedback(store: Store, query: FeedbackListQuery): Promise<Page<FeedbackEntryRow>> {
  checkLimit(query.limit);
  const { projectId, limit, filter = {} } = query;
  const columns = { name: filter.name, kind: filter.kind, model: filter.model, workload: filter.workload };
  const ids = await newestIds(store, {
    table: "feedback_entry",
    rollup: "feedback",
    projectId,
    filter: columns,
    ...idBounds(query),
    limit: limit + 1,
  });
  const shown = ids.slice(0, limit);
  const entries = store.query().selectFrom("FeedbackEntry").selectAll().where("projectId", "=", projectId);
  const rows = shown.length === 0 ? [] : await entries.where("id", "in", shown).orderBy("id", "desc").execute();
  return { rows, next: ids.length > shown.length ? shown.at(-1) : undefined };
}
