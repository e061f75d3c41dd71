import type { FeedbackEntryRow } from "../entities/feedback-entry.ts";
import { type FeedbackListQuery, listFeedback } from "../read/queries/list-feedback.ts";
import { listInferences, type Page } from "../read/queries/list-inferences.ts";
import { type Metric, type MetricsQuery, readMetrics } from "../read/queries/metrics.ts";
import type { TimeRange } from "../read/queries/range.ts";
import type { Store } from "../types/store.ts";

export type { FeedbackEntryRow, Metric };

/** Which notes are looked for. */
export interface NoteSearch {
  readonly projectId: string;
  /** What they contain, in whatever case; empty finds all. */
  readonly text: string;
  /** Most notes, 1 to 500. */
  readonly limit: number;
  /** `next` of the search before. */
  readonly cursor?: string | undefined;
}

/** Notes that were found. */
export interface FoundNotes extends Page<FeedbackEntryRow> {
  /** Notes that were read for it. */
  readonly searched: number;
}

/** Feedback of a project. */
export interface ProjectFeedback {
  /** Reads metrics by time, group, name and kind, from the rollups. */
  metrics(query: MetricsQuery): Promise<Metric[]>;
  /** Lists entries, the newest first. */
  list(query: FeedbackListQuery): Promise<Page<FeedbackEntryRow>>;
  /**
   * Searches notes, the newest first. It reads a bounded number of them, so `next` may be there where little was found: the
   * search goes on from it.
   */
  searchNotes(search: NoteSearch): Promise<FoundNotes>;
  /** Reads the latest values of a number metric, 500 at most. */
  latestNumbers(query: { projectId: string; name: string; range: TimeRange }): Promise<number[]>;
  /** Finds the latest inference; undefined where there is none. */
  latestInference(projectId: string): Promise<{ readonly id: string } | undefined>;
}

const NOTES_PER_READ = 500;
const MOST_READS = 4;

/** Creates the feedback of a database. */
export function createProjectFeedback(store: Store): ProjectFeedback {
  return {
    metrics: (query) => readMetrics(store, query),
    list: (query) => listFeedback(store, query),
    searchNotes: (search) => searchNotes(store, search),
    async latestNumbers({ projectId, name, range }) {
      const filter = { name, kind: "float" };
      const { rows } = await listFeedback(store, { projectId, limit: 500, ...range, filter });
      return rows.flatMap(({ floatValue }) => (typeof floatValue === "number" ? [floatValue] : []));
    },
    async latestInference(projectId) {
      const { rows } = await listInferences(store, { projectId, limit: 1 });
      return rows[0];
    },
  };
}

/** Texts are compared here and not by the database: the two engines fold case differently, and neither has an index for it. */
async function searchNotes(store: Store, { projectId, text, limit, cursor }: NoteSearch): Promise<FoundNotes> {
  const wanted = text.toLowerCase();
  const found: FeedbackEntryRow[] = [];
  let searched = 0;
  let next = cursor;
  const size = wanted === "" ? limit : NOTES_PER_READ;
  for (let read = 0; read < MOST_READS; read += 1) {
    const page = await listFeedback(store, { projectId, limit: size, cursor: next, filter: { kind: "note" } });
    for (const row of page.rows) {
      searched += 1;
      next = row.id;
      if (row.textValue?.toLowerCase().includes(wanted)) found.push(row);
      if (found.length === limit) return { rows: found, searched, next: isLast(page, row) ? undefined : next };
    }
    next = page.next;
    if (next === undefined) break;
  }
  return { rows: found, searched, next };
}

function isLast({ rows, next }: Page<FeedbackEntryRow>, row: FeedbackEntryRow): boolean {
  return next === undefined && rows.at(-1)?.id === row.id;
}
