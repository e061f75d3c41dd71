import { foldCase } from "../../../lib/fold-case.ts";
import type { FeedbackEntryRow } from "../../entities/feedback-entry.ts";
import { listFeedback } from "../../read/queries/list-feedback.ts";
import type { Page } from "../../read/queries/list-inferences.ts";
import type { Store } from "../../types/store.ts";

/** The query of a search in notes. */
interface NoteSearch {
  readonly projectId: string;
  /** The text to find, in any case; empty matches all. */
  readonly text: string;
  /** Most notes, 1 to 500. */
  readonly limit: number;
  /** `next` of the search before. */
  readonly cursor?: string | undefined;
}

/** Notes that were found. */
interface FoundNotes extends Page<FeedbackEntryRow> {
  /** Notes that were read for it. */
  readonly searched: number;
}

const NOTES_PER_READ = 500;
const MOST_READS = 4;

/**
 * Searches notes, the newest first. It reads a bounded number of them, so `next` may be there where little was found:
 * the search goes on from it. Texts are compared here and not by the database: the two engines fold case differently,
 * and neither has an index for it.
 */
export async function searchNotes(store: Store, { projectId, text, limit, cursor }: NoteSearch): Promise<FoundNotes> {
  const wanted = foldCase(text);
  const found: FeedbackEntryRow[] = [];
  let searched = 0;
  let next = cursor;
  const size = wanted === "" ? limit : NOTES_PER_READ;
  for (let read = 0; read < MOST_READS; read += 1) {
    const page = await listFeedback(store, { projectId, limit: size, cursor: next, filter: { kind: "note" } });
    for (const row of page.rows) {
      searched += 1;
      next = row.id;
      if (row.textValue != null && foldCase(row.textValue).includes(wanted)) found.push(row);
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
