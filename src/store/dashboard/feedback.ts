import type { FeedbackEntryRow } from "../entities/feedback-entry.ts";
import type { FeedbackListQuery } from "../read/queries/list-feedback.ts";
import type { Page } from "../read/queries/list-inferences.ts";
import type { Metric, MetricsQuery } from "../read/queries/metrics.ts";
import type { TimeRange } from "../read/queries/range.ts";
import type { DashboardReads } from "./reads/reads.ts";
import type { FoundNotes, NoteSearch } from "./reads/search-notes.ts";

export type { FeedbackEntryRow, Metric };

/** Feedback of a project. */
export interface ProjectFeedback {
  /** Reads metrics by time, group, name and kind, from the rollups. */
  metrics(query: MetricsQuery): Promise<Metric[]>;
  /** Lists entries, the newest first. */
  list(query: FeedbackListQuery): Promise<Page<FeedbackEntryRow>>;
  /**
   * Searches notes, the newest first. It reads a bounded number of them, so `next` may be there where little was found:
   * the search goes on from it.
   */
  searchNotes(search: NoteSearch): Promise<FoundNotes>;
  /** Reads the latest values of a number metric, 500 at most. */
  latestNumbers(query: { projectId: string; name: string; range: TimeRange }): Promise<number[]>;
  /** Finds the latest inference; undefined where there is none. */
  latestInference(projectId: string): Promise<{ readonly id: string } | undefined>;
}

/** Creates the feedback that is read so. */
export function createProjectFeedback(reads: DashboardReads): ProjectFeedback {
  return {
    metrics: (query) => reads.readMetrics(query),
    list: (query) => reads.listFeedback(query),
    searchNotes: (search) => reads.searchNotes(search),
    async latestNumbers({ projectId, name, range }) {
      const filter = { name, kind: "float" };
      const { rows } = await reads.listFeedback({ projectId, limit: 500, ...range, filter });
      return rows.flatMap(({ floatValue }) => (typeof floatValue === "number" ? [floatValue] : []));
    },
    async latestInference(projectId) {
      const { rows } = await reads.listHistory({ projectId, limit: 1 });
      return rows[0];
    },
  };
}
