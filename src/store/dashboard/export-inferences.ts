import { createTimeSlicer, type TimeSlicer } from "../../lib/time-slicer.ts";
import type { FeedbackEntryRow } from "../entities/feedback-entry.ts";
import type { InferenceAttemptRow } from "../entities/inference-attempt.ts";
import { readBodies } from "../read/queries/read-bodies.ts";
import { readFeedback } from "../read/queries/read-feedback.ts";
import type { EncodedContent } from "../types/inference-body.ts";
import type { HistoryRow } from "./reads/describe-rows.ts";
import type { HistoryQuery } from "./reads/list-history.ts";
import type { DashboardReads } from "./reads/reads.ts";

/** A request with all that belongs to it. */
export interface ExportedInference {
  readonly row: HistoryRow;
  /** The request and response, not decoded; undefined where no body was kept. */
  readonly body: EncodedContent | undefined;
  /** In the order in which they began. */
  readonly attempts: readonly InferenceAttemptRow[];
  /** All that was said of it, the oldest first: parts that are read as they are asked for. */
  readonly feedback: AsyncIterable<readonly FeedbackEntryRow[]>;
}

/** Rows that are held at a time; a statement on them takes some milliseconds. */
const PAGE = 100;

/**
 * Yields requests with all that belongs to them, the newest first, until there are `limit` or the signal aborts. Few
 * are held at a time, whatever their sizes. It rests now and then, for what is done with them too.
 */
export function exportInferences(
  reads: DashboardReads,
  query: HistoryQuery,
  signal: AbortSignal,
): AsyncGenerator<ExportedInference> {
  return exportPages(reads, { projectId: query.projectId, pages: exportRows(reads, query, signal), signal });
}

/** Requests of a project that are exported, some at a time. */
interface ExportedPages {
  readonly projectId: string;
  readonly pages: AsyncIterable<readonly HistoryRow[]>;
  readonly signal: AbortSignal;
}

/** Yields what belongs to requests that come some at a time, until the signal aborts. */
export async function* exportPages(
  reads: DashboardReads,
  { projectId, pages, signal }: ExportedPages,
): AsyncGenerator<ExportedInference> {
  const pace = createTimeSlicer();
  for await (const page of pages) {
    if (signal.aborted) return;
    await pace();
    const rows = new Map(page.map((row) => [row.id, row]));
    const readFeedbackOn = await readFeedback(reads, projectId, [...rows.keys()]);
    const attempts = await reads.readAttempts([...rows.keys()]);
    for await (const { id, body } of readBodies(reads, [...rows.keys()])) {
      await pace();
      const row = rows.get(id);
      if (row === undefined) continue;
      yield { row, body, attempts: attempts.get(id) ?? [], feedback: resting(readFeedbackOn(id), pace) };
    }
  }
}

/** Yields requests alone, some at a time, the newest first, until there are `limit` or the signal aborts. */
export async function* exportRows(
  reads: DashboardReads,
  query: HistoryQuery,
  signal: AbortSignal,
): AsyncGenerator<readonly HistoryRow[]> {
  let left = query.limit;
  let { cursor } = query;
  while (left > 0 && !signal.aborted) {
    const page = await reads.listHistory({ ...query, cursor, limit: Math.min(left, PAGE) });
    yield page.rows;
    left -= page.rows.length;
    if (page.next === undefined) return;
    cursor = page.next;
  }
}

async function* resting<T>(parts: AsyncIterable<T>, pace: TimeSlicer): AsyncGenerator<T> {
  for await (const part of parts) {
    await pace();
    yield part;
  }
}
