import { setImmediate as nextTurn } from "node:timers/promises";
import type { FeedbackStore, NewFeedbackEntry } from "../feedback/ports.ts";
import type { FeedbackEntryRow } from "./entities/feedback-entry.ts";
import type { Store } from "./store.ts";

/** Rows of one statement. SQLite works within the turn, so this is also how long the requests may have to wait. */
const ROWS_PER_STATEMENT = 200;

/** Creates the store of feedback entries: the entries of one call go in together, or not at all. */
export function createFeedbackStore(store: Store): FeedbackStore {
  return {
    async insert(entries) {
      await store.transaction(async (tables) => {
        for (let start = 0; start < entries.length; start += ROWS_PER_STATEMENT) {
          if (start > 0) await nextTurn();
          const rows = entries.slice(start, start + ROWS_PER_STATEMENT).map(entryToRow);
          await tables.insertInto("FeedbackEntry").values(rows).execute();
        }
      });
    },
  };
}

function entryToRow({ content, tags, optimize, ...facts }: NewFeedbackEntry): FeedbackEntryRow {
  return {
    ...facts,
    kind: content.kind,
    booleanValue: content.kind === "boolean" ? content.value : null,
    floatValue: content.kind === "float" ? content.value : null,
    textValue: content.kind === "note" ? content.value : null,
    tags,
    optimize: optimize ?? null,
    model: "",
    workload: "",
  };
}
